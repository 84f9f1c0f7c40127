/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.store;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Files and directories that only the user of the process can read and write: modes 0600 and 0700
 * whatever the umask is, as HDFS has it for {@code dfs.datanode.data.dir}. Parity, saved bytes and
 * logs hold what users have stored. Where the file system has no such modes, nothing is set.
 * Stateless, thread-safe.
 */
public final class PrivateFiles {
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final FileAttribute<?>[] NONE = {};
  private static final FileAttribute<?>[] NEW_FILE = {PosixFilePermissions.asFileAttribute(FILE)};
  private static final FileAttribute<?>[] NEW_DIRECTORY = {
    PosixFilePermissions.asFileAttribute(DIRECTORY)
  };

  private PrivateFiles() {}

  private static boolean hasModes(FileSystem files) {
    return files.supportedFileAttributeViews().contains("posix");
  }

  /** Opens a file; one that this makes is private. */
  public static FileChannel open(Path file, OpenOption... options) throws IOException {
    return FileChannel.open(
        file, Set.of(options), hasModes(file.getFileSystem()) ? NEW_FILE : NONE);
  }

  /** Makes a file that is not there yet, or does nothing. */
  public static void makeFile(Path file) throws IOException {
    if (!Files.exists(file)) {
      Files.createFile(file, hasModes(file.getFileSystem()) ? NEW_FILE : NONE);
    }
  }

  /**
   * Makes a directory and those above it that are not there; the ones that this makes are private.
   */
  public static void makeDirectories(Path directory) throws IOException {
    Files.createDirectories(directory, hasModes(directory.getFileSystem()) ? NEW_DIRECTORY : NONE);
  }

  /**
   * Makes a directory, or takes from the one that is there, and from the files in it, what group
   * and others may do. Links, and what lies deeper, are left alone.
   *
   * @return what was not private before; empty: all was
   * @throws IOException that names the directory, also when it is somebody else's
   */
  public static List<Path> secure(Path directory) throws IOException {
    makeDirectories(directory);
    if (!hasModes(directory.getFileSystem())) {
      return List.of();
    }
    List<Path> opened = new ArrayList<>();
    try {
      if (tighten(directory)) {
        opened.add(directory);
      }
      try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
        for (Path file : files) {
          if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && tighten(file)) {
            opened.add(file);
          }
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      throw new IOException(
          ErrorMessage.to("make a directory private")
              .value("failure", e)
              .expected("mode 0700, files 0600; give it to the user of this process")
              .file(directory)
              .message(),
          e);
    }
    return List.copyOf(opened);
  }

  private static boolean tighten(Path path) throws IOException {
    try {
      Set<PosixFilePermission> now = Files.getPosixFilePermissions(path);
      Set<PosixFilePermission> wanted = EnumSet.noneOf(PosixFilePermission.class);
      wanted.addAll(now);
      wanted.retainAll(DIRECTORY);
      if (wanted.equals(now)) {
        return false;
      }
      Files.setPosixFilePermissions(path, wanted);
      return true;
    } catch (NoSuchFileException e) {
      // Deleted meanwhile.
      return false;
    }
  }
}
