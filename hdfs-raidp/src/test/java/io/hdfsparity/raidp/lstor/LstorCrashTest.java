/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.store.CrashableByteStore;
import io.hdfsparity.core.store.StoreCrashedException;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The store is cut at every write and sync of a run; afterwards rows and parity agree, and nothing finished is lost. */
class LstorCrashTest {
  private static final int ATOM_BYTES = 8;

  @Test
  void scriptedRunSurvivesACutAtEveryChange() {
    cutEverywhere(20, 7, 4096);
    cutEverywhere(20, 11, 65536);
    cutEverywhere(20, 13, 1 << 20);
  }

  @Test
  void randomRunsSurviveACutAnywhere() {
    SeededRuns.of(60).check(random -> {
      byte[] formatted = formatted(4096L << random.nextInt(9));
      Run run = new Run(formatted, random.nextLong(), 25);
      run.cutAt(1 + random.nextInt(400), random.nextLong());
    });
  }

  @Test
  @Tag("full")
  void manyRandomRunsSurviveACutAtEveryChange() {
    SeededRuns.of(10).check(random -> cutEverywhere(40, random.nextLong(), 4096L << random.nextInt(9)));
  }

  private static void cutEverywhere(int ops, long seed, long checkpointBytes) {
    byte[] formatted = formatted(checkpointBytes);
    long cut = 1;
    while (new Run(formatted, seed, ops).cutAt(cut, seed ^ cut)) {
      cut++;
    }
    assertThat(cut).as("changes of the run").isGreaterThan(ops);
  }

  private static byte[] formatted(long checkpointBytes) {
    try {
      CrashableByteStore store = CrashableByteStore.ofSize(LstorModel.storeBytes(), 1);
      Lstor.format(store, LstorModel.GEOMETRY, LstorModel.IDENTITY, LstorModel.options(checkpointBytes));
      return store.content();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** A run of operations that follow from a seed. */
  private record Run(byte[] formatted, long seed, int ops) {

    /** Runs until the cut; false when the run was over before it. */
    boolean cutAt(long cut, long crashSeed) {
      LstorModel model = new LstorModel(new Random(seed));
      CrashableByteStore store = CrashableByteStore.of(formatted, ATOM_BYTES, new Random(crashSeed)).cutAtChange(cut);
      LstorModel.Op inFlight = null;
      try {
        try (Lstor lstor = Lstor.open(store, LstorModel.EXPECTATION)) {
          for (int i = 0; i < ops; i++) {
            inFlight = model.next();
            inFlight.action().on(lstor);
            model.done(inFlight);
            inFlight = null;
          }
        }
      } catch (StoreCrashedException e) {
        assertThat(store.isCrashed()).isTrue();
      } catch (IOException | AssertionError e) {
        throw new AssertionError("seed=" + seed + " cut=" + cut + " in " + inFlight, e);
      }
      boolean crashed = store.isCrashed();
      try {
        afterCrash(store.crash().reopen(), model, inFlight, new Random(crashSeed));
      } catch (IOException | AssertionError e) {
        throw new AssertionError("seed=" + seed + " crashSeed=" + crashSeed + " cut=" + cut + " in " + inFlight, e);
      }
      return crashed;
    }

    private void afterCrash(CrashableByteStore survived, LstorModel model, LstorModel.@Nullable Op inFlight, Random random)
        throws IOException {
      LstorCheck.Report report = LstorCheck.check(survived, model::image);
      assertThat(report.errors()).isEmpty();
      assertRows(report.entries(), model, inFlight);
      CrashableByteStore again = crashDuringReplay(survived, random);
      assertThat(LstorCheck.check(again, model::image).entries()).containsExactlyInAnyOrderElementsOf(report.entries());
      try (Lstor lstor = Lstor.open(again, LstorModel.EXPECTATION)) {
        assertThat(lstor.entries()).containsExactlyInAnyOrderElementsOf(report.entries());
        if (inFlight != null) {
          inFlight.action().on(lstor);
          model.done(inFlight);
          assertSameBesidesFlags(lstor, model, inFlight);
        } else {
          model.assertSame(lstor);
        }
        assertThat(lstor.verifyAll((done, total) -> {}).isClean()).isTrue();
      }
      assertThat(LstorCheck.check(again, model::image).errors()).isEmpty();
    }

    private static CrashableByteStore crashDuringReplay(CrashableByteStore store, Random random) throws IOException {
      store.cutAtChange(1 + random.nextInt(20));
      try (Lstor lstor = Lstor.open(store, LstorModel.EXPECTATION)) {
        assertThat(lstor.identity()).isEqualTo(LstorModel.IDENTITY);
      } catch (StoreCrashedException e) {
        assertThat(store.isCrashed()).isTrue();
      }
      return store.crash().reopen();
    }

    private static void assertSameBesidesFlags(Lstor lstor, LstorModel model, LstorModel.Op op) throws IOException {
      // What a half-done step has already set (ackPending) the model computes from the row before the operation.
      SlotEntry after = op.after();
      if (after != null) {
        SlotEntry actual = lstor.entry(op.frame(), op.blockId()).orElseThrow();
        assertThat(actual.withFlags(after.state(), after.ackPending(), after.partnerClear())).isEqualTo(after);
        assertThat(actual.state()).isEqualTo(after.state());
        lstor.setFlags(op.frame(), op.blockId(), after.state(), after.ackPending(), after.partnerClear());
      }
      model.assertSame(lstor);
    }

    private static void assertRows(List<SlotEntry> found, LstorModel model, LstorModel.@Nullable Op inFlight) {
      Set<SlotEntry> others = new HashSet<>(found);
      Set<SlotEntry> expected = new HashSet<>(model.rows());
      if (inFlight != null) {
        others.removeIf(row -> row.frameIndex() == inFlight.frame() && row.blockId() == inFlight.blockId());
        expected.removeIf(row -> row.frameIndex() == inFlight.frame() && row.blockId() == inFlight.blockId());
        assertBetween(found, inFlight);
      }
      assertThat(others).isEqualTo(expected);
    }

    private static void assertBetween(List<SlotEntry> found, LstorModel.Op op) {
      SlotEntry row = found.stream().filter(entry -> entry.frameIndex() == op.frame() && entry.blockId() == op.blockId())
          .findFirst().orElse(null);
      SlotEntry before = op.before();
      SlotEntry after = op.after();
      if (row == null || before == null || after == null) {
        assertThat(row).isIn(before, after);
        return;
      }
      assertThat(row.coveredBytes()).isBetween(Math.min(before.coveredBytes(), after.coveredBytes()),
          Math.max(before.coveredBytes(), after.coveredBytes()));
      assertThat(row.runs()).isIn(before.runs(), after.runs());
      assertThat(row.generationStamp()).isIn(before.generationStamp(), after.generationStamp());
      assertThat(row.state()).isIn(before.state(), after.state());
      if (row.coveredBytes() != before.coveredBytes() && row.coveredBytes() != after.coveredBytes()
          && op.name().startsWith("c") && row.bytesPerChecksum() != 1000) {
        assertThat(row.coveredBytes() % 4096 == 0 || op.name().equals("clearLost")).isTrue();
      }
    }
  }
}
