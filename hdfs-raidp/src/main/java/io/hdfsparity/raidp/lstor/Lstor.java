/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import io.hdfsparity.core.store.ByteStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The Lstor of a disk. */
public final class Lstor implements Closeable {
  private Lstor() {}

  /** Makes an empty Lstor in a store that reads as zeros. */
  public static void format(ByteStore store, LstorGeometry geometry, LstorIdentity identity, long journalBytes,
      int maxEntries) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Bytes that a store needs for such an Lstor. */
  public static long requiredBytes(LstorGeometry geometry, long journalBytes, int maxEntries) {
    throw new UnsupportedOperationException();
  }

  /** Opens for reading and writing; replays the journal. Closing the Lstor closes the store. */
  public static Lstor open(ByteStore store, LstorExpectation expectation) throws IOException {
    throw new UnsupportedOperationException();
  }

  public LstorGeometry geometry() {
    throw new UnsupportedOperationException();
  }

  public LstorIdentity identity() {
    throw new UnsupportedOperationException();
  }

  /** Frame rows that have been set, by frame index. */
  public List<FrameRow> frames() {
    throw new UnsupportedOperationException();
  }

  public void setFrame(FrameRow row) throws IOException {
    throw new UnsupportedOperationException();
  }

  public Optional<SlotEntry> entry(int frame, long blockId) {
    throw new UnsupportedOperationException();
  }

  public List<SlotEntry> entries(int frame) {
    throw new UnsupportedOperationException();
  }

  public List<SlotEntry> entries() {
    throw new UnsupportedOperationException();
  }

  /** Rows of any frame that hold one of the units. */
  public List<SlotEntry> entriesOn(Collection<Integer> units) {
    throw new UnsupportedOperationException();
  }

  public int freeUnits(int frame) {
    throw new UnsupportedOperationException();
  }

  /** Whether no row of the frame holds a unit of the runs. */
  public boolean isFree(int frame, List<Run> runs) {
    throw new UnsupportedOperationException();
  }

  /** Plans extents; stores nothing. */
  public List<Run> allocate(int frame, int units) throws IOException {
    throw new UnsupportedOperationException();
  }

  public SlotEntry reserve(int frame, long blockId, List<Run> runs, long generationStamp) throws IOException {
    throw new UnsupportedOperationException();
  }

  public SlotEntry resize(int frame, long blockId, List<Run> runs) throws IOException {
    throw new UnsupportedOperationException();
  }

  public SlotEntry setCoverage(int frame, long blockId, long generationStamp, ChecksumSpec checksum, long prefixBytes,
      BlockImage image) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Takes everything out, the checksum header too. */
  public SlotEntry clearCoverage(int frame, long blockId, BlockImage image) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Takes everything out of a row whose image is lost, by recomputing the parity from the other rows. */
  public SlotEntry clearLostCoverage(int frame, long blockId, Function<SlotEntry, @Nullable BlockImage> images)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  public SlotEntry setFlags(int frame, long blockId, SlotState state, boolean ackPending, boolean partnerClear)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  public void remove(int frame, long blockId) throws IOException {
    throw new UnsupportedOperationException();
  }

  public void readParity(ParityKind kind, long position, ByteBuffer dst) throws IOException {
    throw new UnsupportedOperationException();
  }

  public void rebuildUnits(Collection<Integer> units, Function<SlotEntry, @Nullable BlockImage> images)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  public ScrubResult verifyAll(ScrubResult.Progress progress) throws IOException {
    throw new UnsupportedOperationException();
  }

  public void checkpoint() throws IOException {
    throw new UnsupportedOperationException();
  }

  public LstorStats stats() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() throws IOException {
    throw new UnsupportedOperationException();
  }
}
