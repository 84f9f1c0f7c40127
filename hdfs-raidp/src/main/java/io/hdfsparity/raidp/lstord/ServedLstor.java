/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstord;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.core.store.FileByteStore;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.LstorException;
import io.hdfsparity.raidp.lstor.LstorExpectation;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.LstorIdentity;
import io.hdfsparity.raidp.lstor.LstorStats;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.LstorInfo;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * One Lstor in the daemon, opened on demand under a lease.
 *
 * <pre>
 *            request and lock free                    DataNode wants it, or no request for the lease time
 *   CLOSED ------------------------&gt; OPEN (lock held) ----------------------------------------------------&gt; CLOSED
 * </pre>
 *
 * <p>Opening replays the journal. While it is open nobody else can change it. {@link #yieldIfDue}
 * is to be called several times a second: it waits for reads in flight, closes and lets go of the
 * lock. While the DataNode holds the lock everything but {@link #info} is refused.
 *
 * <p>Thread-safe. Reads run side by side, opening and closing alone.
 */
final class ServedLstor implements Closeable {
  /** Most bytes of one answer. */
  static final int MAX_READ_BYTES = 64 << 20;

  private static final String OWNER = "Lstor daemon";

  private final Path file;
  private final String diskId;
  private final long leaseMs;
  private final Clock clock;
  private final ReentrantReadWriteLock access = new ReentrantReadWriteLock();
  private final AtomicLong lastUseNanos = new AtomicLong();
  private final AtomicReference<String> lastFailure = new AtomicReference<>("");

  private @Nullable Lstor lstor;
  private @Nullable LstorLock lock;
  private @Nullable LstorInfo known;
  private @Nullable LstorIdentity identity;
  private long knownAtTakeCount;

  /** How often this object has taken the lock. */
  private long ownTakes;

  /**
   * @param leaseMs milliseconds without a request after which the lock is given back
   */
  ServedLstor(Path file, String diskId, long leaseMs, Clock clock) {
    this.file = file;
    this.diskId = diskId;
    this.leaseMs = leaseMs;
    this.clock = clock;
  }

  String diskId() {
    return diskId;
  }

  /** Work on the open Lstor. */
  private interface Work<T> {
    T on(Lstor lstor) throws IOException;
  }

  /** All rows, or those of a frame. */
  List<SlotEntry> entries(OptionalInt frame) throws IOException {
    return leased(
        open -> {
          if (frame.isEmpty()) {
            return open.entries();
          }
          int frames = open.geometry().frames();
          if (frame.getAsInt() < 0 || frame.getAsInt() >= frames) {
            throw new LstorException.Refused(
                "Cannot list entries: frame="
                    + frame.getAsInt()
                    + ", expected 0.."
                    + (frames - 1)
                    + ", disk="
                    + diskId);
          }
          return open.entries(frame.getAsInt());
        });
  }

  /**
   * A number that is another one after anybody else has held the Lstor: how often its lock was
   * taken, without the times that this object has taken it. That of a later daemon is higher.
   */
  long takes() throws IOException {
    return leased(
        open -> Objects.requireNonNull(lock, "held while it is open").takeCount() - ownTakes);
  }

  /** Verified parity bytes. */
  byte[] readParity(ParityKind kind, long position, int count) throws IOException {
    if (count < 1 || count > MAX_READ_BYTES) {
      throw new LstorException.Refused(
          "Cannot read parity: count="
              + count
              + ", expected 1.."
              + MAX_READ_BYTES
              + ", disk="
              + diskId);
    }
    return leased(
        open -> {
          LstorGeometry geometry = open.geometry();
          long size = kind == ParityKind.DATA ? geometry.frameBytes() : geometry.metaRegionBytes();
          if (position < 0 || position > size - count) {
            throw new LstorException.Refused(
                "Cannot read parity: position="
                    + position
                    + " count="
                    + count
                    + ", expected inside the "
                    + size
                    + " bytes of region "
                    + kind
                    + ", disk="
                    + diskId);
          }
          byte[] bytes = new byte[count];
          open.readParity(kind, position, ByteBuffer.wrap(bytes));
          return bytes;
        });
  }

  /**
   * What is known of the Lstor. Does not extend the lease. While the DataNode holds it, identity
   * and geometry alone are told, with {@code locked}.
   *
   * @throws IOException when the file is no sound Lstor of this disk
   */
  LstorInfo info() throws IOException {
    access.writeLock().lock();
    try {
      if (lstor != null) {
        return describe(lstor);
      }
      Optional<LstorLock> taken = LstorLock.tryAcquire(file, OWNER);
      if (taken.isEmpty()) {
        return locked();
      }
      return glance(taken.get());
    } finally {
      access.writeLock().unlock();
    }
  }

  /** Who the Lstor belongs to. */
  LstorIdentity identity() throws IOException {
    access.writeLock().lock();
    try {
      if (identity == null) {
        try (ByteStore store = FileByteStore.open(file)) {
          identity = Lstor.identityOf(store);
        }
      }
      return identity;
    } finally {
      access.writeLock().unlock();
    }
  }

  /**
   * Lets go of the Lstor when its DataNode asks for it, or when nobody has used it for the lease
   * time.
   */
  void yieldIfDue() throws IOException {
    access.readLock().lock();
    try {
      if (lock == null || !(lock.wanted() || idle())) {
        return;
      }
    } finally {
      access.readLock().unlock();
    }
    access.writeLock().lock();
    try {
      if (lock != null && (lock.wanted() || idle())) {
        release();
      }
    } finally {
      access.writeLock().unlock();
    }
  }

  /**
   * Notes how the last look at it ended, so that the log tells of a lasting failure once; empty:
   * well.
   */
  boolean isNewFailure(String message) {
    return !message.equals(lastFailure.getAndSet(message));
  }

  /** Whether its file was put aside, as nothing depends on it. */
  boolean isPutAside() {
    return !Files.exists(file) && Files.exists(LstorFiles.aside(file));
  }

  /** Whether the daemon holds the lock now. */
  boolean isOpen() {
    access.readLock().lock();
    try {
      return lstor != null;
    } finally {
      access.readLock().unlock();
    }
  }

  @Override
  public void close() throws IOException {
    access.writeLock().lock();
    try {
      release();
    } finally {
      access.writeLock().unlock();
    }
  }

  private boolean idle() {
    return clock.nanoTime() - lastUseNanos.get() >= TimeUnit.MILLISECONDS.toNanos(leaseMs);
  }

  private <T> T leased(Work<T> work) throws IOException {
    access.readLock().lock();
    try {
      if (lstor != null) {
        return use(lstor, work);
      }
    } finally {
      access.readLock().unlock();
    }
    access.writeLock().lock();
    try {
      if (lstor == null) {
        open();
      }
      // Taken over by the reader before it is let go, so that nobody closes it in between.
      access.readLock().lock();
    } finally {
      access.writeLock().unlock();
    }
    try {
      if (lstor == null) {
        throw new IllegalStateException(
            "Cannot serve Lstor: closed under its lock, disk=" + diskId);
      }
      return use(lstor, work);
    } finally {
      access.readLock().unlock();
    }
  }

  private <T> T use(Lstor open, Work<T> work) throws IOException {
    lastUseNanos.set(clock.nanoTime());
    try {
      return work.on(open);
    } finally {
      lastUseNanos.set(clock.nanoTime());
    }
  }

  private void open() throws IOException {
    LstorLock taken = LstorLock.tryAcquire(file, OWNER).orElseThrow(() -> inUse());
    ownTakes++;
    try {
      Lstor opened = openUnder();
      known = describeOrClose(opened);
      knownAtTakeCount = taken.takeCount();
      lastUseNanos.set(clock.nanoTime());
      lstor = opened;
      lock = taken;
    } catch (IOException | RuntimeException | Error e) {
      taken.close();
      throw e;
    }
  }

  /** Nobody serves an Lstor that cannot be described, so it must not stay open without its lock. */
  private LstorInfo describeOrClose(Lstor opened) throws IOException {
    try {
      return describe(opened);
    } catch (RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  private LstorInUseException inUse() {
    String owner;
    try {
      owner = LstorLock.lastOwner(file);
    } catch (IOException e) {
      owner = "unknown (" + e.getMessage() + ")";
    }
    return new LstorInUseException(
        "Cannot serve Lstor: holder="
            + owner
            + ", expected its DataNode dead or the disk declared failed"
            + " by it, disk="
            + diskId
            + " file="
            + file);
  }

  private Lstor openUnder() throws IOException {
    ByteStore store = FileByteStore.open(file);
    try {
      LstorIdentity found = Lstor.identityOf(store);
      identity = found;
      return Lstor.open(store, new LstorExpectation(found.clusterId(), diskId));
    } catch (IOException | RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  /** Reads what is known afresh, unless nobody else has had the Lstor since it was read. */
  private LstorInfo glance(LstorLock taken) throws IOException {
    ownTakes++;
    try (taken) {
      LstorInfo current = known;
      if (current == null || taken.takeCount() != knownAtTakeCount + 1) {
        known = null;
        try (Lstor open = openUnder()) {
          current = describe(open);
        }
      }
      known = current;
      knownAtTakeCount = taken.takeCount();
      return current;
    }
  }

  private LstorInfo locked() throws IOException {
    known = null;
    try (ByteStore store = FileByteStore.open(file)) {
      LstorIdentity found = Lstor.identityOf(store);
      identity = found;
      return new LstorInfo(
          diskId, found.clusterId(), Lstor.geometryOf(store), List.of(), 0, true, 0, 0);
    }
  }

  private LstorInfo describe(Lstor open) {
    LstorStats stats = open.stats();
    List<FrameReport> frames =
        open.frames().stream().map(row -> FrameRows.report(row, open)).toList();
    return new LstorInfo(
        diskId,
        open.identity().clusterId(),
        open.geometry(),
        frames,
        stats.journal().bytesInUse(),
        false,
        stats.rows().entries(),
        stats.rows().unacknowledged());
  }

  private void release() throws IOException {
    Lstor closing = lstor;
    LstorLock giving = lock;
    lstor = null;
    lock = null;
    try {
      if (closing != null) {
        closing.close();
      }
    } finally {
      if (giving != null) {
        giving.close();
      }
    }
  }
}
