/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.sim.RegisterHistory;
import java.nio.ByteBuffer;
import java.util.Random;

/**
 * Every byte of a file as a register of its own, written and read by threads. Thread-safe; time is
 * the order of its calls.
 */
final class FileHistories {
  private static final int MAX_BYTES = 150;

  private final byte[] initial;
  private final RegisterHistory[] histories;
  private final int[] written;
  private long now;

  FileHistories(byte[] initial) {
    this.initial = initial;
    histories = new RegisterHistory[initial.length];
    written = new int[initial.length];
    for (int at = 0; at < initial.length; at++) {
      histories[at] = new RegisterHistory(initial[at] & 0xff);
    }
  }

  /** Values never written before; their write begins now. */
  synchronized byte[] beginWrite(int from, int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    now++;
    for (int i = 0; i < lengthBytes; i++) {
      int count = ++written[from + i];
      if (count > 255) {
        throw new IllegalStateException("No value is left for a byte: write less");
      }
      int value = (initial[from + i] & 0xff) ^ count;
      bytes[i] = (byte) value;
      histories[from + i].writeBegan(value, now);
    }
    return bytes;
  }

  synchronized void endWrite(int from, byte[] bytes) {
    now++;
    for (int i = 0; i < bytes.length; i++) {
      histories[from + i].writeEnded(bytes[i] & 0xff, now);
    }
  }

  synchronized long beginRead() {
    return ++now;
  }

  synchronized void endRead(int from, byte[] bytes, long began) {
    now++;
    for (int i = 0; i < bytes.length; i++) {
      histories[from + i].read(bytes[i] & 0xff, began, now);
    }
  }

  synchronized void check() {
    for (int at = 0; at < histories.length; at++) {
      histories[at].check("byte " + at);
    }
  }

  /** A place to read or write. */
  int place(Random random) {
    return random.nextInt(initial.length);
  }

  int length() {
    return initial.length;
  }

  /**
   * Reads or writes somewhere, once; with a cache, what was written is read before it is durable.
   */
  void operate(StripedFileUpdater updater, Random random, boolean isCached) throws Exception {
    int from = place(random);
    int length = 1 + random.nextInt(Math.min(MAX_BYTES, length() - from));
    if (random.nextInt(10) < 4) {
      read(updater, from, length);
      return;
    }
    byte[] bytes = beginWrite(from, length);
    updater.write(from, ByteBuffer.wrap(bytes));
    if (isCached) {
      read(updater, from, length);
      updater.flush();
    }
    endWrite(from, bytes);
  }

  void read(StripedFileUpdater updater, int from, int length) throws Exception {
    long began = beginRead();
    ByteBuffer target = ByteBuffer.allocate(length);
    assertThat(updater.read(from, target)).isEqualTo(length);
    endRead(from, target.array(), began);
  }
}
