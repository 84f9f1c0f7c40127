/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.core.store.ByteStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The Lstor of a disk [RAIDP 3.1, 3.4]: the sum in GF(2^8) of the covered images of the disk's
 * blocks, each times its {@link Coefficient}, a table that says exactly what is covered, and a
 * journal that keeps the two together through any crash.
 *
 * <p><b>Invariants</b>, at every instant and after every crash:
 *
 * <ul>
 *   <li>The parity is the sum of the covered images of the rows (see {@link SlotEntry}), each times
 *       the row's coefficient; zero where nothing is covered.
 *   <li>Two rows of a frame share no unit; runs of a row are disjoint and hold what it covers.
 *   <li>A parity cell is verified against its CRC before it is changed or served.
 *   <li>A method that changed something returns only when the change survives a crash.
 * </ul>
 *
 * The parity stays right only if an image gives the same bytes for the same prefix whenever it is
 * asked.
 *
 * <p>Thread-safe. One lock for changes and parity reads, held for one step at a time; lookups of
 * rows take none and see immutable entries. Two calls that move the coverage of the same block take
 * turns. After a failed commit every call that would change or serve parity is refused until the
 * Lstor is reopened. Store errors are IOExceptions; what the Lstor refuses is an {@link
 * LstorException}; arguments out of range are IllegalArgumentExceptions.
 */
public final class Lstor implements Closeable {
  /** Parity is read and served in pieces of this size at most under one hold of the lock. */
  private static final int SCRUB_BYTES = 1 << 20;

  private final LstorState state;
  private final RowEditor rows;
  private final CoverageMover mover;
  private final Rebuilder rebuilder;

  private Lstor(LstorState state) {
    this.state = state;
    this.rows = new RowEditor(state);
    this.mover = new CoverageMover(state);
    this.rebuilder = new Rebuilder(state, mover);
  }

  /** Bytes that a store needs for such an Lstor. */
  public static long requiredBytes(LstorGeometry geometry, long journalBytes, int maxEntries) {
    return LstorLayout.of(geometry, journalBytes, maxEntries).fileBytes();
  }

  /**
   * Makes an empty Lstor in a new store of at least {@link #requiredBytes}, which reads as zeros.
   * Does not close the store.
   *
   * @param journalBytes size of the journal, at least 1 MiB; it need not hold more than a few
   *     records
   * @param maxEntries rows of the slot table, at least 1
   * @throws LstorException.Refused if the store is not new
   * @throws LstorException.NoSpace if it is too small
   */
  public static void format(
      ByteStore store,
      LstorGeometry geometry,
      LstorIdentity identity,
      long journalBytes,
      int maxEntries)
      throws IOException {
    long checkpointBytes = Math.min(journalBytes, LstorFormatter.DEFAULT_CHECKPOINT_BYTES);
    format(
        store,
        geometry,
        identity,
        new LstorFormatOptions(
            journalBytes, checkpointBytes, maxEntries, new SecureRandom().nextLong()));
  }

  /** As above, with every choice open. */
  public static void format(
      ByteStore store, LstorGeometry geometry, LstorIdentity identity, LstorFormatOptions options)
      throws IOException {
    Superblock first =
        new Superblock(
            0,
            1,
            options.salt(),
            geometry,
            options.journalBytes(),
            options.checkpointBytes(),
            options.maxEntries(),
            identity);
    new LstorFormatter(store, first).format();
  }

  /**
   * Opens for reading and writing and replays the journal. The caller holds the lock file. Closing
   * the Lstor closes the store; when this throws, the store stays open.
   *
   * @throws LstorException named NotAnLstor, TooOld, TooNew, CorruptHeader, ForeignCluster,
   *     ForeignDisk, CorruptJournal or CorruptTable
   */
  public static Lstor open(ByteStore store, LstorExpectation expectation) throws IOException {
    return open(store, expectation, Kernels.best());
  }

  /** As above, with a kernel to XOR with. */
  public static Lstor open(ByteStore store, LstorExpectation expectation, Kernel kernel)
      throws IOException {
    return new Lstor(LstorState.open(store, expectation, LstorState.Access.READ_WRITE, kernel));
  }

  /**
   * Opens for inspection: the journal is replayed in memory, the store is never written, changes
   * are refused.
   */
  public static Lstor openReadOnly(ByteStore store, LstorExpectation expectation)
      throws IOException {
    return new Lstor(
        LstorState.open(store, expectation, LstorState.Access.READ_ONLY, Kernels.best()));
  }

  /**
   * Whose Lstor a store holds, by its superblock alone; needs no lock, as identity and geometry
   * never change.
   */
  public static LstorIdentity identityOf(ByteStore store) throws IOException {
    return Superblocks.read(store).current().identity();
  }

  /** Geometry of the Lstor that a store holds, by its superblock alone; needs no lock. */
  public static LstorGeometry geometryOf(ByteStore store) throws IOException {
    return Superblocks.read(store).current().geometry();
  }

  public LstorGeometry geometry() {
    return state.geometry();
  }

  public LstorIdentity identity() {
    return state.superblock().identity();
  }

  /** Frame rows that have been set, by frame index. */
  public List<FrameRow> frames() {
    return state.frames();
  }

  public void setFrame(FrameRow row) throws IOException {
    state.table().requireFrame(row.frameIndex());
    state.lock();
    try {
      state.commitFrame(row);
    } finally {
      state.unlock();
    }
  }

  public Optional<SlotEntry> entry(int frame, long blockId) {
    SlotTable.@Nullable Slot slot = state.table().find(frame, blockId);
    return slot == null ? Optional.empty() : Optional.of(slot.entry());
  }

  /** A frame that has a row of the block, of those that are asked for. */
  public OptionalInt frameOf(long blockId, IntPredicate wanted) {
    return state.table().frameOf(blockId, wanted);
  }

  /** Rows of a frame, in no order. */
  public List<SlotEntry> entries(int frame) {
    return state.table().entries(frame);
  }

  /** Rows of all frames, by frame. */
  public List<SlotEntry> entries() {
    List<SlotEntry> all = new ArrayList<>();
    for (int frame = 0; frame < geometry().frames(); frame++) {
      all.addAll(state.table().entries(frame));
    }
    return all;
  }

  /** Rows of any frame that hold one of the units. */
  public List<SlotEntry> entriesOn(Collection<Integer> units) {
    return state.entriesOn(LstorState.bits(units));
  }

  public int freeUnits(int frame) {
    return state.table().units(frame).freeUnits();
  }

  /** What is in a frame, without a look at its rows. */
  public FrameLoad load(int frame) {
    return state.table().load(frame);
  }

  /** Whether the units lie in the frame and no row holds one of them. */
  public boolean isFree(int frame, List<Run> runs) {
    return rows.isFree(frame, runs);
  }

  /**
   * Plans extents for a block, and stores nothing: the first gap that is large enough, else as few
   * gaps as possible.
   *
   * @throws LstorException.NoSpace if too few units are free, or in more than {@link
   *     SlotEntry#MAX_RUNS} pieces
   */
  public List<Run> allocate(int frame, int units) throws IOException {
    return rows.plan(frame, units);
  }

  /**
   * Sets units aside: a row in state RESERVED. A row that the block has already is reused, if
   * {@link SlotLife} allows it: nothing of it is covered and it is not LIVE.
   *
   * @throws LstorException.Overlap if another row of the frame holds one of the units, or they are
   *     no units of the frame
   * @throws LstorException.Full if the table has no free row
   * @throws LstorException.Refused if the block has a row that is LIVE or covers something
   */
  public SlotEntry reserve(int frame, long blockId, List<Run> runs, long generationStamp)
      throws IOException {
    return rows.reserve(frame, blockId, runs, generationStamp);
  }

  /**
   * Extends or trims a block's extents.
   *
   * @throws LstorException.Refused if units that hold something covered would change
   * @throws LstorException.Overlap as in {@link #reserve}
   */
  public SlotEntry resize(int frame, long blockId, List<Run> runs) throws IOException {
    return rows.resize(frame, blockId, runs);
  }

  /**
   * Grows or shrinks what the parity holds of a block to a prefix of its data and the checksum file
   * of that prefix; a prefix of 0 leaves the header of the checksum file covered. Goes in steps of
   * at most 256 KiB, each crash-proof; a call that was cut short is resumed by calling again. A
   * RESERVED row becomes LIVE; a LIVE row whose coverage changes becomes ackPending.
   *
   * @param generationStamp of the image, kept in the row
   * @param checksum form of the checksum file; may not change while something is covered
   * @param prefixBytes at least 0, and no more than fits into the extents
   * @throws LstorException.NoSpace if it does not fit into the extents
   * @throws LstorException.CorruptParity if a parity cell concerned is damaged
   * @throws LstorException.UnreadableParity if one cannot be read
   * @throws LstorException.Refused if a LIMBO row would grow, or the checksum differs
   */
  public SlotEntry setCoverage(
      int frame,
      long blockId,
      long generationStamp,
      ChecksumSpec checksum,
      long prefixBytes,
      BlockImage image)
      throws IOException {
    return mover.setCoverage(frame, blockId, generationStamp, checksum, prefixBytes, image);
  }

  /**
   * Takes everything of a block out of the parity, the checksum header too; resumable. State and
   * extents stay.
   */
  public SlotEntry clearCoverage(int frame, long blockId, BlockImage image) throws IOException {
    return mover.clearCoverage(frame, blockId, image);
  }

  /**
   * As {@link #clearCoverage} for a block whose bytes are lost: the parity at its extents is
   * recomputed from the other rows. Resumable. A row that shares units with it and for which {@code
   * images} gives null is lost for good too, and is cleared after it. An image that is only out of
   * reach just now must throw.
   */
  public SlotEntry clearLostCoverage(
      int frame, long blockId, Function<SlotEntry, @Nullable BlockImage> images)
      throws IOException {
    return rebuilder.clearLost(frame, blockId, images);
  }

  /**
   * Changes state and flags of a row, as {@link SlotLife} decides.
   *
   * @throws LstorException.Refused if the row may not change for this cause
   */
  public SlotEntry apply(int frame, long blockId, SlotCause cause) throws IOException {
    cause.requireMethod(SlotCause.Method.APPLY);
    return rows.change(frame, blockId, row -> SlotLife.after(row, cause));
  }

  /** Commits a decision on a row, if it changes the row. */
  SlotEntry change(int frame, long blockId, RowEditor.Decision decision) throws IOException {
    return rows.change(frame, blockId, decision);
  }

  /**
   * Frees the row and its units.
   *
   * @throws LstorException.Refused if the row may not end for this cause; never while something is
   *     covered
   */
  public void remove(int frame, long blockId, SlotCause cause) throws IOException {
    rows.remove(frame, blockId, cause);
  }

  /**
   * Fills {@code dst} with parity from a position of a region; every cell that is touched is
   * verified first.
   *
   * @throws LstorException.CorruptParity if one fails its CRC; {@code dst} then holds nothing to be
   *     used
   * @throws LstorException.UnreadableParity if one cannot be read
   */
  public void readParity(ParityKind kind, long position, ByteBuffer dst) throws IOException {
    ParityRegion region = state.region(kind);
    if (position < 0 || position + dst.remaining() > region.sizeBytes()) {
      throw new IllegalArgumentException(
          "Cannot read parity: region="
              + kind
              + " position="
              + position
              + " bytes="
              + dst.remaining()
              + ", expected inside 0.."
              + region.sizeBytes());
    }
    ByteBuffer cell = ByteBuffer.allocateDirect(region.cellBytes());
    state.lock();
    try {
      state.requireUsable();
      long at = position;
      while (dst.hasRemaining()) {
        int inCell = (int) (at % region.cellBytes());
        int count = Math.min(dst.remaining(), region.cellBytes() - inCell);
        region.load(at / region.cellBytes(), cell.clear());
        dst.put(cell.clear().limit(inCell + count).position(inCell));
        at += count;
      }
    } finally {
      state.unlock();
    }
  }

  /**
   * A parity cell that the store could not read since the Lstor was opened: what is at its units
   * can neither be covered nor uncovered, by no repair. Everything else goes on.
   */
  public Optional<LstorException.UnreadableParity> unreadableParity() {
    return state
        .region(ParityKind.DATA)
        .unreadable()
        .or(() -> state.region(ParityKind.META).unreadable());
  }

  /**
   * Recomputes the parity of units from the images of all rows that cover something there; what the
   * parity held is not looked at. Idempotent, so resumable. A row of these units, or of neighbours
   * in the same checksum cells, for which {@code images} gives null is lost for good: its whole
   * coverage is cleared first, as by {@link #clearLostCoverage}. An image that is only out of reach
   * just now must throw.
   */
  public void rebuildUnits(
      Collection<Integer> units, Function<SlotEntry, @Nullable BlockImage> images)
      throws IOException {
    rebuilder.rebuild(units, images);
  }

  /** Verifies the tables on the store against memory; returns what differs. */
  public List<String> verifyTables() throws IOException {
    return new Scrubber(state, SCRUB_BYTES).tableFindings();
  }

  /** Verifies every parity cell against its CRC, and the tables on the store against memory. */
  public ScrubResult verifyAll(ScrubResult.Progress progress) throws IOException {
    return new Scrubber(state, SCRUB_BYTES).run(progress);
  }

  /**
   * Makes everything home durable and empties the journal, so that the next open has nothing to
   * replay.
   */
  public void checkpoint() throws IOException {
    state.lock();
    try {
      state.checkpoint();
    } finally {
      state.unlock();
    }
  }

  public LstorStats stats() {
    state.lock();
    try {
      return state.stats();
    } finally {
      state.unlock();
    }
  }

  /** Checkpoints, unless a commit failed, and closes the store. Idempotent. */
  @Override
  public void close() throws IOException {
    state.lock();
    try {
      state.close();
    } finally {
      state.unlock();
    }
  }
}
