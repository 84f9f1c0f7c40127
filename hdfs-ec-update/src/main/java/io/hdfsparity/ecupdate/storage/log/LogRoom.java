/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

/**
 * Room for one change; to be closed whether it was used or not. Thread-safe, given back once
 * however often it is closed.
 */
public final class LogRoom implements AutoCloseable {
  private final RoomQueue queue;
  private final int recordBytes;
  private final long keptBytes;
  private boolean isGone;

  LogRoom(RoomQueue queue, int recordBytes, long keptBytes) {
    this.queue = queue;
    this.recordBytes = recordBytes;
    this.keptBytes = keptBytes;
  }

  /** Of the record; 0 when it is used up. Under the log's lock. */
  int recordBytes() {
    return isGone ? 0 : recordBytes;
  }

  /** Whether a change fits. Under the log's lock. */
  boolean holds(int changeBytes, long changeKeptBytes) {
    return !isGone && changeBytes <= recordBytes && changeKeptBytes <= keptBytes;
  }

  /** Bytes to give back: all at the first call, then none. Under the log's lock. */
  long takeBack() {
    long bytes = isGone ? 0 : recordBytes + keptBytes;
    isGone = true;
    return bytes;
  }

  @Override
  public void close() {
    queue.close(this);
  }
}
