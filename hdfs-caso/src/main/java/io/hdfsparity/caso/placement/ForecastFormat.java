/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.placement;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.HeaderFormat;
import java.nio.ByteBuffer;

/**
 * A forecast as it stands in an extended attribute. Big-endian; docs/formats/caso-forecast.md has
 * the same.
 *
 * <pre>
 * offset  bytes  field
 * 0       8      magic "CASOFCST"
 * 8       4      version, 1
 * 12      4      bytes, with the CRC
 * 16      2      o
 * 18      o      the inode that has it, "inode N" in UTF-8
 * 18 + o  4      block groups g
 * 22 + o  1      s: one value stands for 2^s groups, 0 to 30
 * 23 + o  8      u: thousandths of an update a day that a value counts in
 * 31 + o  2v     values, v = ceil(g / 2^s), each 0 to 65535
 * end     4      CRC32C of all bytes before it
 * </pre>
 *
 * <p>So it has some 4 KiB at most: of a file with more than 2048 groups, a value is the average of
 * neighbours. Stateless, thread-safe.
 */
public final class ForecastFormat {
  /** Maximum number of values, so that it fits into an attribute. */
  static final int MAX_VALUES = 2048;

  private static final int MAX_VALUE = 0xffff;
  private static final int MAX_SHIFT = 30;
  private static final int FIXED_BYTES = Integer.BYTES + Byte.BYTES + Long.BYTES;
  private static final HeaderFormat HEADER = new HeaderFormat("CASOFCST", 1, 1);

  private ForecastFormat() {}

  /**
   * Writes one.
   *
   * @param fileId the inode that it is for
   */
  public static byte[] encode(ParityForecast forecast, long fileId) {
    int groups = forecast.groupCount();
    int shift = 0;
    while (values(groups, shift) > MAX_VALUES) {
      shift++;
    }
    long[] rates = new long[values(groups, shift)];
    long highest = 0;
    for (int i = 0; i < rates.length; i++) {
      rates[i] = average(forecast, i << shift, Math.min(groups, (i + 1) << shift));
      highest = Math.max(highest, rates[i]);
    }
    long unit = Math.max(1, (highest + MAX_VALUE - 1) / MAX_VALUE);
    ByteBuffer payload = ByteBuffer.allocate(FIXED_BYTES + Short.BYTES * rates.length);
    payload.putInt(groups).put((byte) shift).putLong(unit);
    for (long rate : rates) {
      payload.putShort((short) ((rate + unit / 2) / unit));
    }
    ByteBuffer all = HEADER.encode(owner(fileId), payload.flip());
    byte[] bytes = new byte[all.remaining()];
    all.get(bytes);
    return bytes;
  }

  private static int values(int groups, int shift) {
    return (int) ((groups + (1L << shift) - 1) >>> shift);
  }

  private static long average(ParityForecast forecast, int from, int to) {
    long sum = 0;
    for (int group = from; group < to; group++) {
      sum += forecast.milliUpdatesPerDay(group);
    }
    return sum / (to - from);
  }

  private static String owner(long fileId) {
    return "inode " + fileId;
  }

  /**
   * Reads one group's figure, in thousandths of an update a day; 0 for groups beyond the last one.
   *
   * @param fileId the inode that has it
   * @param group number in the file, >= 0
   * @throws FormatException if it is damaged, of another version, or another inode's
   */
  public static long milliUpdatesPerDay(byte[] bytes, long fileId, int group)
      throws FormatException {
    String place = owner(fileId);
    ByteBuffer src = ByteBuffer.wrap(bytes);
    ByteBuffer payload = HEADER.decode(src, owner(fileId), place).payload();
    if (src.hasRemaining() || payload.remaining() < FIXED_BYTES) {
      throw corrupt(
          "bytes", bytes.length, "one header of " + FIXED_BYTES + " bytes or more", place);
    }
    int groups = payload.getInt();
    int shift = payload.get();
    long unit = payload.getLong();
    if (groups < 0 || shift < 0 || shift > MAX_SHIFT) {
      throw corrupt("groups and shift", groups + " " + shift, "0.. and 0.." + MAX_SHIFT, place);
    }
    if (unit < 1 || unit > ParityForecast.MAX_RATE) {
      throw corrupt("unit", unit, "1.." + ParityForecast.MAX_RATE, place);
    }
    int values = values(groups, shift);
    if (payload.remaining() != (long) Short.BYTES * values) {
      throw corrupt("values", payload.remaining() / Short.BYTES, values, place);
    }
    if (group >= groups) {
      return 0;
    }
    int at = payload.position() + Short.BYTES * (group >> shift);
    return Math.min(ParityForecast.MAX_RATE, unit * Short.toUnsignedInt(payload.getShort(at)));
  }

  private static CorruptFormatException corrupt(
      String name, Object value, Object rule, String place) {
    return new CorruptFormatException(
        ErrorMessage.to("read a forecast")
            .value(name, value)
            .expected(rule)
            .where("at", place)
            .message());
  }
}
