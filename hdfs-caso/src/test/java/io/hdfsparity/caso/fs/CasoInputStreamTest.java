/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.caso.layout.FileOrder;
import io.hdfsparity.caso.layout.LayoutIndex;
import io.hdfsparity.caso.organize.ExchangedOrganization;
import io.hdfsparity.caso.organize.SequentialOrganization;
import io.hdfsparity.core.check.SeededRuns;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileRange;
import org.junit.jupiter.api.Test;

class CasoInputStreamTest {
  /** Bytes in memory; gives as few of those asked for as it likes. */
  private static final class MemoryStream extends FSInputStream {
    private final byte[] bytes;
    private final Random random;
    private long position;

    MemoryStream(byte[] bytes, Random random) {
      this.bytes = bytes;
      this.random = random;
    }

    @Override
    public void seek(long to) throws EOFException {
      if (to > bytes.length) {
        throw new EOFException();
      }
      position = to;
    }

    @Override
    public long getPos() {
      return position;
    }

    @Override
    public boolean seekToNewSource(long to) {
      return false;
    }

    @Override
    public int read() {
      return position == bytes.length ? -1 : bytes[(int) position++] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      int count = at(position, buffer, offset, length);
      position += Math.max(0, count);
      return count;
    }

    @Override
    public int read(long at, byte[] buffer, int offset, int length) {
      return at(at, buffer, offset, length);
    }

    private int at(long at, byte[] buffer, int offset, int length) {
      if (at >= bytes.length) {
        return -1;
      }
      int count = (int) Math.min(1 + random.nextInt(length), bytes.length - at);
      System.arraycopy(bytes, (int) at, buffer, offset, count);
      return count;
    }
  }

  private static LayoutIndex index(Random random, int length, int cellBytes) {
    int whole = length / cellBytes;
    long[] moved = new long[whole];
    Arrays.setAll(moved, i -> i);
    long[] places = moved.clone();
    for (int i = whole - 1; i > 0; i--) {
      int j = random.nextBoolean() ? i : random.nextInt(i + 1);
      long place = places[i];
      places[i] = places[j];
      places[j] = place;
    }
    return new LayoutIndex(
        "",
        cellBytes,
        3,
        2,
        length,
        "",
        FileOrder.of(
            new ExchangedOrganization(new SequentialOrganization(3), moved, places),
            length,
            cellBytes));
  }

  private static byte[] stored(byte[] bytes, FileOrder order) {
    byte[] stored = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      stored[(int) order.stored(i)] = bytes[i];
    }
    return stored;
  }

  private static FSDataInputStream open(byte[] stored, FileOrder order, Random random) {
    return new FSDataInputStream(
        new CasoInputStream(
            new FSDataInputStream(new MemoryStream(stored, random)), order, "/dir/file"));
  }

  /** All ways to read, against the bytes themselves. */
  @Test
  void readsTheOrderOfTheFile() {
    SeededRuns.of(150)
        .check(
            random -> {
              byte[] bytes = new byte[1 + random.nextInt(400)];
              random.nextBytes(bytes);
              FileOrder order = new FileOrder(index(random, bytes.length, 1 + random.nextInt(20)));
              try (FSDataInputStream in = open(stored(bytes, order), order, random)) {
                long position = 0;
                for (int step = 0; step < 60; step++) {
                  int from = random.nextInt(bytes.length + 1);
                  int count = random.nextInt(bytes.length - from + 1);
                  byte[] got = new byte[count];
                  switch (random.nextInt(5)) {
                    case 0 -> {
                      in.seek(from);
                      position = from;
                    }
                    case 1 -> {
                      in.readFully(from, got);
                      assertThat(got).isEqualTo(Arrays.copyOfRange(bytes, from, from + count));
                    }
                    case 2 -> {
                      int read = in.read();
                      assertThat(read)
                          .isEqualTo(position == bytes.length ? -1 : bytes[(int) position] & 0xff);
                      position += read < 0 ? 0 : 1;
                    }
                    case 3 -> {
                      int most = (int) Math.min(count, bytes.length - position);
                      in.readFully(got, 0, most);
                      assertThat(Arrays.copyOf(got, most))
                          .isEqualTo(
                              Arrays.copyOfRange(bytes, (int) position, (int) position + most));
                      position += most;
                    }
                    default -> vectored(in, bytes, random);
                  }
                  if (in.getPos() != position) {
                    // Undefined after a vectored read.
                    in.seek(position);
                  }
                  assertThat(in.available()).isEqualTo((int) (bytes.length - position));
                }
                in.seek(bytes.length);
                assertThat(in.read(new byte[3])).isEqualTo(-1);
                assertThat(in.read(bytes.length, new byte[3], 0, 3)).isEqualTo(-1);
                assertThat(in.read(new byte[3], 0, 0)).isZero();
              }
            });
  }

  private static void vectored(FSDataInputStream in, byte[] bytes, Random random) throws Exception {
    List<FileRange> ranges = new ArrayList<>();
    int from = 0;
    while (from < bytes.length) {
      int begin = from + random.nextInt(bytes.length - from);
      int length = 1 + random.nextInt(Math.min(40, bytes.length - begin));
      ranges.add(FileRange.createFileRange(begin, length));
      from = begin + length;
    }
    in.readVectored(ranges, ByteBuffer::allocate);
    for (FileRange range : ranges) {
      ByteBuffer data = range.getData().get(120, TimeUnit.SECONDS);
      byte[] got = new byte[data.remaining()];
      data.get(got);
      assertThat(got)
          .isEqualTo(
              Arrays.copyOfRange(
                  bytes, (int) range.getOffset(), (int) range.getOffset() + range.getLength()));
    }
  }

  @Test
  void refusesWhatIsOutside() throws IOException {
    Random random = new Random(1);
    FileOrder order = new FileOrder(index(random, 100, 8));
    FSDataInputStream in = open(stored(new byte[100], order), order, random);
    assertThatThrownBy(() -> in.seek(-1)).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> in.seek(101)).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> in.readFully(95, new byte[6])).isInstanceOf(EOFException.class);
    in.close();
    assertThatThrownBy(in::read).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> in.read(0, new byte[1], 0, 1)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> in.seek(1)).isInstanceOf(IOException.class);
  }

  /** A stored file that ends too early is an error, not the end of the file. */
  @Test
  void aStoredFileThatIsShortIsAnError() {
    Random random = new Random(2);
    FileOrder order = new FileOrder(index(random, 100, 8));
    byte[] cut = Arrays.copyOf(stored(new byte[100], order), 80);
    FSDataInputStream in = open(cut, order, random);
    assertThatThrownBy(() -> in.readFully(0, new byte[100]))
        .isInstanceOf(EOFException.class)
        .hasMessageContaining("/dir/file");
  }
}
