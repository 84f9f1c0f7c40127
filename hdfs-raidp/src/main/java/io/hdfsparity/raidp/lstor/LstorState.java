/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.core.store.ByteStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an open Lstor, and the one lock over them.
 *
 * <p>Invariants: journal, transaction, regions and table are changed with the lock held; memory
 * changes after the commit that makes the same change on the store; after a commit that failed
 * nothing is changed or served any more, because memory and store may disagree.
 */
final class LstorState {
  /** Who may change the store. */
  enum Access {
    READ_WRITE,
    READ_ONLY
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final ByteStore store;
  private final Superblock superblock;
  private final Access access;
  private final Journal journal;
  private final Journal.Replay replay;
  private final SlotTable table;
  private final RowCodec codec;
  private final TableLoader loader;
  private final Kernel kernel;
  private final Transaction transaction;
  private final ParityRegion data;
  private final ParityRegion meta;
  private volatile SortedMap<Integer, FrameRow> frames;
  private volatile @Nullable Throwable failure;
  private volatile boolean isClosed;
  private long records;
  private long recordBytes;
  private long commitNanosSum;
  private long commitNanosMax;
  private long bytesXored;

  private LstorState(ByteStore store, Superblocks superblocks, Access access, Kernel kernel)
      throws IOException {
    this.store = store;
    this.superblock = superblocks.current();
    this.access = access;
    this.kernel = kernel;
    LstorGeometry geometry = superblock.geometry();
    LstorLayout layout = superblock.layout();
    journal = new Journal(store, superblocks);
    replay = journal.replay();
    journal.checkpoint();
    codec = new RowCodec(geometry, superblock.salt());
    loader = new TableLoader(store, superblock, codec);
    table = new SlotTable(geometry, superblock.maxEntries());
    TableLoader.Findings refuse =
        finding -> {
          throw finding;
        };
    SortedMap<Integer, FrameRow> rows = new TreeMap<>();
    loader.loadFrames(rows, refuse);
    frames = rows;
    loader.loadSlots((row, entry) -> TableLoader.add(table, row, entry), refuse);
    transaction = new Transaction(superblock.salt(), kernel);
    data = ParityRegion.data(store, geometry, layout);
    meta = ParityRegion.meta(store, geometry, layout);
  }

  /**
   * Opens the store, or in READ_ONLY access an overlay of it, so that a replay leaves the store as
   * it is.
   */
  static LstorState open(
      ByteStore store, LstorExpectation expectation, Access access, Kernel kernel)
      throws IOException {
    ByteStore used = access == Access.READ_ONLY ? new OverlayStore(store) : store;
    Superblocks superblocks = Superblocks.read(used);
    LstorIdentity identity = superblocks.current().identity();
    if (!identity.clusterId().equals(expectation.clusterId())) {
      throw new LstorException.ForeignCluster(
          "Cannot open Lstor: clusterId="
              + identity.clusterId()
              + ", expected "
              + expectation.clusterId()
              + ", file="
              + store
              + " offset="
              + LstorFormat.SB_CLUSTER_ID);
    }
    if (!identity.diskId().equals(expectation.diskId())) {
      throw new LstorException.ForeignDisk(
          "Cannot open Lstor: diskId="
              + identity.diskId()
              + ", expected "
              + expectation.diskId()
              + ", file="
              + store
              + " offset="
              + LstorFormat.SB_DISK_ID);
    }
    return new LstorState(used, superblocks, access, kernel);
  }

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  Superblock superblock() {
    return superblock;
  }

  LstorGeometry geometry() {
    return superblock.geometry();
  }

  SlotTable table() {
    return table;
  }

  Kernel kernel() {
    return kernel;
  }

  TableLoader loader() {
    return loader;
  }

  ParityRegion region(ParityKind kind) {
    return kind == ParityKind.DATA ? data : meta;
  }

  List<FrameRow> frames() {
    return List.copyOf(frames.values());
  }

  /** What new rows of a frame are multiplied by; no lock needed. */
  int coefficientOf(int frame) {
    FrameRow row = frames.get(frame);
    return row == null ? Coefficient.ONE : row.coefficient();
  }

  /** Rows of any frame that hold one of the units; no lock needed. */
  List<SlotEntry> entriesOn(BitSet units) {
    List<SlotEntry> found = new ArrayList<>();
    for (int frame = 0; frame < geometry().frames(); frame++) {
      for (SlotEntry entry : table.entries(frame)) {
        if (holdsOneOf(entry, units)) {
          found.add(entry);
        }
      }
    }
    return found;
  }

  static BitSet bits(Collection<Integer> units) {
    BitSet bits = new BitSet();
    units.forEach(bits::set);
    return bits;
  }

  /** Starts a transaction; the lock is held. */
  Transaction begin() throws LstorException {
    requireUsable();
    if (access == Access.READ_ONLY) {
      throw new LstorException.Refused(
          "Cannot change Lstor: access="
              + access
              + ", expected "
              + Access.READ_WRITE
              + ", file="
              + store);
    }
    return transaction.begin();
  }

  /** Commits what {@link #begin} started; the lock is held. */
  void commit(Transaction begun) throws IOException {
    long start = System.nanoTime();
    boolean committed = false;
    try {
      journal.commit(begun);
      committed = true;
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      throw e;
    } finally {
      if (committed) {
        long nanos = System.nanoTime() - start;
        records++;
        recordBytes += begun.recordBytes();
        commitNanosSum += nanos;
        commitNanosMax = Math.max(commitNanosMax, nanos);
        bytesXored += begun.bytesXored();
      }
    }
  }

  /**
   * Commits an entry's new row together with what the transaction has already, then changes memory;
   * the lock is held.
   */
  void commitEntry(Transaction begun, int row, SlotEntry entry) throws IOException {
    begun.put(loader.slotOffset(row), codec.encodeSlot(row, entry));
    commit(begun);
    follow(() -> table.put(row, entry));
  }

  /** Frees a row; the lock is held. */
  void commitRemoval(SlotTable.Slot slot) throws IOException {
    Transaction begun = begin();
    begun.put(loader.slotOffset(slot.row()), codec.encodeSlot(slot.row(), null));
    commit(begun);
    follow(() -> table.remove(slot));
  }

  /** Sets a frame row; the lock is held. */
  void commitFrame(FrameRow row) throws IOException {
    Transaction begun = begin();
    long offset =
        superblock.layout().frameTable() + (long) row.frameIndex() * LstorFormat.FRAME_ROW_BYTES;
    begun.put(offset, codec.encodeFrame(row.frameIndex(), row));
    commit(begun);
    follow(
        () -> {
          SortedMap<Integer, FrameRow> changed = new TreeMap<>(frames);
          changed.put(row.frameIndex(), row);
          frames = changed;
        });
  }

  /**
   * Changes memory as its file was changed. Where that fails, memory says something else than the
   * file: no row would be found, say. So nothing may be done with it any more.
   */
  private void follow(Runnable change) {
    try {
      change.run();
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    }
  }

  void checkpoint() throws IOException {
    requireUsable();
    try {
      journal.checkpoint();
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      throw e;
    }
  }

  /** Refuses everything after a failed commit and after close. */
  void requireUsable() throws LstorException {
    Throwable cause = failure;
    if (cause != null || isClosed) {
      LstorException refused =
          new LstorException.Refused(
              "Cannot use Lstor: "
                  + (cause != null ? "failure=" + cause : "closed=true")
                  + ", expected an open one whose commits all succeeded,"
                  + " file="
                  + store);
      if (cause != null) {
        refused.initCause(cause);
      }
      throw refused;
    }
  }

  LstorStats stats() {
    return new LstorStats(
        new LstorStats.Journal(
            journal.bytesInUse(),
            superblock.journalBytes(),
            records,
            recordBytes,
            journal.checkpoints(),
            replay.records(),
            commitNanosSum,
            commitNanosMax),
        new LstorStats.Rows(
            table.size(),
            table.maxEntries(),
            table.unacknowledged(),
            table.unacknowledgedBytes(),
            table.limbo(),
            table.limboBytes()),
        bytesXored);
  }

  void close() throws IOException {
    if (isClosed) {
      return;
    }
    try (ByteStore closing = store) {
      if (failure == null && access == Access.READ_WRITE) {
        checkpoint();
      }
    } finally {
      isClosed = true;
    }
  }

  private static boolean holdsOneOf(SlotEntry entry, BitSet units) {
    for (Run run : entry.runs()) {
      int next = units.nextSetBit(run.start());
      if (next >= 0 && next < run.end()) {
        return true;
      }
    }
    return false;
  }
}
