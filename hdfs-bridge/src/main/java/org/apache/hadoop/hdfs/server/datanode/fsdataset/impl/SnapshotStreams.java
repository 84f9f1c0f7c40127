/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.bridge.datanode.ReplicaSnapshot;
import io.hdfsparity.bridge.datanode.SnapshotReads;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Streams on snapshots of replicas. A FileInputStream is sent by reference to pages of the file,
 * which a later change reaches although they count as sent: so one is only given out where the
 * snapshot has a file that never changes.
 *
 * <p>BlockSender and BlockChecksumHelper open the checksum file first, then, on the same thread and
 * while it is open, the block file: both get one snapshot. Thread-safe.
 */
final class SnapshotStreams {
  /** The system's own words, as BlockSender knows them. */
  private static final String EIO = "Input/output error";

  private final ThreadLocal<@Nullable Shared> opened = new ThreadLocal<>();

  /** A snapshot with its readers. */
  private static final class Shared {
    final long blockId;
    final ReplicaSnapshot snapshot;
    final Runnable onDamage;
    private int readers = 1;

    Shared(long blockId, ReplicaSnapshot snapshot, Runnable onDamage) {
      this.blockId = blockId;
      this.snapshot = snapshot;
      this.onDamage = onDamage;
    }

    /** False if it is closed already. */
    synchronized boolean join() {
      if (readers > 0) {
        readers++;
      }
      return readers > 0;
    }

    void leave() {
      boolean isLast;
      synchronized (this) {
        isLast = --readers == 0;
      }
      if (isLast) {
        snapshot.close();
      }
    }
  }

  /**
   * Opens the checksum file.
   *
   * @param onDamage called when what is read looks damaged
   */
  LengthInputStream meta(SnapshotReads reads, SnapshotReads.Request request, Runnable onDamage)
      throws IOException {
    Shared shared = new Shared(request.blockId(), reads.open(request), onDamage);
    opened.set(shared);
    return new LengthInputStream(
        new SnapshotStream(shared, /* isMeta= */ true, 0), shared.snapshot.metaBytes());
  }

  /** Opens the block file, as {@link #meta}. */
  InputStream data(
      SnapshotReads reads, SnapshotReads.Request request, long offset, Runnable onDamage)
      throws IOException {
    Shared before = opened.get();
    boolean isJoined = before != null && before.blockId == request.blockId() && before.join();
    Shared shared =
        before != null && isJoined
            ? before
            : new Shared(request.blockId(), reads.open(request), onDamage);
    FileInputStream file = shared.snapshot.takeDataFile();
    return file == null
        ? new SnapshotStream(shared, /* isMeta= */ false, offset)
        : stock(shared, file, offset);
  }

  private static StockStream stock(Shared shared, FileInputStream file, long offset)
      throws IOException {
    try {
      file.getChannel().position(offset);
      return new StockStream(file, shared.snapshot::requireReadable, shared::leave);
    } catch (IOException | RuntimeException e) {
      shared.leave();
      throw e;
    }
  }

  private void forget(Shared shared) {
    if (opened.get() == shared) {
      opened.remove();
    }
  }

  /** Checksums that do not fit, and what BlockSender takes for a broken disk. */
  private static boolean isDamage(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ChecksumException
          || String.valueOf(cause.getMessage()).startsWith(EIO)) {
        return true;
      }
    }
    return false;
  }

  /** One of the two files. For one thread at a time. */
  private final class SnapshotStream extends InputStream {
    private final Shared shared;
    private final boolean isMeta;
    private long position;
    private boolean isClosed;

    SnapshotStream(Shared shared, boolean isMeta, long position) {
      this.shared = shared;
      this.isMeta = isMeta;
      this.position = position;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] into, int offset, int lengthBytes) throws IOException {
      if (isClosed) {
        throw new IOException("Cannot read replica: stream=closed, blockId=" + shared.blockId);
      }
      if (lengthBytes == 0) {
        return 0;
      }
      int count;
      try {
        count =
            isMeta
                ? shared.snapshot.readMeta(position, into, offset, lengthBytes)
                : shared.snapshot.readData(position, into, offset, lengthBytes);
      } catch (IOException e) {
        if (isDamage(e)) {
          shared.onDamage.run();
        }
        throw e;
      }
      if (count < 0 && position < endBytes()) {
        shared.onDamage.run();
      }
      position += Math.max(count, 0);
      return count;
    }

    private long endBytes() {
      return isMeta ? shared.snapshot.metaBytes() : shared.snapshot.dataBytes();
    }

    @Override
    public long skip(long bytes) {
      long skipped = Math.max(0, Math.min(bytes, endBytes() - position));
      position += skipped;
      return skipped;
    }

    @Override
    public void close() {
      if (!isClosed) {
        isClosed = true;
        if (isMeta) {
          forget(shared);
        }
        shared.leave();
      }
    }
  }
}
