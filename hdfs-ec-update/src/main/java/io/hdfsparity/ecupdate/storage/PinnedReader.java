/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.ajx.OpMode;
import java.io.Closeable;
import java.io.IOException;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A reader that knows nothing of updates: it sees the replica as it was when it was opened, for as
 * long as it is open. Thread-safe. Changes wait for it, so it must not stay open for ever.
 */
public final class PinnedReader implements Closeable {
  private final Replica replica;
  private final VersionedBytes.Pinned pinned;
  private final BitSet garbage;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  PinnedReader(Replica replica, VersionedBytes.Pinned pinned, BitSet garbage) {
    this.replica = replica;
    this.pinned = pinned;
    this.garbage = garbage;
  }

  /**
   * Bytes of the replica.
   *
   * @throws IOException if they are those of a copy that nobody had filled when this was opened, or
   *     of one that was abandoned since
   */
  public byte[] read(int offset, int lengthBytes) throws IOException {
    if (isClosed.get()) {
      throw new IOException("Cannot read a replica: reader=closed, replica=" + replica.key());
    }
    if (replica.isClosed()) {
      throw new IOException("Cannot read a replica: " + replica.key() + " was released");
    }
    int cellBytes = replica.layout().cellBytes();
    int last = (offset + Math.max(lengthBytes, 1) - 1) / cellBytes;
    // Recovered since or not: what this reader has pinned is what was there before.
    int stripe = garbage.nextSetBit(offset / cellBytes);
    if (stripe >= 0 && stripe <= last) {
      throw new IOException(
          ErrorMessage.to("read a replica")
              .value("opMode", OpMode.INIT)
              .expected("NORM when it was opened: this copy had arrived and was not recovered yet")
              .where("replica", replica.key())
              .where("stripe", stripe)
              .message());
    }
    return replica.bytes().read(pinned.pin().version(), offset, lengthBytes);
  }

  @Override
  public void close() {
    if (isClosed.compareAndSet(false, true)) {
      replica.bytes().unpin(pinned);
    }
  }
}
