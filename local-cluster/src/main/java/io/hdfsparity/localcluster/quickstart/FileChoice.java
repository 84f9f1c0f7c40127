/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.format;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Chooses the files to store: all of a folder, or files that any machine with a JDK has. Every file
 * is looked at before anything is started. Not thread-safe.
 */
final class FileChoice {
  /** What the default choice reaches where there are files enough. */
  static final long WANTED_BYTES = 300L << 20;

  /** What the default choice does not exceed. */
  static final long MAX_BYTES = 500L << 20;

  private static final int SHOWN_PROBLEMS = 5;
  private final List<SourceFile> files = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final List<String> problems = new ArrayList<>();
  private final Set<Object> leftOut;

  private FileChoice(Set<Object> leftOut) {
    this.leftOut = leftOut;
  }

  /** A root of files that are taken if they are there. */
  private record Root(Path dir, String name, String suffix) {}

  /**
   * Takes all files of a folder.
   *
   * @param leftOut folders whose files are not taken if they are below, by whatever links: those
   *     that the quickstart writes to; need not exist
   * @throws QuickstartException when there are none, or naming those that cannot be stored
   */
  static List<SourceFile> ofFolder(Path dir, List<Path> leftOut) throws QuickstartException {
    if (!Files.isDirectory(dir)) {
      throw QuickstartException.input(
          "Cannot take the files of DIR: %s, expected a folder with files, DIR=%s",
          Files.exists(dir) ? "it is not a folder" : "it does not exist", dir);
    }
    FileChoice choice = new FileChoice(identities(leftOut));
    choice.walk(new Root(dir, "", ""), Long.MAX_VALUE);
    choice.requireNoProblems(dir);
    if (choice.files.isEmpty()) {
      throw QuickstartException.input(
          "Cannot take the files of DIR: files=0, expected at least one, DIR=%s", dir);
    }
    return List.copyOf(choice.files);
  }

  /**
   * Takes modules of the JDK, then jars of the Maven repository, then other files of the JDK until
   * there is enough. Files that cannot be read are left out: they were not asked for.
   *
   * @param javaHome the JDK
   * @param mavenRepository the local repository; need not exist
   */
  static List<SourceFile> ofThisMachine(Path javaHome, Path mavenRepository)
      throws QuickstartException {
    FileChoice choice = new FileChoice(Set.of());
    choice.walk(new Root(javaHome.resolve("jmods"), "jdk/jmods/", ".jmod"), WANTED_BYTES);
    choice.walk(new Root(javaHome.resolve("lib"), "jdk/lib/", "modules"), WANTED_BYTES);
    choice.walk(new Root(mavenRepository, "maven/", ".jar"), WANTED_BYTES);
    choice.walk(new Root(javaHome.resolve("lib"), "jdk/lib/", ""), WANTED_BYTES);
    if (choice.files.isEmpty()) {
      throw QuickstartException.input(
          "Cannot find files to store: none in %s and %s, expected a JDK; name a folder: "
              + "./quickstart DIR",
          javaHome, mavenRepository);
    }
    return List.copyOf(choice.files);
  }

  /** What tells a folder from others by whatever path it is reached. */
  private static Set<Object> identities(List<Path> folders) throws QuickstartException {
    Set<Object> identities = new HashSet<>();
    for (Path folder : folders.stream().filter(Files::exists).toList()) {
      try {
        identities.add(Files.readAttributes(folder, BasicFileAttributes.class).fileKey());
      } catch (IOException e) {
        String template = "Cannot look at a folder: %s, folder=%s";
        throw QuickstartException.input(e, template, e.getMessage(), folder);
      }
    }
    return identities;
  }

  /** How many files and bytes. */
  static String text(List<SourceFile> files) {
    return format("{file}, {bytes}", files.size(), totalBytes(files));
  }

  /** Bytes of files. */
  static long totalBytes(List<SourceFile> files) {
    return files.stream().mapToLong(SourceFile::lengthBytes).sum();
  }

  private void walk(Root root, long enoughBytes) throws QuickstartException {
    boolean whole = enoughBytes == Long.MAX_VALUE;
    if (!whole && (!Files.isDirectory(root.dir()) || totalBytes(files) >= enoughBytes)) {
      return;
    }
    List<SourceFile> found = new ArrayList<>();
    try {
      Files.walkFileTree(
          root.dir(),
          EnumSet.of(FileVisitOption.FOLLOW_LINKS),
          Integer.MAX_VALUE,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              return leftOut.contains(attributes.fileKey())
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (whole || file.toString().endsWith(root.suffix())) {
                look(root, file, attributes, found);
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              problems.add(reason(file, e));
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw QuickstartException.input(
          e, "Cannot list the files: %s, folder=%s", e.getMessage(), root.dir());
    }
    found.sort(Comparator.comparing(SourceFile::name));
    long total = totalBytes(files);
    for (SourceFile file : found) {
      boolean tooMuch = !whole && (total >= enoughBytes || total + file.lengthBytes() > MAX_BYTES);
      if (!tooMuch && (whole || !names.contains(file.name()))) {
        files.add(unique(file));
        total += file.lengthBytes();
      }
    }
  }

  /** Two names that differ locally may be the same in HDFS. */
  private SourceFile unique(SourceFile file) {
    String name = file.name();
    for (int i = 2; !names.add(name); i++) {
      name = file.name() + "~" + i;
    }
    return new SourceFile(file.file(), name, file.lengthBytes(), file.modifiedMs());
  }

  private void look(Root root, Path file, BasicFileAttributes attributes, List<SourceFile> found) {
    if (!attributes.isRegularFile()) {
      String what = attributes.isSymbolicLink() ? "a link to nowhere" : "no regular file";
      problems.add(file + ": it is " + what + ", expected a regular file");
      return;
    }
    if (!Files.isReadable(file)) {
      problems.add(file + ": it may not be read by this user, expected a readable file");
      return;
    }
    try {
      SourceFile source = SourceFile.of(file, hdfsName(root, file), attributes);
      // First and last byte: what is damaged at all is mostly seen here, and all other bytes are
      // read soon.
      int one = (int) Math.min(1, source.lengthBytes());
      source.read(0, one);
      source.read(source.lengthBytes() - one, one);
      found.add(source);
    } catch (IOException e) {
      problems.add(reason(file, e));
    }
  }

  private static String reason(Path file, IOException e) {
    if (e instanceof FileSystemLoopException) {
      return file + ": the link leads back to a folder above it, expected no such loop";
    }
    if (e instanceof java.nio.file.AccessDeniedException) {
      return file + ": it may not be read by this user, expected a readable file or folder";
    }
    return file + ": it cannot be read (" + e.getMessage() + "), expected a readable file";
  }

  /**
   * The path below the root; what HDFS does not take in a name, or would be there twice, is written
   * otherwise.
   */
  private static String hdfsName(Root root, Path file) {
    List<String> components = new ArrayList<>();
    root.dir().relativize(file).forEach(each -> components.add(HdfsName.component("" + each)));
    return root.name() + String.join("/", components);
  }

  private void requireNoProblems(Path dir) throws QuickstartException {
    if (!problems.isEmpty()) {
      int more = problems.size() - SHOWN_PROBLEMS;
      throw QuickstartException.input(
          "Cannot take the files of DIR: %s of them cannot be stored, DIR=%s\n  %s%s",
          problems.size(),
          dir,
          String.join("\n  ", problems.stream().sorted().limit(SHOWN_PROBLEMS).toList()),
          more > 0 ? "\n  and " + more + " more" : "");
    }
  }
}
