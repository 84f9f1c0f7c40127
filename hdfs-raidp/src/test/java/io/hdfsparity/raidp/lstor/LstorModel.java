/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.gf.Gf256;
import io.hdfsparity.core.store.ByteStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The dumb twin of an Lstor: rows in a map, parity computed byte by byte, and random operations on
 * both.
 */
final class LstorModel {
  static final LstorGeometry GEOMETRY = LstorGeometry.of(3, 10, 65536);
  static final LstorIdentity IDENTITY = new LstorIdentity("CID-one", "disk-1", "node-1");
  static final LstorExpectation EXPECTATION = new LstorExpectation("CID-one", "disk-1");
  static final long JOURNAL_BYTES = LstorFormat.MIN_JOURNAL_BYTES;
  static final int MAX_ENTRIES = 40;
  static final int BLOCK_BYTES = 6 * 65536;
  private static final List<ChecksumSpec> CHECKSUMS =
      List.of(
          new ChecksumSpec(2, 512),
          new ChecksumSpec(1, 512),
          new ChecksumSpec(2, 1000),
          new ChecksumSpec(2, 4096),
          new ChecksumSpec(0, 512));

  private final Map<String, SlotEntry> rows = new HashMap<>();
  private final Set<Long> everUsed = new HashSet<>();
  private final Map<String, TestImage> images = new HashMap<>();
  private final Random random;

  LstorModel(Random random) {
    this.random = random;
  }

  /** An operation on the Lstor, with the row before and after it; null for no row. */
  record Op(
      String name,
      int frame,
      long blockId,
      @Nullable SlotEntry before,
      @Nullable SlotEntry after,
      Action action) {
    @Override
    public String toString() {
      return name + " frame=" + frame + " block=" + blockId + " from " + before + " to " + after;
    }
  }

  /** What an operation does; may be called again after a crash. */
  interface Action {
    void on(Lstor lstor) throws IOException;
  }

  List<SlotEntry> rows() {
    return List.copyOf(rows.values());
  }

  @Nullable SlotEntry row(int frame, long blockId) {
    return rows.get(key(frame, blockId));
  }

  TestImage image(SlotEntry entry) {
    return images.computeIfAbsent(
        key(entry.frameIndex(), entry.blockId()) + checksumOf(entry),
        key -> new TestImage(entry.frameIndex(), entry.blockId(), BLOCK_BYTES, checksumOf(entry)));
  }

  void done(Op op) {
    everUsed.add(op.blockId());
    if (op.after() == null) {
      rows.remove(key(op.frame(), op.blockId()));
    } else {
      rows.put(key(op.frame(), op.blockId()), op.after());
    }
  }

  /** A random operation that the Lstor must accept. */
  Op next() {
    while (true) {
      Op op = random.nextInt(4) == 0 || rows.isEmpty() ? reserve() : onRow();
      if (op != null) {
        return op;
      }
    }
  }

  private @Nullable Op reserve() {
    int frame = random.nextInt(GEOMETRY.frames());
    List<Run> runs = randomFree(frame, List.of(), 1 + random.nextInt(5));
    if (runs.isEmpty()) {
      return null;
    }
    long blockId = 1000 + random.nextInt(1_000_000);
    if (row(frame, blockId) != null) {
      return null;
    }
    long stamp = random.nextInt(100);
    SlotEntry after =
        new SlotEntry(frame, blockId, stamp, runs, SlotCoverage.NONE, SlotStatus.RESERVED);
    return new Op(
        "reserve",
        frame,
        blockId,
        null,
        after,
        lstor -> lstor.reserve(frame, blockId, runs, stamp));
  }

  private @Nullable Op onRow() {
    List<SlotEntry> all = new ArrayList<>(rows.values());
    all.sort(Comparator.comparingInt(SlotEntry::frameIndex).thenComparingLong(SlotEntry::blockId));
    SlotEntry row = all.get(random.nextInt(all.size()));
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3, 4 -> cover(row);
      case 5 -> clear(row);
      case 6 -> clearLost(row);
      case 7, 8 -> live(row);
      case 9 -> resize(row);
      case 10 -> remove(row);
      default -> rebuild(row);
    };
  }

  private Op cover(SlotEntry row) {
    ChecksumSpec checksum =
        row.metaCovered() ? row.checksum() : CHECKSUMS.get(random.nextInt(CHECKSUMS.size()));
    long fits = (long) row.units() * GEOMETRY.unitBytes();
    long most = row.state() == SlotState.LIMBO ? row.coveredBytes() : Math.min(fits, BLOCK_BYTES);
    if (row.state() == SlotState.LIMBO && !row.metaCovered()) {
      return clear(row);
    }
    long prefix =
        switch (random.nextInt(4)) {
          case 0 -> 0;
          case 1 -> most;
          default -> random.nextInt((int) most + 1);
        };
    boolean changes = !row.metaCovered() || prefix != row.coveredBytes();
    boolean grows = !row.metaCovered() || prefix > row.coveredBytes();
    SlotState state = row.state() == SlotState.RESERVED ? SlotState.LIVE : row.state();
    long stamp = random.nextInt(100);
    SlotEntry after =
        new SlotEntry(
            row.frameIndex(),
            row.blockId(),
            stamp,
            row.runs(),
            new SlotCoverage(
                prefix,
                true,
                checksum.typeId(),
                checksum.bytesPerChecksum(),
                row.metaCovered() ? row.coefficient() : coefficientOf(row.frameIndex())),
            new SlotStatus(
                state,
                row.ackPending() || (changes && state == SlotState.LIVE),
                row.partnerClear() && !grows));
    return op(
        "cover",
        row,
        after,
        lstor ->
            lstor.setCoverage(
                row.frameIndex(), row.blockId(), stamp, checksum, prefix, image(after)));
  }

  private Op clear(SlotEntry row) {
    return op(
        "clear",
        row,
        cleared(row),
        lstor -> lstor.clearCoverage(row.frameIndex(), row.blockId(), image(row)));
  }

  private Op clearLost(SlotEntry row) {
    return op(
        "clearLost",
        row,
        cleared(row),
        lstor ->
            lstor.clearLostCoverage(
                row.frameIndex(),
                row.blockId(),
                other -> {
                  assertThat(other.blockId()).isNotEqualTo(row.blockId());
                  return image(other);
                }));
  }

  private static SlotEntry cleared(SlotEntry row) {
    return new SlotEntry(
        row.frameIndex(),
        row.blockId(),
        row.generationStamp(),
        row.runs(),
        new SlotCoverage(0, false, row.checksumTypeId(), row.bytesPerChecksum(), row.coefficient()),
        new SlotStatus(
            row.state(), row.metaCovered() ? false : row.ackPending(), row.partnerClear()));
  }

  /** A random cause that the plain table allows. */
  private Op live(SlotEntry row) {
    SlotCause cause = randomCause(row, SlotCause.Method.APPLY);
    SlotEntry after = row.withStatus(SlotLifeTable.after(row, cause).orElseThrow());
    return op(
        "apply " + cause,
        row,
        after,
        lstor -> {
          // Done again after a crash that came when it was durable already.
          if (!lstor.entry(row.frameIndex(), row.blockId()).equals(Optional.of(after))) {
            lstor.apply(row.frameIndex(), row.blockId(), cause);
          }
        });
  }

  private SlotCause randomCause(SlotEntry row, SlotCause.Method method) {
    List<SlotCause> allowed =
        Stream.of(SlotCause.values())
            .filter(cause -> cause.method() == method && SlotLifeTable.allows(row, cause))
            .toList();
    return allowed.get(random.nextInt(allowed.size()));
  }

  private Op resize(SlotEntry row) {
    int kept = 0;
    while ((long) kept * GEOMETRY.unitBytes() < row.coveredBytes()
        || (long) kept * GEOMETRY.metaBytesPerUnit() < row.coveredMetaBytes()) {
      kept++;
    }
    List<Run> head = Extents.trim(row.runs(), Math.max(kept, random.nextInt(row.units() + 1)));
    List<Run> runs =
        Extents.append(head, randomFree(row.frameIndex(), row.runs(), random.nextInt(3)));
    return runs.isEmpty()
        ? live(row)
        : op(
            "resize",
            row,
            row.withRuns(runs),
            lstor -> lstor.resize(row.frameIndex(), row.blockId(), runs));
  }

  private Op remove(SlotEntry row) {
    if (row.coversAnything()) {
      return clear(row);
    }
    SlotCause cause = randomCause(row, SlotCause.Method.REMOVE);
    return op(
        "remove",
        row,
        null,
        lstor -> {
          if (lstor.entry(row.frameIndex(), row.blockId()).isPresent()) {
            lstor.remove(row.frameIndex(), row.blockId(), cause);
          }
        });
  }

  private Op rebuild(SlotEntry row) {
    List<Integer> units = Extents.unitsOf(row.runs()).stream().boxed().toList();
    return op("rebuild", row, row, lstor -> lstor.rebuildUnits(units, this::image));
  }

  private static Op op(String name, SlotEntry before, @Nullable SlotEntry after, Action action) {
    return new Op(name, before.frameIndex(), before.blockId(), before, after, action);
  }

  /** Random free units, each of which may be a run of its own and in any order. */
  private List<Run> randomFree(int frame, List<Run> besides, int units) {
    BitSet taken = Extents.unitsOf(besides);
    rows.values().stream()
        .filter(row -> row.frameIndex() == frame)
        .forEach(row -> taken.or(Extents.unitsOf(row.runs())));
    List<Integer> free = new ArrayList<>();
    for (int unit = 0; unit < GEOMETRY.unitsPerFrame(); unit++) {
      if (!taken.get(unit)) {
        free.add(unit);
      }
    }
    if (random.nextInt(3) == 0) {
      java.util.Collections.shuffle(free, random);
    }
    return Extents.normalize(free.stream().limit(units).map(unit -> new Run(unit, 1)).toList());
  }

  /** Compares rows and every parity byte. */
  void assertSame(Lstor lstor) throws IOException {
    assertThat(lstor.entries()).containsExactlyInAnyOrderElementsOf(rows.values());
    assertThat(lstor.entries()).allMatch(SlotLifeTable::isReachable);
    for (int frame = 0; frame < GEOMETRY.frames(); frame++) {
      int used = 0;
      for (long blockId : everUsed) {
        int wanted = frame;
        assertThat(lstor.frameOf(blockId, each -> each == wanted).isPresent())
            .as("index by block: frame=" + frame + " block=" + blockId)
            .isEqualTo(row(frame, blockId) != null);
      }
      for (SlotEntry row : rows.values()) {
        used += row.frameIndex() == frame ? row.units() : 0;
      }
      assertThat(lstor.freeUnits(frame)).isEqualTo(GEOMETRY.unitsPerFrame() - used);
    }
    for (ParityKind kind : ParityKind.values()) {
      byte[] expected = parity(kind, rows());
      ByteBuffer actual = ByteBuffer.allocate(expected.length);
      lstor.readParity(kind, 0, actual);
      assertThat(actual.array()).as("%s parity", kind).isEqualTo(expected);
    }
  }

  byte[] parity(ParityKind kind, List<SlotEntry> entries) {
    boolean isData = kind == ParityKind.DATA;
    int perUnit = isData ? GEOMETRY.unitBytes() : GEOMETRY.metaBytesPerUnit();
    byte[] parity = new byte[GEOMETRY.unitsPerFrame() * perUnit];
    for (SlotEntry row : entries) {
      if (row.metaCovered()) {
        byte[] bytes = isData ? image(row).data() : image(row).meta((int) row.coveredBytes());
        int covered = isData ? (int) row.coveredBytes() : bytes.length;
        List<Integer> units = new ArrayList<>();
        row.runs()
            .forEach(
                run -> {
                  for (int unit = run.start(); unit < run.end(); unit++) {
                    units.add(unit);
                  }
                });
        for (int i = 0; i < covered; i++) {
          parity[units.get(i / perUnit) * perUnit + i % perUnit] ^=
              (byte) Gf256.multiply(row.coefficient(), bytes[i] & 0xff);
        }
      }
    }
    return parity;
  }

  /** Frame 1 has the other coefficient than 0 and 2. */
  private static int coefficientOf(int frame) {
    return frame == 1 ? 2 : 1;
  }

  /** Formats an Lstor whose frames have the coefficients that this model multiplies by. */
  static void format(ByteStore store, long checkpointBytes) throws IOException {
    Lstor.format(store, GEOMETRY, IDENTITY, options(checkpointBytes));
    Lstor lstor = Lstor.open(store, EXPECTATION);
    for (int frame = 0; frame < GEOMETRY.frames(); frame++) {
      lstor.setFrame(new FrameRow(frame, "DS-" + frame, frame, 1, "", "", coefficientOf(frame)));
    }
    lstor.checkpoint();
  }

  static LstorFormatOptions options(long checkpointBytes) {
    return new LstorFormatOptions(JOURNAL_BYTES, checkpointBytes, MAX_ENTRIES, 0x5eed5a17L);
  }

  static int storeBytes() {
    return (int) Lstor.requiredBytes(GEOMETRY, JOURNAL_BYTES, MAX_ENTRIES);
  }

  private static String key(int frame, long blockId) {
    return frame + "/" + blockId + "/";
  }

  private static ChecksumSpec checksumOf(SlotEntry entry) {
    return entry.bytesPerChecksum() == 0 ? CHECKSUMS.get(0) : entry.checksum();
  }
}
