/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.datanode.ReadCaller;
import io.hdfsparity.bridge.datanode.ReplicaSnapshot;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.hadoop.fs.ChecksumException;
import org.jspecify.annotations.Nullable;

/**
 * What one stock reader sees. When its replica is admitted to updates meanwhile, it continues from
 * files that stay as they are, or from a pinned version with the same bytes, or is cut off.
 * Thread-safe.
 */
final class Snapshot implements ReplicaSnapshot {
  private final long blockId;
  private final ReadCaller caller;
  private final long dataBytes;
  private final long metaBytes;
  private final Consumer<Snapshot> onClose;
  private @Nullable SnapshotSource source;
  private @Nullable IOException refusal;

  /** Since when changes may wait for it. */
  private long sinceMs;

  private boolean isRenewed;
  private boolean isCutOff;

  /**
   * Held while the source is read, exchanged or closed, which waits for the disk. Taken before the
   * monitor, which guards the rest, and under which nobody waits: one thread looks after the
   * readers of all disks.
   */
  private final ReentrantLock reading = new ReentrantLock();

  Snapshot(
      long blockId,
      ReadCaller caller,
      long dataBytes,
      long metaBytes,
      long openedMs,
      SnapshotSource source,
      Consumer<Snapshot> onClose) {
    this.blockId = blockId;
    this.caller = caller;
    this.dataBytes = dataBytes;
    this.metaBytes = metaBytes;
    this.sinceMs = openedMs;
    this.source = source;
    this.onClose = onClose;
  }

  long blockId() {
    return blockId;
  }

  ReadCaller caller() {
    return caller;
  }

  synchronized long sinceMs() {
    return sinceMs;
  }

  /**
   * Its replica is admitted: changes may wait for it from the first time on that this is called.
   */
  synchronized void renew(long nowMs) {
    if (!isRenewed) {
      isRenewed = true;
      sinceMs = nowMs;
    }
  }

  /** Whether the engine keeps what it sees, or it is kept by itself. */
  synchronized boolean isKept() {
    return !(source instanceof FileSource files) || files.isForGood();
  }

  /** Whether it sees the files of a replica that was not admitted when it was opened. */
  synchronized boolean isPlain() {
    return source instanceof FileSource;
  }

  /** Whether changes wait for it in the engine. */
  synchronized boolean isPinned() {
    return source instanceof PinnedSource;
  }

  @Override
  public synchronized @Nullable FileInputStream takeDataFile() {
    return refusal == null && source instanceof FileSource files ? files.takeData() : null;
  }

  @Override
  public synchronized void requireReadable() throws IOException {
    usable();
  }

  /**
   * Continues from another source with the same bytes; closes it if nobody reads any more. Waits
   * for a read that is under way.
   */
  void goOnFrom(SnapshotSource next) throws IOException {
    reading.lock();
    try {
      exchange(next).close();
    } finally {
      release();
    }
  }

  /** Returns the one that nobody needs. */
  private synchronized SnapshotSource exchange(SnapshotSource next) {
    SnapshotSource before = source;
    if (before == null) {
      return next;
    }
    source = next;
    return before;
  }

  /**
   * No byte more is read. Does not wait for a read that is under way, whose disk may hang: what it
   * has read is not returned, and it closes the source.
   */
  void cutOff(String why) {
    synchronized (this) {
      if (refusal == null) {
        refusal = new RefusedReadException(why);
      }
      isCutOff = true;
    }
    closeIfDue();
  }

  /** After a use of the source. */
  private void release() {
    reading.unlock();
    closeIfDue();
  }

  /** Whoever holds the lock meanwhile does it afterwards. */
  private void closeIfDue() {
    while (isCloseDue() && reading.tryLock()) {
      try {
        closeSource();
      } finally {
        reading.unlock();
      }
    }
  }

  private synchronized boolean isCloseDue() {
    // A reader may be about to use the descriptor of a file that was given out.
    return isCutOff && source != null && !(source instanceof FileSource files && files.isForGood());
  }

  private void closeSource() {
    SnapshotSource before;
    synchronized (this) {
      before = source;
      source = null;
    }
    if (before == null) {
      return;
    }
    try {
      before.close();
    } catch (IOException e) {
      refuseAfter(e); // it was read only, and nobody reads any more
    }
  }

  private synchronized void refuseAfter(IOException failure) {
    if (refusal == null) {
      refusal = failure;
    }
  }

  @Override
  public long dataBytes() {
    return dataBytes;
  }

  @Override
  public long metaBytes() {
    return metaBytes;
  }

  @Override
  public int readData(long position, byte[] into, int offset, int lengthBytes) throws IOException {
    return read(from -> from.readData(position, into, offset, lengthBytes));
  }

  @Override
  public int readMeta(long position, byte[] into, int offset, int lengthBytes) throws IOException {
    return read(from -> from.readMeta(position, into, offset, lengthBytes));
  }

  /** What is read of a source. */
  @FunctionalInterface
  private interface Reading {
    int of(SnapshotSource from) throws IOException;
  }

  private int read(Reading what) throws IOException {
    reading.lock();
    try {
      int count = refusing(what, usable());
      usable(); // bytes may have changed under it if it was cut off meanwhile
      return count;
    } finally {
      release();
    }
  }

  private int refusing(Reading what, SnapshotSource from) throws IOException {
    try {
      return what.of(from);
    } catch (IOException e) {
      throw refuse(e);
    }
  }

  private synchronized SnapshotSource usable() throws IOException {
    IOException before = refusal;
    if (before instanceof ChecksumException damage) {
      throw new ChecksumException(String.valueOf(damage.getMessage()), damage.getPos());
    }
    SnapshotSource from = source;
    if (before != null || from == null) {
      throw new RefusedReadException(
          before == null
              ? "Cannot read replica: snapshot=closed, block=" + blockId
              : String.valueOf(before.getMessage()));
    }
    return from;
  }

  /**
   * Remembers why a read failed. BlockSender sends zeros for checksums that it could not read, and
   * the client would report the replica as corrupt: so no data may follow.
   */
  private synchronized IOException refuse(IOException cause) {
    IOException refused =
        cause instanceof ChecksumException
            ? cause
            : new RefusedReadException(
                ErrorMessage.to("read replica")
                    .value("cause", cause)
                    .expected("a replica that can be read now; open it again")
                    .where("block", blockId)
                    .message(),
                cause);
    if (!isCutOff) {
      refusal = refused;
    }
    return refused;
  }

  @Override
  public void close() {
    reading.lock();
    try {
      closeSource();
    } finally {
      reading.unlock();
    }
    onClose.accept(this);
  }
}
