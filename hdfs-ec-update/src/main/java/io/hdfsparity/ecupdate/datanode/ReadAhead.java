/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import java.io.IOException;

/**
 * Reads more than is asked for where a reader continues from where it was: a BlockSender asks for
 * checksums and bytes of the same place in turn, a few KB at a time, and each read of a version
 * opens files and asks several layers. For bytes that do not change, and one thread at a time.
 */
final class ReadAhead {
  /** Kept for each open reader, at most, beyond what it asks for at once. */
  static final int MAX_BYTES = 1 << 17;

  private static final int FIRST_BYTES = 1 << 15;

  /** Where they come from. */
  @FunctionalInterface
  interface Reader {
    byte[] read(int offset, int lengthBytes) throws IOException;
  }

  private final Reader reader;
  private final int endBytes;
  private byte[] window = new byte[0];
  private int windowFrom = -1;
  private int aheadBytes;

  /**
   * @param endBytes how many there are
   */
  ReadAhead(Reader reader, int endBytes) {
    this.reader = reader;
    this.endBytes = endBytes;
  }

  /**
   * Copies bytes that must be there.
   *
   * @throws IOException if they cannot be read; what cannot be read behind them is no matter
   */
  void read(int from, int lengthBytes, byte[] into, int offset) throws IOException {
    if (from < windowFrom || from + lengthBytes > windowFrom + window.length) {
      fill(from, lengthBytes);
    }
    System.arraycopy(window, from - windowFrom, into, offset, lengthBytes);
  }

  private void fill(int from, int lengthBytes) throws IOException {
    boolean goesOn = windowFrom >= 0 && from >= windowFrom && from <= windowFrom + window.length;
    aheadBytes = goesOn ? Math.min(Math.max(2 * aheadBytes, FIRST_BYTES), MAX_BYTES) : 0;
    int wanted = Math.min(Math.max(lengthBytes, aheadBytes), endBytes - from);
    byte[] read;
    try {
      read = reader.read(from, wanted);
    } catch (IOException e) {
      if (wanted == lengthBytes) {
        throw e;
      }
      // It may be what nobody has asked for: damage, or a part of a copy that is not filled yet.
      aheadBytes = 0;
      read = reader.read(from, lengthBytes);
    }
    window = read;
    windowFrom = from;
  }
}
