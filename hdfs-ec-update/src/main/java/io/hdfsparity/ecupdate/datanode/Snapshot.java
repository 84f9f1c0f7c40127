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

  /** Continues from another source with the same bytes; closes it if nobody reads any more. */
  synchronized void goOnFrom(SnapshotSource next) throws IOException {
    SnapshotSource before = source;
    if (before == null) {
      next.close();
      return;
    }
    source = next;
    before.close();
  }

  /** No byte more is read. */
  synchronized void cutOff(String why) throws IOException {
    if (refusal == null) {
      refusal = new RefusedReadException(why);
    }
    // A reader may be about to use the descriptor of a file that was given out.
    if (!(source instanceof FileSource files && files.isForGood())) {
      closeSource();
    }
  }

  private void closeSource() throws IOException {
    SnapshotSource before = source;
    source = null;
    if (before != null) {
      before.close();
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
  public synchronized int readData(long position, byte[] into, int offset, int lengthBytes)
      throws IOException {
    SnapshotSource from = usable();
    try {
      return from.readData(position, into, offset, lengthBytes);
    } catch (IOException e) {
      throw refuse(e);
    }
  }

  @Override
  public synchronized int readMeta(long position, byte[] into, int offset, int lengthBytes)
      throws IOException {
    SnapshotSource from = usable();
    try {
      return from.readMeta(position, into, offset, lengthBytes);
    } catch (IOException e) {
      throw refuse(e);
    }
  }

  private SnapshotSource usable() throws IOException {
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
  private IOException refuse(IOException cause) {
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
    refusal = refused;
    return refused;
  }

  @Override
  public void close() {
    synchronized (this) {
      try {
        closeSource();
      } catch (IOException e) {
        refusal = e; // it was read only, and nobody reads any more
      }
    }
    onClose.accept(this);
  }
}
