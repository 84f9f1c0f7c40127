/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Names an update session. Random, so that no NameNode gives the number of another's session.
 * Immutable.
 */
public record SessionId(long value) implements Comparable<SessionId> {
  private static final String MARK = "hdfsparity-update:";
  private static final int DIGITS = 16;
  private static final int RADIX = 16;

  /** What block tokens of the session have inside, so that they are of no use after it. */
  public byte[] mark() {
    return (MARK + this).getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * The session's part of AJX's client numbers, 1 to {@link Integer#MAX_VALUE}. Two sessions may
   * share it, by a small chance.
   */
  public int number() {
    return Math.max(1, (int) (value & Integer.MAX_VALUE));
  }

  /**
   * Whether a number of an AJX client is one of the session's: {@link #number} and 32 bits.
   *
   * @param client as the client has sent it
   */
  public boolean isClient(long client) {
    return client >>> 32 == number();
  }

  /** The session of a mark, whatever follows in it; empty when it is none of ours. */
  public static Optional<SessionId> ofMark(byte[] mark) {
    String text = new String(mark, StandardCharsets.ISO_8859_1);
    int end = MARK.length() + DIGITS;
    if (!text.startsWith(MARK) || text.length() < end) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new SessionId(Long.parseUnsignedLong(text.substring(MARK.length(), end), RADIX)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  @Override
  public int compareTo(SessionId other) {
    return Long.compareUnsigned(value, other.value);
  }

  @Override
  public String toString() {
    return String.format("%016x", value);
  }
}
