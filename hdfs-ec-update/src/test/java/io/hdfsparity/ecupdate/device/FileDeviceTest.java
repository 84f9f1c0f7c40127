/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ecupdate.device.DeviceOptions.Caching;
import io.hdfsparity.ecupdate.nbd.BlockExport.Durability;
import io.hdfsparity.ecupdate.updater.SessionOverException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests whose session ends, on a file in memory. */
@Timeout(60)
class FileDeviceTest {
  private static final int SIZE = 3 << 20;

  /** What is durable, whoever has it open. */
  private final byte[] durable = new byte[SIZE];

  /** What opening it fails with, in turn. */
  private final Deque<IOException> hindrances = new ArrayDeque<>();

  private int opened;
  private MemoryFile last = new MemoryFile(Caching.WRITE_THROUGH);

  /** A session, with a cache or not. */
  private final class MemoryFile implements DeviceFile {
    private final Caching caching;
    private final byte[] cached = durable.clone();
    private Optional<IOException> failure = Optional.empty();
    private int failures;
    private boolean isClosed;

    MemoryFile(Caching caching) {
      this.caching = caching;
    }

    void failFor(int requests, IOException why) {
      failures = requests;
      failure = Optional.of(why);
    }

    private void check() throws IOException {
      if (isClosed) {
        throw new IOException("closed");
      }
      if (failures > 0) {
        failures--;
        throw failure.orElseThrow();
      }
    }

    @Override
    public long lengthBytes() {
      return SIZE;
    }

    @Override
    public CompletableFuture<byte[]> readAsync(long position, int lengthBytes) throws IOException {
      check();
      return CompletableFuture.completedFuture(
          Arrays.copyOfRange(cached, (int) position, (int) position + lengthBytes));
    }

    @Override
    public CompletableFuture<Void> writeAsync(long position, ByteBuffer source) {
      try {
        check();
      } catch (IOException e) {
        return CompletableFuture.failedFuture(e);
      }
      int lengthBytes = source.remaining();
      source.get(cached, (int) position, lengthBytes);
      if (caching == Caching.WRITE_THROUGH) {
        System.arraycopy(cached, (int) position, durable, (int) position, lengthBytes);
      }
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void flush() throws IOException {
      check();
      System.arraycopy(cached, 0, durable, 0, SIZE);
    }

    @Override
    public void close() throws IOException {
      check();
      isClosed = true;
    }
  }

  private FileDevice device(Caching caching, long retryMs) throws IOException {
    return FileDevice.open(
        () -> {
          IOException hindrance = hindrances.poll();
          if (hindrance != null) {
            throw hindrance;
          }
          opened++;
          last = new MemoryFile(caching);
          return last;
        },
        new DeviceOptions(caching, retryMs, 1));
  }

  private static IOException over() {
    // As a stripe says it that was being written.
    return new IOException(
        "Cannot continue", new SessionOverException("the NameNode was restarted"));
  }

  @Test
  void theLastFlushIsTriedAgain() throws IOException {
    FileDevice device = device(Caching.WRITE_BACK, 60_000);
    device.write(7, ByteBuffer.wrap(new byte[] {1, 2, 3}), Durability.DEFERRED);
    last.failFor(2, new IOException("a DataNode restarts"));
    device.close();
    assertThat(Arrays.copyOfRange(durable, 7, 10)).containsExactly(1, 2, 3);
    assertThat(last.isClosed).isTrue();
  }

  @Test
  void bytesAreWrittenZeroedAndRead() throws IOException {
    try (FileDevice device = device(Caching.WRITE_THROUGH, 0)) {
      assertThat(device.sizeBytes()).isEqualTo(SIZE);
      byte[] ones = new byte[SIZE];
      Arrays.fill(ones, (byte) 1);
      device.write(0, ByteBuffer.wrap(ones), Durability.DEFERRED);
      device.writeZeroes(5, SIZE - 10, Durability.DEFERRED);
      byte[] read = new byte[SIZE - 10];
      device.read(5, read);
      assertThat(read).containsOnly(0);
      assertThat(durable[4]).isEqualTo((byte) 1);
      assertThat(durable[SIZE - 5]).isEqualTo((byte) 1);
    }
  }

  @Test
  void aRequestGoesOnInAnotherSession() throws IOException {
    FileDevice device = device(Caching.WRITE_THROUGH, 60_000);
    last.failFor(2, over());
    hindrances.add(new IOException("in use"));
    hindrances.add(new IOException("in use"));
    device.write(10, ByteBuffer.wrap(new byte[] {1, 2}), Durability.DEFERRED);
    assertThat(opened).isEqualTo(2);
    assertThat(durable[11]).isEqualTo((byte) 2);
    last.failFor(2, over());
    byte[] read = new byte[2];
    device.read(10, read);
    assertThat(read).containsExactly(1, 2);
    assertThat(opened).isEqualTo(3);
    device.close();
  }

  @Test
  void aFailureOfTheSameSessionIsTriedAgainInIt() throws IOException {
    FileDevice device = device(Caching.WRITE_THROUGH, 60_000);
    last.failFor(3, new IOException("a DataNode is down"));
    device.write(10, ByteBuffer.wrap(new byte[] {1}), Durability.DEFERRED);
    assertThat(opened).isEqualTo(1);
    assertThat(durable[10]).isEqualTo((byte) 1);
  }

  @Test
  void inTheEndTheFailureIsTold() throws IOException {
    FileDevice device = device(Caching.WRITE_THROUGH, 20);
    last.failFor(Integer.MAX_VALUE, new IOException("a DataNode is down"));
    assertThatThrownBy(() -> device.read(0, new byte[1])).hasMessageContaining("DataNode is down");
    last.failFor(0, over());
    device.read(0, new byte[1]);
  }

  @Test
  void anotherFileIsNotTakenForTheDevice() throws IOException {
    FileDevice device = device(Caching.WRITE_THROUGH, 60_000);
    last.failFor(2, over());
    hindrances.add(new FileChangedException("inode=2, expected 1"));
    assertThatThrownBy(() -> device.write(0, ByteBuffer.allocate(1), Durability.DEFERRED))
        .hasMessageContaining("inode=2");
    assertThat(device.isLost()).isTrue();
    assertThatThrownBy(() -> device.read(0, new byte[1])).hasMessageContaining("inode=2");
    assertThat(opened).isEqualTo(1);
  }

  @Test
  void aCacheIsFlushedByFlushAndByWritesThatMustBeDurable() throws IOException {
    FileDevice device = device(Caching.WRITE_BACK, 0);
    device.write(10, ByteBuffer.wrap(new byte[] {1}), Durability.DEFERRED);
    assertThat(durable[10]).isZero();
    device.flush();
    assertThat(durable[10]).isEqualTo((byte) 1);
    device.write(11, ByteBuffer.wrap(new byte[] {2}), Durability.IMMEDIATE);
    assertThat(durable[11]).isEqualTo((byte) 2);
    device.writeZeroes(10, 2, Durability.IMMEDIATE);
    assertThat(durable[11]).isZero();
  }

  /** No client may go on as if its writes were there. */
  @Test
  void aCacheThatIsLostIsTheEnd() throws IOException {
    FileDevice device = device(Caching.WRITE_BACK, 60_000);
    device.write(10, ByteBuffer.wrap(new byte[] {1}), Durability.DEFERRED);
    last.failFor(1, over());
    assertThatThrownBy(() -> device.read(10, new byte[1])).hasMessageContaining("not flushed");
    assertThat(device.isLost()).isTrue();
    assertThatThrownBy(() -> device.write(0, ByteBuffer.allocate(1), Durability.IMMEDIATE))
        .hasMessageContaining("not flushed");
    assertThatThrownBy(device::flush).hasMessageContaining("not flushed");
    assertThatThrownBy(device::close).hasMessageContaining("not flushed");
    assertThat(opened).isEqualTo(1);
  }

  @Test
  void aCacheThatWasFlushedLosesNothing() throws IOException {
    FileDevice device = device(Caching.WRITE_BACK, 60_000);
    device.write(10, ByteBuffer.wrap(new byte[] {1}), Durability.DEFERRED);
    device.flush();
    last.failFor(2, over());
    device.write(11, ByteBuffer.wrap(new byte[] {2}), Durability.DEFERRED);
    assertThat(opened).isEqualTo(2);
    byte[] read = new byte[2];
    device.read(10, read);
    assertThat(read).containsExactly(1, 2);
    assertThat(durable[11]).isZero();
    device.flush();
    assertThat(durable[11]).isEqualTo((byte) 2);
  }
}
