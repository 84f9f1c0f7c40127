/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import java.util.Arrays;

/**
 * What a file must hold that is written at any place: its bytes, in memory. Thread-safe, but for
 * who reads while a write is not known to be done.
 */
final class Volume implements Content {
  private final byte[] bytes;

  /** Filled from a seed. */
  Volume(int lengthBytes, long seed) {
    this(new SeededContent(seed, lengthBytes).read(0, lengthBytes));
  }

  private Volume(byte[] bytes) {
    this.bytes = bytes;
  }

  /** One that is changed by itself. */
  synchronized Volume copy() {
    return new Volume(bytes.clone());
  }

  synchronized void write(long position, byte[] written) {
    System.arraycopy(written, 0, bytes, Math.toIntExact(position), written.length);
  }

  @Override
  public long lengthBytes() {
    return bytes.length;
  }

  @Override
  public synchronized byte[] read(long position, int length) {
    int from = Math.toIntExact(position);
    return Arrays.copyOfRange(bytes, from, from + length);
  }
}
