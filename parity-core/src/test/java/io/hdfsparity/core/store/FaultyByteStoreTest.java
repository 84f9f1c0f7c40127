/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.store;

import static io.hdfsparity.core.store.FaultyByteStore.Fault;
import static io.hdfsparity.core.store.FaultyByteStore.Operation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FaultyByteStoreTest {
  private final CrashableByteStore inner = CrashableByteStore.ofSize(100, 1);
  private final FaultyByteStore store = new FaultyByteStore(inner, new Random(1));

  private static ByteBuffer ones(int length) {
    byte[] bytes = new byte[length];
    java.util.Arrays.fill(bytes, (byte) 1);
    return ByteBuffer.wrap(bytes);
  }

  private static int differentBits(byte[] content, int value) {
    int bits = 0;
    for (byte b : content) {
      bits += Integer.bitCount((b ^ value) & 0xff);
    }
    return bits;
  }

  @Test
  void onlyThePlannedCallsFail() throws Exception {
    store.plan(Operation.WRITE, Fault.FAIL, 2, 2);
    store.write(0, ones(10));
    assertThatThrownBy(() -> store.write(0, ones(10))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> store.write(0, ones(10)))
        .hasMessage("Cannot write: fault=injected, expected none, offset=0");
    store.write(10, ones(10));
    assertThat(store.count(Operation.WRITE)).isEqualTo(4);
    assertThat(inner.writes()).isEqualTo(2);
  }

  @Test
  void shortReadsAndWritesDoHalf() throws Exception {
    store.plan(Operation.WRITE, Fault.SHORT, 1).plan(Operation.READ, Fault.SHORT, 2);
    assertThatThrownBy(() -> store.write(0, ones(100))).isInstanceOf(IOException.class);
    assertThat(differentBits(inner.content(), 0)).isEqualTo(50);
    ByteBuffer all = ByteBuffer.allocate(100);
    store.read(0, all);
    ByteBuffer half = ByteBuffer.allocate(100);
    assertThatThrownBy(() -> store.read(0, half)).isInstanceOf(EOFException.class);
    assertThat(half.position()).isEqualTo(50);
    assertThat(half.limit()).isEqualTo(100);
  }

  @Test
  void flippedBitsAreSilent() throws Exception {
    store.plan(Operation.READ, Fault.FLIP_BIT, 1).plan(Operation.WRITE, Fault.FLIP_BIT, 1);
    ByteBuffer read = ByteBuffer.allocate(100);
    store.read(0, read);
    assertThat(differentBits(read.array(), 0)).isEqualTo(1);
    assertThat(differentBits(inner.content(), 0)).isZero();
    store.write(0, ones(100));
    assertThat(differentBits(inner.content(), 1)).isEqualTo(1);
  }

  @Test
  void lostWritesAndSyncsReportSuccess() throws Exception {
    store.plan(Operation.WRITE, Fault.LOSE, 1).plan(Operation.SYNC, Fault.LOSE, 1);
    ByteBuffer src = ones(10);
    store.write(0, src);
    assertThat(src.hasRemaining()).isFalse();
    store.sync(0, 100);
    assertThat(inner.writes()).isZero();
    assertThat(inner.syncs()).isZero();
  }

  @Test
  void syncsFailAndHeal() throws Exception {
    store.plan(Operation.SYNC, Fault.FAIL, 1, 100);
    assertThatThrownBy(() -> store.sync(0, 1)).isInstanceOf(IOException.class);
    store.heal();
    store.sync(0, 1);
    assertThat(inner.syncs()).isEqualTo(1);
    assertThatThrownBy(() -> store.plan(Operation.SYNC, Fault.FLIP_BIT, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store.plan(Operation.READ, Fault.LOSE, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
