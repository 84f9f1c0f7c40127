/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.core.store.FileByteStore;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Offline checker of an Lstor: headers, journal, tables, overlaps, CRCs, and with the blocks'
 * images at hand the parity itself. Unlike an open it continues after a finding. Never writes.
 * Nobody may have the Lstor open for writing meanwhile.
 */
public final class LstorCheck {
  private static final int COMPARE_BYTES = 1 << 18;

  private final ByteStore store;
  private final @Nullable Function<SlotEntry, @Nullable BlockImage> images;
  private final List<String> errors = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final List<SlotEntry> entries = new ArrayList<>();

  /**
   * What a check found.
   *
   * @param errors what breaks a rule of the format or an invariant
   * @param notes what a crash may leave behind: a torn copy of the header, records to replay, a
   *     torn record
   * @param entries rows that could be read
   */
  public record Report(List<String> errors, List<String> notes, List<SlotEntry> entries) {
    public Report {
      errors = List.copyOf(errors);
      notes = List.copyOf(notes);
      entries = List.copyOf(entries);
    }

    public boolean isSound() {
      return errors.isEmpty();
    }
  }

  private LstorCheck(ByteStore store, @Nullable Function<SlotEntry, @Nullable BlockImage> images) {
    this.store = new OverlayStore(store);
    this.images = images;
  }

  /** Checks what can be checked without the blocks. */
  public static Report check(ByteStore store) throws IOException {
    return new LstorCheck(store, null).run();
  }

  /** Checks also that the parity is the sum of the images; a row without an image is an error. */
  public static Report check(ByteStore store, Function<SlotEntry, @Nullable BlockImage> images)
      throws IOException {
    return new LstorCheck(store, images).run();
  }

  /** Prints what it finds in the files named; exits with 1 if something is wrong in one of them. */
  public static void main(String[] args) throws IOException {
    System.exit(checkFiles(List.of(args), System.out));
  }

  static int checkFiles(Collection<String> files, PrintStream out) throws IOException {
    int exitCode = files.isEmpty() ? 2 : 0;
    if (files.isEmpty()) {
      out.println("Usage: LstorCheck <lstor file>...");
    }
    for (String file : files) {
      try (ByteStore store = FileByteStore.open(Path.of(file))) {
        Report report = check(store);
        report.notes().forEach(note -> out.println(file + ": note: " + note));
        report.errors().forEach(error -> out.println(file + ": ERROR: " + error));
        out.println(
            file
                + ": "
                + (report.isSound() ? "sound" : report.errors().size() + " errors")
                + ", "
                + report.entries().size()
                + " rows");
        exitCode = report.isSound() ? exitCode : 1;
      }
    }
    return exitCode;
  }

  private Report run() throws IOException {
    try {
      Superblocks superblocks = Superblocks.read(store);
      if (superblocks.copyLost()) {
        notes.add("one copy of the superblock is unreadable");
      }
      Superblock superblock = superblocks.current();
      Journal.Replay replay = new Journal(store, superblocks).replay();
      if (replay.records() > 0) {
        notes.add("records to replay: " + replay.records());
      }
      if (replay.tornTail()) {
        notes.add("a torn record, never committed");
      }
      checkTables(superblock);
      checkRegion(superblock, ParityRegion.data(store, superblock.geometry(), superblock.layout()));
      checkRegion(superblock, ParityRegion.meta(store, superblock.geometry(), superblock.layout()));
    } catch (LstorException e) {
      errors.add(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
    return new Report(errors, notes, entries);
  }

  private void checkTables(Superblock superblock) throws IOException {
    TableLoader loader =
        new TableLoader(store, superblock, new RowCodec(superblock.geometry(), superblock.salt()));
    SlotTable table = new SlotTable(superblock.geometry(), superblock.maxEntries());
    TableLoader.Findings collect = finding -> errors.add(finding.getMessage());
    loader.loadFrames(new TreeMap<>(), collect);
    loader.loadSlots(
        (row, entry) -> {
          entries.add(entry);
          TableLoader.add(table, row, entry);
        },
        collect);
  }

  private void checkRegion(Superblock superblock, ParityRegion region) throws IOException {
    ExpectedParity expected = new ExpectedParity(superblock.geometry(), Kernels.best());
    List<ExpectedParity.Source> sources = new ArrayList<>();
    Function<SlotEntry, @Nullable BlockImage> known = images;
    if (known != null) {
      sources = ExpectedParity.sources(entries, known);
      if (sources.size() != entries.stream().filter(SlotEntry::coversAnything).count()) {
        errors.add(
            "Cannot compare the "
                + region.kind()
                + " parity: images="
                + sources.size()
                + ", expected one for each row that covers something");
        known = null;
      }
    }
    int step = COMPARE_BYTES / region.cellBytes();
    ByteBuffer actual = ByteBuffer.allocateDirect(COMPARE_BYTES);
    ByteBuffer computed = ByteBuffer.allocateDirect(COMPARE_BYTES);
    for (long first = 0; first < region.cells(); first += step) {
      long past = Math.min(first + step, region.cells());
      actual.clear();
      for (long cell = first; cell < past; cell++) {
        checkCell(region, cell, actual.position((int) (cell - first) * region.cellBytes()));
      }
      int bytes =
          (int)
              Math.min(
                  (past - first) * region.cellBytes(),
                  region.sizeBytes() - first * region.cellBytes());
      if (known != null && bytes > 0) {
        expected.compute(
            region.kind(), first * region.cellBytes(), sources, computed.clear().limit(bytes));
        compare(region, first * region.cellBytes(), actual.clear().limit(bytes), computed);
      }
    }
  }

  private void checkCell(ParityRegion region, long cell, ByteBuffer into) throws IOException {
    try {
      region.load(cell, into);
    } catch (LstorException.CorruptParity e) {
      errors.add(e.getMessage());
    }
  }

  private void compare(
      ParityRegion region, long regionOffset, ByteBuffer actual, ByteBuffer computed) {
    int mismatch = actual.mismatch(computed);
    if (mismatch >= 0) {
      long at = regionOffset + mismatch;
      errors.add(
          "Cannot trust parity: region="
              + region.kind()
              + " unit="
              + at / region.bytesPerUnit()
              + " byte="
              + (actual.get(mismatch) & 0xff)
              + ", expected "
              + (computed.get(mismatch) & 0xff)
              + " from the blocks' images, offset="
              + region.fileOffset(at));
    }
  }
}
