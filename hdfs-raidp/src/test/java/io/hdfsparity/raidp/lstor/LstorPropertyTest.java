/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.store.CrashableByteStore;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random operations on an Lstor and on its dumb twin. */
class LstorPropertyTest {
  @Test
  void everyOperationLeavesRowsAndParityAsTheTwinHasThem() {
    SeededRuns.of(12)
        .check(
            random -> {
              CrashableByteStore store =
                  CrashableByteStore.ofSize(LstorModel.storeBytes(), random.nextLong());
              LstorModel.format(store, 4096L << random.nextInt(8));
              LstorModel model = new LstorModel(new Random(random.nextLong()));
              Lstor lstor = Lstor.open(store, LstorModel.EXPECTATION);
              for (int i = 0; i < 60; i++) {
                LstorModel.Op op = model.next();
                try {
                  op.action().on(lstor);
                  model.done(op);
                  model.assertSame(lstor);
                } catch (Exception | AssertionError e) {
                  throw new AssertionError("after " + op, e);
                }
                if (random.nextInt(10) == 0) {
                  lstor.close();
                  lstor = Lstor.open(store, LstorModel.EXPECTATION);
                  assertThat(lstor.stats().journal().replayedRecords()).isZero();
                  model.assertSame(lstor);
                }
              }
              assertThat(lstor.verifyAll((done, total) -> {}).isClean()).isTrue();
              assertThat(LstorCheck.check(store, model::image).errors()).isEmpty();
            });
  }

  @Test
  void countersAgreeWithTheRows() {
    SeededRuns.of(4)
        .check(
            random -> {
              CrashableByteStore store =
                  CrashableByteStore.ofSize(LstorModel.storeBytes(), random.nextLong());
              LstorModel.format(store, 65536);
              LstorModel model = new LstorModel(new Random(random.nextLong()));
              try (Lstor lstor = Lstor.open(store, LstorModel.EXPECTATION)) {
                for (int i = 0; i < 80; i++) {
                  LstorModel.Op op = model.next();
                  op.action().on(lstor);
                  model.done(op);
                  LstorStats stats = lstor.stats();
                  assertThat(stats.rows().entries()).isEqualTo(model.rows().size());
                  assertThat(stats.rows().unacknowledged())
                      .isEqualTo((int) model.rows().stream().filter(SlotEntry::ackPending).count());
                  assertThat(stats.rows().unacknowledgedBytes())
                      .isEqualTo(
                          model.rows().stream()
                              .filter(SlotEntry::ackPending)
                              .mapToLong(SlotEntry::coveredBytes)
                              .sum());
                  assertThat(stats.rows().limbo())
                      .isEqualTo(
                          (int)
                              model.rows().stream()
                                  .filter(row -> row.state() == SlotState.LIMBO)
                                  .count());
                }
              }
            });
  }
}
