/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.framing;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.ErrorMessage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The header of a file: what it is, which version, whose, and a payload that only its format
 * understands. Big-endian.
 *
 * <pre>
 * offset            bytes  field
 * 0                 8      magic          ASCII, padded with spaces
 * 8                 4      version        of the format, from 1
 * 12                4      headerBytes    the whole header with its CRC
 * 16                2      ownerBytes     n
 * 18                n      owner          UTF-8
 * 18 + n            p      payload        p = headerBytes - n - 22
 * headerBytes - 4   4      crc32c         of all bytes before it
 * </pre>
 *
 * <p>Magic, version, headerBytes and the place of the CRC are the same in every version there will
 * be. So a header is checked in this order, and each failure is an exception of its own: magic
 * ({@link NotOursException}), CRC ({@link CorruptFormatException}), version ({@link
 * TooOldException}, {@link TooNewException}), owner ({@link ForeignOwnerException}). Immutable,
 * thread-safe.
 */
public final class HeaderFormat {
  /** Bytes of the magic. */
  public static final int MAGIC_BYTES = 8;

  /** Longest header; a larger length in a file is damage. */
  public static final int MAX_HEADER_BYTES = 1 << 16;

  private static final int VERSION_OFFSET = MAGIC_BYTES;
  private static final int HEADER_BYTES_OFFSET = VERSION_OFFSET + Integer.BYTES;
  private static final int OWNER_BYTES_OFFSET = HEADER_BYTES_OFFSET + Integer.BYTES;
  private static final int OWNER_OFFSET = OWNER_BYTES_OFFSET + Short.BYTES;
  private static final int CRC_BYTES = Integer.BYTES;

  /** Size of a header without owner and payload. */
  public static final int MIN_HEADER_BYTES = OWNER_OFFSET + CRC_BYTES;

  private final byte[] magic;
  private final int oldestVersion;
  private final int newestVersion;

  /**
   * A format.
   *
   * @param magic 1 to 8 ASCII characters
   * @param oldestVersion oldest version that is read
   * @param newestVersion newest version that is read, and the one written
   */
  public HeaderFormat(String magic, int oldestVersion, int newestVersion) {
    Checks.argument(
        magic.matches("[!-~]{1," + MAGIC_BYTES + "}"),
        "define a format",
        "magic",
        magic,
        "1 to 8 ASCII characters");
    Checks.argument(
        oldestVersion > 0 && oldestVersion <= newestVersion,
        "define a format",
        "oldestVersion",
        oldestVersion,
        "1.." + newestVersion);
    this.magic = String.format("%-" + MAGIC_BYTES + "s", magic).getBytes(StandardCharsets.US_ASCII);
    this.oldestVersion = oldestVersion;
    this.newestVersion = newestVersion;
  }

  /**
   * A header that was read and found good.
   *
   * @param version of the format
   * @param owner whose it is
   * @param payload read-only, big-endian, from 0 to its limit
   * @param headerBytes size of the whole header: where the file goes on
   */
  public record Header(int version, String owner, ByteBuffer payload, int headerBytes) {}

  /**
   * Writes a header of the newest version.
   *
   * @param payload used from position to limit, which stay
   * @return the header, from 0 to its limit
   */
  public ByteBuffer encode(String owner, ByteBuffer payload) {
    byte[] ownerBytes = owner.getBytes(StandardCharsets.UTF_8);
    long headerBytes = (long) MIN_HEADER_BYTES + ownerBytes.length + payload.remaining();
    Checks.argument(
        headerBytes <= MAX_HEADER_BYTES,
        "write a header",
        "headerBytes",
        headerBytes,
        "<= " + MAX_HEADER_BYTES);
    ByteBuffer header = ByteBuffer.allocate((int) headerBytes);
    header.put(magic).putInt(newestVersion).putInt((int) headerBytes);
    header.putShort((short) ownerBytes.length).put(ownerBytes).put(payload.duplicate());
    header.putInt(crc(header, 0, header.position()));
    return header.flip();
  }

  /**
   * Reads and checks a header at the position of {@code src}, which moves behind it.
   *
   * @param owner whose it must be
   * @param place for messages: file and offset
   * @throws FormatException the subclass says what is wrong; {@code src} is unchanged then
   */
  public Header decode(ByteBuffer src, String owner, String place) throws FormatException {
    Header header = decode(src.duplicate(), place);
    if (!header.owner().equals(owner)) {
      throw new ForeignOwnerException(
          refusal(place).value("owner", header.owner()).expected(owner).message());
    }
    src.position(src.position() + header.headerBytes());
    return header;
  }

  /** As {@link #decode(ByteBuffer, String, String)}, whoever owns it. */
  public Header decode(ByteBuffer src, String place) throws FormatException {
    ByteBuffer header = src.slice().order(ByteOrder.BIG_ENDIAN);
    checkMagic(header, place);
    int headerBytes = checkedHeaderBytes(header, place);
    int version = header.getInt(VERSION_OFFSET);
    int storedCrc = header.getInt(headerBytes - CRC_BYTES);
    int crc = crc(header, 0, headerBytes - CRC_BYTES);
    if (crc != storedCrc) {
      throw corrupt(place, "crc32c", hex(storedCrc), hex(crc));
    }
    if (version < oldestVersion) {
      throw new TooOldException(
          refusal(place).value("version", version).expected(versionRange()).message());
    }
    if (version > newestVersion) {
      throw new TooNewException(
          refusal(place).value("version", version).expected(versionRange()).message());
    }
    int ownerBytes = Short.toUnsignedInt(header.getShort(OWNER_BYTES_OFFSET));
    int payloadBytes = headerBytes - MIN_HEADER_BYTES - ownerBytes;
    if (payloadBytes < 0) {
      throw corrupt(place, "ownerBytes", ownerBytes, "<= headerBytes=" + headerBytes);
    }
    byte[] owner = new byte[ownerBytes];
    header.get(OWNER_OFFSET, owner);
    byte[] payload = new byte[payloadBytes];
    header.get(OWNER_OFFSET + ownerBytes, payload);
    src.position(src.position() + headerBytes);
    return new Header(
        version,
        new String(owner, StandardCharsets.UTF_8),
        ByteBuffer.wrap(payload).asReadOnlyBuffer(),
        headerBytes);
  }

  private void checkMagic(ByteBuffer header, String place) throws FormatException {
    byte[] found = new byte[Math.min(MAGIC_BYTES, header.limit())];
    header.get(0, found);
    if (!Arrays.equals(found, magic)) {
      throw new NotOursException(
          refusal(place).value("magic", printable(found)).expected(printable(magic)).message());
    }
  }

  private int checkedHeaderBytes(ByteBuffer header, String place) throws FormatException {
    if (header.limit() < MIN_HEADER_BYTES) {
      throw corrupt(place, "bytes", header.limit(), ">= " + MIN_HEADER_BYTES);
    }
    int headerBytes = header.getInt(HEADER_BYTES_OFFSET);
    int limit = Math.min(MAX_HEADER_BYTES, header.limit());
    if (headerBytes < MIN_HEADER_BYTES || headerBytes > limit) {
      throw corrupt(place, "headerBytes", headerBytes, MIN_HEADER_BYTES + ".." + limit);
    }
    return headerBytes;
  }

  private String versionRange() {
    return oldestVersion + ".." + newestVersion;
  }

  private ErrorMessage refusal(String place) {
    return ErrorMessage.to("read header of " + printable(magic)).where("at", place);
  }

  private CorruptFormatException corrupt(String place, String name, Object value, Object rule) {
    return new CorruptFormatException(refusal(place).value(name, value).expected(rule).message());
  }

  static String hex(int value) {
    return "0x" + Integer.toHexString(value);
  }

  static int crc(ByteBuffer bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().clear().limit(to).position(from));
    return (int) crc.getValue();
  }

  private static String printable(byte[] magic) {
    return new String(magic, StandardCharsets.ISO_8859_1).replaceAll("[^!-~ ]", "?").strip();
  }
}
