/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.client.GroupReplacedException;
import io.hdfsparity.bridge.client.InternalBlocks;
import io.hdfsparity.bridge.client.UnitRead;
import io.hdfsparity.core.geometry.StripeGeometry;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.izs.codec.IzsCodec;
import io.hdfsparity.izs.codec.ZigzagCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.io.ByteBufferPool;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/** A block group in memory, whose units can be lost from the start or when they are read. */
final class MemoryGroup implements InternalBlocks, ByteBufferPool {
  final byte[] data;
  final byte[][] blocks;
  final long[] bytesRead;
  private final int dataUnits;
  private final int cellBytes;
  private final Random random;
  private final SortedMap<Integer, String> lost = new TreeMap<>();
  private final Set<Integer> failing = new HashSet<>();
  private final Set<Integer> replicated = new HashSet<>();
  private final Map<ByteBuffer, Boolean> borrowed = new IdentityHashMap<>();
  private int maxBorrowedBytes;
  private int readsUntilReplaced = Integer.MAX_VALUE;
  private int readsTogether;
  private final List<Integer> readsPerDecode = new ArrayList<>();

  MemoryGroup(ZigzagCode code, int cellBytes, int groupBytes, Random random) {
    StripeGeometry geometry =
        new StripeGeometry(code.dataColumns(), code.parityColumns(), cellBytes);
    this.random = random;
    this.data = new byte[groupBytes];
    random.nextBytes(data);
    this.blocks = new byte[geometry.totalUnits()][];
    this.bytesRead = new long[blocks.length];
    for (int unit = 0; unit < blocks.length; unit++) {
      blocks[unit] = new byte[(int) geometry.blockBytes(unit, groupBytes)];
      if (blocks[unit].length == 0) {
        // As in HDFS: it was never written.
        lost.put(unit, "nowhere");
      }
    }
    for (int at = 0; at < groupBytes; at++) {
      var cell = geometry.cellOf(at);
      blocks[cell.unitIndex()][(int) geometry.blockOffset(cell)] = data[at];
    }
    this.dataUnits = code.dataColumns();
    this.cellBytes = cellBytes;
    encode(new IzsCodec(Kernels.best(), code)::encode);
  }

  private interface Encoding {
    void encode(ByteBuffer[] data, ByteBuffer[] parity) throws IOException;
  }

  /** As if a client had written the group that takes every codec for Reed-Solomon. */
  void writeParityOfReedSolomon() {
    RawErasureEncoder coder =
        new RSRawErasureCoderFactory()
            .createEncoder(new ErasureCoderOptions(dataUnits, blocks.length - dataUnits));
    encode(coder::encode);
  }

  /** Sets bytes of the data to zero, and has parity made anew by codec izs. */
  void clearData(ZigzagCode code, int unit, int from, int to) {
    java.util.Arrays.fill(blocks[unit], from, to, (byte) 0);
    StripeGeometry geometry = new StripeGeometry(dataUnits, blocks.length - dataUnits, cellBytes);
    for (int at = 0; at < data.length; at++) {
      var cell = geometry.cellOf(at);
      data[at] = blocks[cell.unitIndex()][(int) geometry.blockOffset(cell)];
    }
    encode(new IzsCodec(Kernels.best(), code)::encode);
  }

  private void encode(Encoding encoding) {
    for (int from = 0; from < blocks[0].length; from += cellBytes) {
      encodeStripe(encoding, from, Math.min(cellBytes, blocks[0].length - from));
    }
  }

  private void encodeStripe(Encoding encoding, int from, int codewordBytes) {
    ByteBuffer[] cells = new ByteBuffer[dataUnits];
    for (int unit = 0; unit < dataUnits; unit++) {
      cells[unit] = ByteBuffer.allocate(codewordBytes);
      int present = Math.max(0, Math.min(codewordBytes, blocks[unit].length - from));
      if (present > 0) {
        cells[unit].put(blocks[unit], from, present).rewind();
      }
    }
    ByteBuffer[] parity = new ByteBuffer[blocks.length - dataUnits];
    for (int i = 0; i < parity.length; i++) {
      parity[i] = ByteBuffer.wrap(blocks[dataUnits + i]).slice(from, codewordBytes);
    }
    try {
      encoding.encode(cells, parity);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Makes a unit known to be lost. */
  void lose(int unit) {
    lost.put(unit, "lost");
  }

  /** Makes the next read of a unit fail. */
  void failWhenRead(int unit) {
    failing.add(unit);
  }

  /** Makes the next read of a unit fail, after which there is another replica of it. */
  void failOnce(int unit) {
    failing.add(unit);
    replicated.add(unit);
  }

  /** Makes another group take the place of this one after so many more calls that read. */
  void replaceAfter(int reads) {
    readsUntilReplaced = reads;
  }

  long allBytesRead() {
    return java.util.Arrays.stream(bytesRead).sum();
  }

  /** Of each computation: calls that read, whose bytes are of the same age for the stream. */
  List<Integer> readsPerDecode() {
    return List.copyOf(readsPerDecode);
  }

  int maxBorrowedBytes() {
    return maxBorrowedBytes;
  }

  int buffersOut() {
    return borrowed.size();
  }

  @Override
  public SortedMap<Integer, String> lost() {
    return new TreeMap<>(lost);
  }

  @Override
  public void beginRead() {
    readsTogether = 0;
  }

  @Override
  public Set<Integer> read(List<UnitRead> reads) throws IOException {
    readsTogether++;
    if (readsUntilReplaced-- == 0) {
      throw new GroupReplacedException("/file", 0, "blk_-16", "blk_-32");
    }
    Set<Integer> failed = new TreeSet<>();
    Set<Integer> units = new HashSet<>();
    for (UnitRead read : reads) {
      int unit = read.unit();
      assertThat(units.add(unit)).as("unit %s read twice at a time", unit).isTrue();
      assertThat(lost).doesNotContainKey(unit);
      int end = (int) read.offset() + read.lengthBytes();
      assertThat(read.offset()).isNotNegative();
      assertThat(end).isPositive().isLessThanOrEqualTo(blocks[unit].length);
      assertThat(read.readTo()).isBetween((long) end, (long) blocks[unit].length);
      boolean fails = failing.contains(unit);
      int at = (int) read.offset();
      for (ByteBuffer into : read.into()) {
        ByteBuffer buffer = into.duplicate();
        byte[] bytes = java.util.Arrays.copyOfRange(blocks[unit], at, at + buffer.remaining());
        if (fails) {
          random.nextBytes(bytes);
        }
        at += bytes.length;
        buffer.put(bytes);
      }
      bytesRead[unit] += read.lengthBytes();
      if (fails) {
        failed.add(unit);
        if (replicated.contains(unit)) {
          failing.remove(unit);
        } else {
          lost.put(unit, "failed");
        }
      }
    }
    return failed;
  }

  @Override
  public void decode(Decoding decoding) throws IOException {
    readsPerDecode.add(readsTogether);
    decoding.run();
  }

  @Override
  public ByteBufferPool pool() {
    return this;
  }

  @Override
  public ByteBuffer getBuffer(boolean direct, int length) {
    byte[] dirt = new byte[length + random.nextInt(10)];
    random.nextBytes(dirt);
    ByteBuffer buffer =
        direct ? ByteBuffer.allocateDirect(dirt.length) : ByteBuffer.allocate(dirt.length);
    buffer.put(dirt).clear();
    borrowed.put(buffer, true);
    int borrowedBytes = borrowed.keySet().stream().mapToInt(ByteBuffer::capacity).sum();
    maxBorrowedBytes = Math.max(maxBorrowedBytes, borrowedBytes);
    return buffer;
  }

  @Override
  public void putBuffer(ByteBuffer buffer) {
    assertThat(borrowed.remove(buffer)).as("a buffer that was borrowed").isNotNull();
  }
}
