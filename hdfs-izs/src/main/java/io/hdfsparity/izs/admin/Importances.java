/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The importance of paths: the attribute of the path itself, or of the nearest ancestor that has
 * one. Remembers directories, so a tree costs one call for each of its files and directories. For
 * one command; not thread-safe.
 */
final class Importances {
  /** Name of the attribute. */
  static final String XATTR = "user.parity.importance";

  private final FileSystem fs;
  private final Map<Path, Optional<Set>> directories = new HashMap<>();

  /** A value and the path that has it. */
  record Set(String value, Path at) {}

  Importances(FileSystem fs) {
    this.fs = fs;
  }

  Optional<Set> of(Path path) throws IOException {
    Optional<Set> own = own(path);
    Path parent = path.getParent();
    return own.isPresent() || parent == null ? own : ofDirectory(parent);
  }

  private Optional<Set> ofDirectory(Path directory) throws IOException {
    Optional<Set> known = directories.get(directory);
    if (known == null) {
      known = of(directory);
      directories.put(directory, known);
    }
    return known;
  }

  private Optional<Set> own(Path path) throws IOException {
    byte[] value = fs.getXAttrs(path).get(XATTR);
    return value == null
        ? Optional.empty()
        : Optional.of(new Set(new String(value, StandardCharsets.UTF_8), path));
  }
}
