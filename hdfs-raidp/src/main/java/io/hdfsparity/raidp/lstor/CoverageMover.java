/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Moves coverage step by step. Images are read without the Lstor's lock; the lock is held for one
 * step's commit, so blocks that are covered at the same time take turns.
 */
final class CoverageMover {
  private static final int ROW_LOCKS = 64;

  private final LstorState state;
  private final ConcurrentLinkedQueue<StepBuffers> idleBuffers = new ConcurrentLinkedQueue<>();
  private final ReentrantLock[] rowLocks = new ReentrantLock[ROW_LOCKS];

  CoverageMover(LstorState state) {
    this.state = state;
    for (int i = 0; i < ROW_LOCKS; i++) {
      rowLocks[i] = new ReentrantLock();
    }
  }

  /** Grows or shrinks to a prefix with its checksum image. */
  SlotEntry setCoverage(
      int frame,
      long blockId,
      long generationStamp,
      ChecksumSpec checksum,
      long prefixBytes,
      BlockImage image)
      throws IOException {
    if (prefixBytes < 0) {
      throw new IllegalArgumentException(
          "Cannot cover: prefixBytes=" + prefixBytes + ", expected >= 0");
    }
    ReentrantLock rowLock = rowLock(frame, blockId);
    rowLock.lock();
    StepBuffers buffers = takeBuffers();
    try {
      while (true) {
        SlotEntry entry = state.table().get(frame, blockId).entry();
        requireMove(entry, checksum, prefixBytes);
        Optional<CoverageStep> step = CoverageStep.towards(entry, checksum, prefixBytes);
        if (step.isEmpty()) {
          return stamp(entry, generationStamp);
        }
        SlotCause cause = step.get().grows() ? SlotCause.GROWN : SlotCause.SHRUNK;
        SlotEntry moved =
            new SlotEntry(
                frame,
                blockId,
                generationStamp,
                entry.runs(),
                SlotCoverage.of(step.get().after(), checksum, coefficient(entry)),
                SlotLife.after(entry, cause));
        addStep(entry, moved, step.get(), checksum, image, buffers);
      }
    } finally {
      idleBuffers.add(buffers);
      rowLock.unlock();
    }
  }

  /** Takes everything out, the header of the checksum file too. */
  SlotEntry clearCoverage(int frame, long blockId, BlockImage image) throws IOException {
    ReentrantLock rowLock = rowLock(frame, blockId);
    rowLock.lock();
    StepBuffers buffers = takeBuffers();
    try {
      while (true) {
        SlotEntry entry = state.table().get(frame, blockId).entry();
        Optional<CoverageStep> step = CoverageStep.towardsNothing(entry);
        if (step.isEmpty()) {
          return entry;
        }
        addStep(entry, cleared(entry, step.get()), step.get(), entry.checksum(), image, buffers);
      }
    } finally {
      idleBuffers.add(buffers);
      rowLock.unlock();
    }
  }

  /** Lock that one mover of a row's coverage holds. */
  ReentrantLock rowLock(int frame, long blockId) {
    return rowLocks[Math.floorMod(Long.hashCode(blockId) * 31 + frame, ROW_LOCKS)];
  }

  /** The entry after a step towards covering nothing. */
  static SlotEntry cleared(SlotEntry entry, CoverageStep step) throws LstorException.Refused {
    SlotCause cause = step.hasMetaAfter() ? SlotCause.PARTLY_UNCOVERED : SlotCause.UNCOVERED;
    return entry
        .withCoverage(entry.coverage().after(step))
        .withStatus(SlotLife.after(entry, cause));
  }

  /**
   * Does a step, or nothing when the row or its frame's coefficient has changed since {@code
   * before} was read: the caller looks again.
   */
  private void addStep(
      SlotEntry before,
      SlotEntry after,
      CoverageStep step,
      ChecksumSpec checksum,
      BlockImage image,
      StepBuffers buffers)
      throws IOException {
    ByteBuffer data = buffers.readData(step, image);
    ByteBuffer meta = buffers.readMetaDelta(step, checksum, image);
    state.lock();
    try {
      SlotTable.Slot slot = state.table().get(before.frameIndex(), before.blockId());
      boolean begins = !before.coversAnything() && after.coversAnything();
      if (!slot.entry().equals(before)
          || begins && after.coefficient() != state.coefficientOf(after.frameIndex())) {
        return;
      }
      Transaction transaction = state.begin();
      addRuns(transaction, ParityKind.DATA, after, step.low(), data);
      addRuns(transaction, ParityKind.META, after, step.metaFrom(checksum), meta);
      state.commitEntry(transaction, slot.row(), after);
    } finally {
      state.unlock();
    }
  }

  private void addRuns(
      Transaction transaction, ParityKind kind, SlotEntry entry, long position, ByteBuffer delta)
      throws IOException {
    ParityRegion region = state.region(kind);
    int limit = delta.limit();
    for (Extents.Segment segment :
        Extents.segments(entry.runs(), region.bytesPerUnit(), position, limit)) {
      int from = (int) (segment.position() - position);
      transaction.add(
          region,
          segment.regionOffset(),
          entry.coefficient(),
          delta.limit(from + segment.lengthBytes()).position(from));
    }
    delta.limit(limit).position(0);
  }

  /** What is covered keeps its coefficient; a row that covers nothing takes its frame's. */
  private int coefficient(SlotEntry entry) {
    return entry.coversAnything() ? entry.coefficient() : state.coefficientOf(entry.frameIndex());
  }

  private SlotEntry stamp(SlotEntry entry, long generationStamp) throws IOException {
    if (entry.generationStamp() == generationStamp) {
      return entry;
    }
    state.lock();
    try {
      SlotTable.Slot slot = state.table().get(entry.frameIndex(), entry.blockId());
      SlotEntry stamped = slot.entry().withGenerationStamp(generationStamp);
      state.commitEntry(state.begin(), slot.row(), stamped);
      return stamped;
    } finally {
      state.unlock();
    }
  }

  private void requireMove(SlotEntry entry, ChecksumSpec checksum, long prefixBytes)
      throws LstorException {
    String what = "Cannot cover block " + entry.blockId() + ": ";
    if (entry.metaCovered() && !entry.checksum().equals(checksum)) {
      throw new LstorException.Refused(
          what + "checksum=" + checksum + ", expected the covered one " + entry.checksum());
    }
    if (entry.state() == SlotState.LIMBO
        && (prefixBytes > entry.coveredBytes() || !entry.metaCovered())) {
      throw new LstorException.Refused(
          what
              + "prefixBytes="
              + prefixBytes
              + ", expected at most the covered "
              + entry.coveredBytes()
              + " in state LIMBO");
    }
    long units = entry.units();
    if (prefixBytes > units * state.geometry().unitBytes()
        || checksum.metaLength(prefixBytes) > units * state.geometry().metaBytesPerUnit()) {
      throw new LstorException.NoSpace(
          what
              + "prefixBytes="
              + prefixBytes
              + " checksumBytes="
              + checksum.metaLength(prefixBytes)
              + ", expected what fits into "
              + units
              + " units of "
              + state.geometry().unitBytes()
              + " and "
              + state.geometry().metaBytesPerUnit());
    }
  }

  private StepBuffers takeBuffers() {
    @Nullable StepBuffers idle = idleBuffers.poll();
    return idle != null ? idle : new StepBuffers();
  }
}
