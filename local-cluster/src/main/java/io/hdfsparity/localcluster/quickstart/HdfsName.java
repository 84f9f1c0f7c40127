/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.format;

import java.nio.charset.StandardCharsets;

/**
 * Names of local files as HDFS takes them (DFSUtilClient.isValidName,
 * FSDirectory.verifyMaxComponentLength). Pure.
 */
final class HdfsName {
  /** Default of dfs.namenode.fs-limits.max-component-length, in bytes of UTF-8. */
  static final int MAX_BYTES = 255;

  private static final int HASH_CHARS = 9;

  private HdfsName() {}

  /**
   * A component of a path in HDFS: a colon, which HDFS refuses, and characters that are not
   * printable are written as in a URL; a name that gets too long ends in a hash.
   */
  static String component(String name) {
    StringBuilder out = new StringBuilder();
    name.codePoints()
        .forEach(
            c -> {
              if (c == ':' || c == '%' || c < ' ' || c == 0x7f) {
                out.append(format("%%%02X", c));
              } else {
                out.appendCodePoint(c == 0xFFFD || c >= 0xD800 && c <= 0xDFFF ? '_' : c);
              }
            });
    String safe = out.toString();
    if (bytes(safe) <= MAX_BYTES) {
      return safe;
    }
    while (bytes(safe) > MAX_BYTES - HASH_CHARS) {
      safe = safe.substring(0, safe.offsetByCodePoints(safe.length(), -1));
    }
    return safe + format("~%08x", name.hashCode());
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
