/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A device in memory, which can lose what was not flushed, fail, and be kept waiting. */
final class MemoryExport implements BlockExport {
  private final byte[] cached;
  private final byte[] durable;
  final AtomicInteger flushes = new AtomicInteger();
  private volatile Optional<IOException> failure = Optional.empty();
  private volatile Optional<Error> error = Optional.empty();
  private volatile CountDownLatch writesMayGoOn = new CountDownLatch(0);
  private volatile CountDownLatch zeroesMayGoOn = new CountDownLatch(0);
  final AtomicInteger held = new AtomicInteger();

  MemoryExport(int sizeBytes) {
    cached = new byte[sizeBytes];
    durable = new byte[sizeBytes];
  }

  void fail(IOException why) {
    failure = Optional.of(why);
  }

  void fail(Error why) {
    error = Optional.of(why);
  }

  void heal() {
    error = Optional.empty();
    failure = Optional.empty();
  }

  /** Writes wait for the latch from now on. */
  CountDownLatch holdWrites() {
    writesMayGoOn = new CountDownLatch(1);
    return writesMayGoOn;
  }

  /** As {@link #holdWrites}, of zeros. */
  CountDownLatch holdZeroes() {
    zeroesMayGoOn = new CountDownLatch(1);
    return zeroesMayGoOn;
  }

  synchronized byte[] durable() {
    return durable.clone();
  }

  synchronized byte[] cached() {
    return cached.clone();
  }

  private void check() throws IOException {
    if (error.isPresent()) {
      throw error.get();
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  @Override
  public long sizeBytes() {
    return cached.length;
  }

  @Override
  public void read(long offset, byte[] target) throws IOException {
    check();
    synchronized (this) {
      System.arraycopy(cached, (int) offset, target, 0, target.length);
    }
  }

  @Override
  public void write(long offset, ByteBuffer source, Durability durability) throws IOException {
    check();
    await(writesMayGoOn);
    int lengthBytes = source.remaining();
    synchronized (this) {
      source.get(cached, (int) offset, lengthBytes);
      if (durability == Durability.IMMEDIATE) {
        System.arraycopy(cached, (int) offset, durable, (int) offset, lengthBytes);
      }
    }
  }

  private void await(CountDownLatch latch) throws IOException {
    held.incrementAndGet();
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    } finally {
      held.decrementAndGet();
    }
  }

  @Override
  public void writeZeroes(long offset, long lengthBytes, Durability durability) throws IOException {
    check();
    await(zeroesMayGoOn);
    synchronized (this) {
      Arrays.fill(cached, (int) offset, (int) (offset + lengthBytes), (byte) 0);
      if (durability == Durability.IMMEDIATE) {
        Arrays.fill(durable, (int) offset, (int) (offset + lengthBytes), (byte) 0);
      }
    }
  }

  @Override
  public void flush() throws IOException {
    check();
    synchronized (this) {
      System.arraycopy(cached, 0, durable, 0, cached.length);
    }
    flushes.incrementAndGet();
  }
}
