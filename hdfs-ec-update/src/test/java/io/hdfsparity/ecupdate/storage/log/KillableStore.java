/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.core.store.StoreCrashedException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A store whose process can be killed. Unlike a crash of the machine that leaves all that was
 * written to be read, forced or not; a crash that comes later may take it away.
 */
public final class KillableStore implements ByteStore {
  private final ByteStore delegate;
  private long changes;
  private long killAt = Long.MAX_VALUE;
  private boolean isKilled;

  public KillableStore(ByteStore delegate) {
    this.delegate = delegate;
  }

  /** Kills at the n-th write or force from now: that write is there, that force is not made. */
  public synchronized void killAtChange(long n) {
    killAt = changes + n;
  }

  public synchronized void kill() {
    isKilled = true;
  }

  public synchronized boolean isKilled() {
    return isKilled;
  }

  private void checkAlive() throws StoreCrashedException {
    if (isKilled) {
      throw new StoreCrashedException("The process was killed");
    }
  }

  private void countChange() throws StoreCrashedException {
    if (++changes == killAt) {
      isKilled = true;
      checkAlive();
    }
  }

  @Override
  public long sizeBytes() {
    return delegate.sizeBytes();
  }

  @Override
  public synchronized void read(long offset, ByteBuffer dst) throws IOException {
    checkAlive();
    delegate.read(offset, dst);
  }

  @Override
  public synchronized void write(long offset, ByteBuffer src) throws IOException {
    checkAlive();
    delegate.write(offset, src);
    countChange();
  }

  @Override
  public synchronized void sync(long offset, long lengthBytes) throws IOException {
    checkAlive();
    countChange();
    delegate.sync(offset, lengthBytes);
  }

  @Override
  public void close() {}
}
