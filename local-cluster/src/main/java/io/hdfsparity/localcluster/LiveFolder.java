/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Folders that others work in: what goes between its listing and its visit is left out, where
 * {@link Files#walk} would fail. Follows no links. Stateless, thread-safe.
 */
public final class LiveFolder {
  private LiveFolder() {}

  /** Hears of a file. */
  @FunctionalInterface
  public interface FileVisit {
    /**
     * A file, which may be gone already.
     *
     * @param attributes as they were when it was found
     * @throws IOException which ends the visit
     */
    void file(Path file, BasicFileAttributes attributes) throws IOException;
  }

  private static class Tolerant extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, IOException e) throws IOException {
      if (e != null && Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
        throw e;
      }
      return FileVisitResult.CONTINUE;
    }
  }

  /** Visits all files below a folder, not folders, in no order; none where there is no folder. */
  public static void visit(Path folder, FileVisit visit) throws IOException {
    Files.walkFileTree(
        folder,
        new Tolerant() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            visit.file(file, attributes);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Deletes a file or folder with all that is in it; does nothing where there is none. */
  public static void delete(Path root) throws IOException {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        root,
        new Tolerant() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException e) throws IOException {
            super.postVisitDirectory(folder, e);
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
