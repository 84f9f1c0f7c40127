/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.layout;

import io.hdfsparity.core.check.Refusal;
import io.hdfsparity.core.framing.CorruptFormatException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a file in stored order says of its index, in an extended attribute of its inode. Index files
 * are written once, under a name that nothing had before, so this is what decides which order a
 * file is in; it goes with the inode through every rename.
 *
 * <p>Text in UTF-8, fields separated by one blank: version (1), inode of the file, inode of its
 * index, length of the index in bytes, SHA-256 of the index in hex, name of the index in the
 * directory of the file. Immutable.
 *
 * @param fileId inode of the file that it belongs to; any other one that has it is refused
 * @param indexId inode of the index
 * @param indexBytes length of the index, > 0
 * @param sha256 of the index, in hex
 * @param name of the index, a file in the directory of the file
 */
public record LayoutPointer(
    long fileId, long indexId, long indexBytes, String sha256, String name) {
  /** Name of the extended attribute, with its namespace. */
  public static final String XATTR = "user.parity.caso.layout";

  private static final Pattern TEXT =
      Pattern.compile(
          "1 ([0-9]{1,18}) ([0-9]{1,18}) ([1-9][0-9]{0,17}) ([0-9a-f]{64}) (\\.[A-Za-z0-9.-]{1,200})");

  /** As it stands in the attribute. */
  public byte[] encode() {
    String text = "1 " + fileId + " " + indexId + " " + indexBytes + " " + sha256 + " " + name;
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads an attribute.
   *
   * @param file that has it, for messages
   * @throws CorruptFormatException if it is none that {@link #encode} makes
   */
  public static LayoutPointer decode(byte[] value, String file) throws CorruptFormatException {
    Matcher m = TEXT.matcher(new String(value, StandardCharsets.UTF_8));
    if (!m.matches()) {
      throw new CorruptFormatException(
          Refusal.to("read a file in stored order")
              .value(XATTR, "damaged, or of another version")
              .expected(
                  "version 1, inodes, length, SHA-256 and name of the index; without them nobody"
                      + " knows the order, restore the attribute from a backup")
              .where("file", file)
              .message());
    }
    return new LayoutPointer(
        Long.parseLong(m.group(1)),
        Long.parseLong(m.group(2)),
        Long.parseLong(m.group(3)),
        m.group(4),
        m.group(5));
  }
}
