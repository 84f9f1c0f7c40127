/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.layout;

import io.hdfsparity.core.check.Refusal;
import io.hdfsparity.core.framing.CorruptFormatException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a file in stored order says of its index, in an extended attribute of its inode. Index files
 * are written once, under a name that nothing had before, so this is what decides which order a
 * file is in; it goes with the inode through every rename. The index is there twice: the second
 * file has the same bytes, and is read by {@code hdfs caso -repair} only.
 *
 * <p>Text in UTF-8, fields separated by one blank: version (2), inode of the file, inode of its
 * index, length of the index in bytes, SHA-256 of the index in hex, name of the index in the
 * directory of the file, inode and name of the copy of the index. Version 1 ends before the copy,
 * and has none. Immutable.
 *
 * @param fileId inode of the file that it belongs to; any other one that has it is refused
 * @param index where the index is
 * @param indexBytes length of the index, > 0
 * @param sha256 of the index, in hex
 * @param copy where the copy of the index is
 */
public record LayoutPointer(
    long fileId, Place index, long indexBytes, String sha256, Optional<Place> copy) {
  /** Name of the extended attribute, with its namespace. */
  public static final String XATTR = "user.parity.caso.layout";

  private static final String NUMBER = "([0-9]{1,18})";
  private static final String NAME = "(\\.[A-Za-z0-9.-]{1,200})";
  private static final Pattern TEXT =
      Pattern.compile(
          "([12]) %1$s %1$s ([1-9][0-9]{0,17}) ([0-9a-f]{64}) %2$s(?: %1$s %2$s)?"
              .formatted(NUMBER, NAME));

  /**
   * Where a file of ours is.
   *
   * @param inodeId that it had when it was made
   * @param name in the directory of the file that it belongs to
   */
  public record Place(long inodeId, String name) {}

  /** As it stands in the attribute. */
  public byte[] encode() {
    String text =
        "%d %d %d %d %s %s"
            .formatted(
                copy.isPresent() ? 2 : 1,
                fileId,
                index.inodeId(),
                indexBytes,
                sha256,
                index.name());
    String more = copy.map(c -> " " + c.inodeId() + " " + c.name()).orElse("");
    return (text + more).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads an attribute.
   *
   * @param file that has it, for messages
   * @throws CorruptFormatException if it is none that {@link #encode} makes
   */
  public static LayoutPointer decode(byte[] value, String file) throws CorruptFormatException {
    Matcher m = TEXT.matcher(new String(value, StandardCharsets.UTF_8));
    if (!m.matches() || (m.group(1).equals("2") != (m.group(7) != null))) {
      throw new CorruptFormatException(
          Refusal.to("read a file in stored order")
              .value(XATTR, "damaged, or of another version")
              .expected(
                  "version 1 or 2, inodes, length, SHA-256 and names of the index and its copy;"
                      + " without them nobody knows the order, restore the attribute from a backup")
              .where("file", file)
              .message());
    }
    return new LayoutPointer(
        Long.parseLong(m.group(2)),
        new Place(Long.parseLong(m.group(3)), m.group(6)),
        Long.parseLong(m.group(4)),
        m.group(5),
        m.group(7) == null
            ? Optional.empty()
            : Optional.of(new Place(Long.parseLong(m.group(7)), m.group(8))));
  }
}
