/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a running cluster has put on disks that group or others may read or write, other than what
 * HDFS makes itself and the folders that the test has made.
 */
final class OpenFiles {
  /** In directories that HDFS makes 0700 itself. */
  private static final Pattern OF_HDFS =
      Pattern.compile(
          "current|finalized|rbw|tmp|lazypersist|previous.*|subdir\\d+|BP-.*|VERSION|in_use\\.lock"
              + "|blk_-?\\d+(_\\d+\\.meta)?|dfsUsed|scanner\\.cursor|replicas|fsimage.*|edits.*"
              + "|seen_txid|trash|shortcircuit.*|.*\\.sock");

  private static final Pattern OF_TEST =
      Pattern.compile(
          "dfs|cluster|name(-\\d+)*|namesecondary.*|node\\d+|disk\\d+|frame-\\d+|data\\d*|lstor"
              + "|shared-edits.*|journal.*");

  private OpenFiles() {}

  /** Paths and their modes, below a folder of the test. */
  static List<String> below(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(path -> !path.equals(root))
          .filter(path -> isOurs(root.relativize(path)))
          .map(OpenFiles::mode)
          .filter(mode -> !mode.isEmpty())
          .toList();
    }
  }

  private static boolean isOurs(Path path) {
    String name = String.valueOf(path.getFileName());
    boolean isInOurs = path.toString().contains("ecupdate/");
    return isInOurs || !OF_HDFS.matcher(name).matches() && !OF_TEST.matcher(name).matches();
  }

  private static String mode(Path path) {
    try {
      String mode =
          PosixFilePermissions.toString(
              Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
      return mode.endsWith("------") ? "" : path + " " + mode;
    } catch (NoSuchFileException e) {
      return "";
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
