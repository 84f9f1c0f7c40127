/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstord;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files {@code lstor-<disk id>} of a directory. Stateless. */
public final class LstorFiles {
  private static final String PREFIX = "lstor-";

  /** What lies beside an Lstor and is none: an operator's wish for a new one is no Lstor either. */
  private static final List<String> BESIDE = List.of(".lock", ".want", ".tmp", ".rebuild");

  private LstorFiles() {}

  /** Those of a directory; one that is not there yet holds none. */
  public static List<Path> in(Path directory) throws IOException {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(directory)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "*")) {
        for (Path file : files) {
          String name = String.valueOf(file.getFileName());
          if (BESIDE.stream().noneMatch(name::endsWith) && Files.isRegularFile(file)) {
            found.add(file);
          }
        }
      }
    }
    return found;
  }

  /** Whose Lstor it is. */
  public static String diskId(Path lstor) {
    return String.valueOf(lstor.getFileName()).substring(PREFIX.length());
  }
}
