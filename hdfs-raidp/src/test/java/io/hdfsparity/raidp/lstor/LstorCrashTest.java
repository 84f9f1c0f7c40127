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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The store is cut at every write and sync of a run; afterwards rows and parity agree, and nothing
 * finished is lost.
 */
class LstorCrashTest {
  private static final int ATOM_BYTES = 8;
  private static final int LIVES = 3;

  @Test
  void scriptedRunSurvivesACutAtEveryChange() {
    cutEverywhere(20, 7, 4096);
    cutEverywhere(20, 11, 65536);
    cutEverywhere(20, 13, 1 << 20);
  }

  @Test
  void randomRunsSurviveACutAnywhere() {
    SeededRuns.of(60)
        .check(
            random -> {
              byte[] formatted = formatted(4096L << random.nextInt(9));
              Run run = new Run(formatted, random.nextLong(), 25);
              run.cutAt(1 + random.nextInt(400), random.nextLong());
            });
  }

  @Test
  @Tag("full")
  void manyRandomRunsSurviveACutAtEveryChange() {
    SeededRuns.of(1)
        .check(random -> cutEverywhere(40, random.nextLong(), 4096L << random.nextInt(9)));
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
      LstorModel.format(store, checkpointBytes);
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
      Random crashes = new Random(crashSeed);
      CrashableByteStore store =
          CrashableByteStore.of(formatted, ATOM_BYTES, crashes).cutAtChange(cut);
      LstorModel.Op inFlight = null;
      boolean crashedFirst = false;
      for (int life = 0; life < LIVES; life++) {
        List<LstorModel.Op> begun = new ArrayList<>();
        try (Lstor lstor = Lstor.open(store, LstorModel.EXPECTATION)) {
          if (inFlight != null) {
            finish(lstor, model, inFlight);
          }
          if (life > 0) {
            store.cutAtChange(1 + crashes.nextInt(60));
          }
          for (int i = 0; i < ops; i++) {
            begun.add(model.next());
            begun.get(i).action().on(lstor);
            model.done(begun.get(i));
          }
        } catch (StoreCrashedException e) {
          assertThat(store.isCrashed()).isTrue();
        } catch (IOException | AssertionError e) {
          throw new AssertionError(
              "seed=" + seed + " cut=" + cut + " life=" + life + " in " + begun, e);
        }
        crashedFirst |= life == 0 && store.isCrashed();
        LstorModel.Op last = begun.isEmpty() ? null : begun.get(begun.size() - 1);
        inFlight =
            last != null && !Objects.equals(model.row(last.frame(), last.blockId()), last.after())
                ? last
                : null;
        try {
          store = afterCrash(store.crash().reopen(), model, last, crashes);
        } catch (IOException | AssertionError e) {
          throw new AssertionError(
              "seed="
                  + seed
                  + " crashSeed="
                  + crashSeed
                  + " cut="
                  + cut
                  + " life="
                  + life
                  + " in "
                  + last,
              e);
        }
      }
      return crashedFirst;
    }

    /** What is on the store agrees with the model, also after another crash while it is opened. */
    private static CrashableByteStore afterCrash(
        CrashableByteStore survived, LstorModel model, LstorModel.@Nullable Op last, Random random)
        throws IOException {
      LstorCheck.Report report = LstorCheck.check(survived, model::image);
      assertThat(report.errors()).isEmpty();
      assertRows(report.entries(), model, last);
      CrashableByteStore again = crashDuringReplay(survived, random);
      LstorCheck.Report replayed = LstorCheck.check(again, model::image);
      assertThat(replayed.errors()).isEmpty();
      assertThat(replayed.entries()).containsExactlyInAnyOrderElementsOf(report.entries());
      return again;
    }

    private static CrashableByteStore crashDuringReplay(CrashableByteStore store, Random random)
        throws IOException {
      store.cutAtChange(1 + random.nextInt(20));
      try (Lstor lstor = Lstor.open(store, LstorModel.EXPECTATION)) {
        assertThat(lstor.identity()).isEqualTo(LstorModel.IDENTITY);
      } catch (StoreCrashedException e) {
        assertThat(store.isCrashed()).isTrue();
      }
      return store.crash().reopen();
    }

    /** Does what was in flight to its end. */
    private static void finish(Lstor lstor, LstorModel model, LstorModel.Op op) throws IOException {
      op.action().on(lstor);
      model.done(op);
      SlotEntry after = op.after();
      if (after != null) {
        // A flag that a half-done step has set is not in the model, which computes from the row
        // before the operation.
        SlotEntry actual = lstor.entry(op.frame(), op.blockId()).orElseThrow();
        assertThat(
                actual.withStatus(
                    new SlotStatus(actual.state(), after.ackPending(), after.partnerClear())))
            .isEqualTo(after);
        lstor.change(op.frame(), op.blockId(), row -> after.status());
      }
      model.assertSame(lstor);
      assertThat(lstor.verifyAll((done, total) -> {}).isClean()).isTrue();
    }

    private static void assertRows(
        List<SlotEntry> found, LstorModel model, LstorModel.@Nullable Op inFlight) {
      Set<SlotEntry> others = new HashSet<>(found);
      Set<SlotEntry> expected = new HashSet<>(model.rows());
      if (inFlight != null) {
        others.removeIf(
            row -> row.frameIndex() == inFlight.frame() && row.blockId() == inFlight.blockId());
        expected.removeIf(
            row -> row.frameIndex() == inFlight.frame() && row.blockId() == inFlight.blockId());
        assertBetween(found, inFlight);
      }
      assertThat(others).isEqualTo(expected);
    }

    private static void assertBetween(List<SlotEntry> found, LstorModel.Op op) {
      SlotEntry row =
          found.stream()
              .filter(entry -> entry.frameIndex() == op.frame() && entry.blockId() == op.blockId())
              .findFirst()
              .orElse(null);
      SlotEntry before = op.before();
      SlotEntry after = op.after();
      if (row == null || before == null || after == null) {
        assertThat(row).isIn(before, after);
        return;
      }
      assertThat(row.coveredBytes())
          .isBetween(
              Math.min(before.coveredBytes(), after.coveredBytes()),
              Math.max(before.coveredBytes(), after.coveredBytes()));
      assertThat(row.runs()).isIn(before.runs(), after.runs());
      assertThat(row.generationStamp()).isIn(before.generationStamp(), after.generationStamp());
      assertThat(row.state()).isIn(before.state(), after.state());
      if (row.coveredBytes() != before.coveredBytes()
          && row.coveredBytes() != after.coveredBytes()
          && op.name().startsWith("c")
          && row.bytesPerChecksum() != 1000) {
        assertThat(row.coveredBytes() % 4096 == 0 || op.name().equals("clearLost")).isTrue();
      }
    }
  }
}
