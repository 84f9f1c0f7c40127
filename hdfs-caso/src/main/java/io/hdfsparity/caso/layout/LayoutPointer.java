/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.layout;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.framing.CorruptFormatException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a file in stored order says of its index, in an extended attribute of its inode. It decides
 * which order a file is in, and goes with the inode through every rename and into every snapshot.
 * Where the index is follows from the inode; see {@link #indexPath}. It is there twice: the second
 * file has the same bytes, and is read by {@code hdfs caso -repair} only.
 *
 * <p>Text in UTF-8, fields separated by one blank: version (3), inode of the file, length of the
 * index file in bytes, its SHA-256 in hex, the key that it is sealed with in hex ({@code
 * SealedIndex}), the folder of the suite. Immutable.
 *
 * @param fileId inode of the file that it belongs to; any other one that has it is refused
 * @param indexBytes length of the index file, > 0
 * @param sha256 of the index file, in hex
 * @param keyHex what the index is sealed with: whoever may not read the file does not know it
 * @param folder absolute path of the suite's folder
 */
public record LayoutPointer(
    long fileId, long indexBytes, String sha256, String keyHex, String folder) {
  /** Name of the extended attribute, with its namespace. */
  public static final String XATTR = "user.parity.caso.layout";

  /** Folder of indexes in the suite's folder. */
  public static final String INDEXES = "index";

  /** Folder of their copies. */
  public static final String SPARES = "spare";

  /** A folder's path, without blanks. */
  public static final String FOLDER_PATTERN = "(?:/[\\x21-\\x2e\\x30-\\x7e]{1,255}){1,16}";

  private static final Pattern TEXT =
      Pattern.compile(
          "3 ([0-9]{1,18}) ([1-9][0-9]{0,17}) ([0-9a-f]{64}) ([0-9a-f]{32}) (%s)"
              .formatted(FOLDER_PATTERN));

  /** Path of the index of an inode: an inode has one order for ever. */
  public static String indexPath(String folder, long fileId) {
    return folder + "/" + INDEXES + "/" + fileId;
  }

  /** Path of the copy of that index. */
  public static String sparePath(String folder, long fileId) {
    return folder + "/" + SPARES + "/" + fileId;
  }

  /** Where the index is. */
  public String index() {
    return indexPath(folder, fileId);
  }

  /** Where its copy is. */
  public String spare() {
    return sparePath(folder, fileId);
  }

  /** As it stands in the attribute. */
  public byte[] encode() {
    return "3 %d %d %s %s %s"
        .formatted(fileId, indexBytes, sha256, keyHex, folder)
        .getBytes(StandardCharsets.UTF_8);
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
          ErrorMessage.to("read a file in stored order")
              .value(XATTR, "damaged, or of another version")
              .expected(
                  "version 3, inode, length, SHA-256 and key of the index, folder; a superuser gets"
                      + " it back by hdfs caso -repair")
              .where("file", file)
              .message());
    }
    return new LayoutPointer(
        Long.parseLong(m.group(1)), Long.parseLong(m.group(2)), m.group(3), m.group(4), m.group(5));
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "inode " + fileId + ", " + index() + ", " + indexBytes + " bytes, SHA-256 " + sha256;
  }
}
