/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.layout;

import io.hdfsparity.core.check.Checks;

/**
 * How a stored file is cut into parts that are written each by itself: of whole block groups, all
 * of one size but the last one, so that the parts behind each other have the blocks that one writer
 * makes. Immutable.
 *
 * @param lengthBytes of the file, > 0
 * @param partBytes of all parts but the last one, > 0
 */
public record FileParts(long lengthBytes, long partBytes) {
  /** Maximum number of parts of a file: larger files get larger ones. */
  public static final int MAX_PARTS = 10_000;

  public FileParts {
    Checks.argument(lengthBytes > 0, "cut a file", "lengthBytes", lengthBytes, "> 0");
    Checks.argument(partBytes > 0, "cut a file", "partBytes", partBytes, "> 0");
    Checks.argument(
        (lengthBytes - 1) / partBytes < MAX_PARTS,
        "cut a file",
        "partBytes",
        partBytes,
        "at most " + MAX_PARTS + " parts of lengthBytes=" + lengthBytes);
  }

  /**
   * Parts of about a size: of as many groups as it has room for, of one at least, and of more where
   * there would be more parts than {@value #MAX_PARTS}.
   *
   * @param groupBytes of a full block group, > 0
   */
  public static FileParts of(long lengthBytes, long groupBytes, long wantedBytes) {
    Checks.argument(groupBytes > 0, "cut a file", "groupBytes", groupBytes, "> 0");
    long groups = lengthBytes <= 0 ? 0 : (lengthBytes - 1) / groupBytes + 1;
    long least = groups == 0 ? 1 : (groups - 1) / MAX_PARTS + 1;
    long perPart = Math.max(Math.max(1, wantedBytes / groupBytes), least);
    return new FileParts(
        lengthBytes, Math.multiplyExact(groupBytes, Math.min(perPart, Math.max(1, groups))));
  }

  /** How many, at least one. */
  public int count() {
    return (int) ((lengthBytes - 1) / partBytes) + 1;
  }

  /** First stored byte of a part. */
  public long from(int part) {
    if (part < 0 || part >= count()) {
      throw new IndexOutOfBoundsException(
          "Cannot cut a file: part=" + part + ", expected 0 <= part < " + count());
    }
    return part * partBytes;
  }

  /** Stored byte behind a part. */
  public long to(int part) {
    return Math.min(lengthBytes - from(part), partBytes) + from(part);
  }

  /** Length of a part. */
  public long bytes(int part) {
    return to(part) - from(part);
  }
}
