/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.namenode.BlockSuperchunks.Home;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Unfiled;
import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotCoverage;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.lstor.SlotStatus;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A disk of 256 superchunks is lost. {@code -Ddegraded.blocks} says how many blocks it had; the
 * measured values are in the log.
 */
class LostDiskScaleTest {
  private static final Logger LOG = LoggerFactory.getLogger(LostDiskScaleTest.class);
  private static final int BLOCKS = Integer.getInteger("degraded.blocks", 100_000);
  private static final int SUPERCHUNKS = 256;
  private static final long FIRST = 1L << 30;

  private final SuperchunkMap map =
      new SuperchunkMap(new ManagerOptions.Silence(10_000, 60_000), Coefficients.THREE, 0);
  private final AtomicInteger asked = new AtomicInteger();

  /** Each survivor shares one superchunk with the lost disk and two with other survivors. */
  private void report(DiskState ofLost) {
    FrameReport[] lost = new FrameReport[SUPERCHUNKS];
    for (int i = 0; i < SUPERCHUNKS; i++) {
      lost[i] = Reports.frame("X", i, new Pairing(i, 1, "V" + i, "n" + i, 1));
    }
    map.report(Reports.node("nX", ofLost, lost), 0);
    for (int i = 0; i < SUPERCHUNKS; i++) {
      int next = (i + 1) % SUPERCHUNKS;
      int before = (i + SUPERCHUNKS - 1) % SUPERCHUNKS;
      map.report(
          Reports.node(
              "n" + i,
              Reports.frame("V" + i, 0, new Pairing(i, 1, "X", "nX", 2)),
              Reports.frame("V" + i, 1, new Pairing(1_000 + i, 1, "V" + next, "n" + next, 1)),
              Reports.frame(
                  "V" + i, 2, new Pairing(1_000 + before, 1, "V" + before, "n" + before, 2))),
          0);
    }
  }

  private List<SlotEntry> rows(List<Long> blockIds) {
    asked.incrementAndGet();
    List<SlotEntry> rows = new ArrayList<>();
    for (long id : blockIds) {
      rows.add(
          new SlotEntry(
              0,
              id,
              1,
              List.of(new Run(0, 1)),
              new SlotCoverage(1, true, 2, 512, 1),
              new SlotStatus(SlotState.LIVE, false, false)));
    }
    return rows;
  }

  private static long usedBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  @Test
  void theSuperchunksOfItsBlocksAreKnownAfterOneQuestionASurvivorEachRound() {
    report(DiskState.OK);
    report(DiskState.DISK_FAILED);
    ClusterView view = map.view();
    assertThat(view.count(SuperchunkState.DEGRADED)).isEqualTo(SUPERCHUNKS);
    BlockHomes homes = new BlockHomes();
    RowlessReplicas rowless = new RowlessReplicas();
    RowStorages known = new RowStorages(map::view, List::of, id -> false, () -> true, () -> 0);
    KnownSuperchunks superchunks =
        new KnownSuperchunks(known, homes, rowless, new MovingBlocks(() -> 0));
    RowQuestions questions =
        new RowQuestions(
            known,
            superchunks,
            new RowQuestions.Answers(homes, rowless),
            new UndecidedExcess(),
            new OneSidedBlocks(),
            new RowQuestions.Calls(
                (peer, storageId, blockIds) -> rows(blockIds),
                Runnable::run,
                ids -> {},
                id -> Optional.empty(),
                id -> false,
                ids -> {}));
    long before = usedBytes();
    long askMs = 0;
    int rounds = 0;
    for (long from = 0; from < BLOCKS; from += RowQuestions.MAX_UNFILED) {
      List<Unfiled> unfiled = new ArrayList<>();
      for (long id = from; id < Math.min(BLOCKS, from + RowQuestions.MAX_UNFILED); id++) {
        unfiled.add(new Unfiled(FIRST + id, List.of("V" + id % SUPERCHUNKS)));
      }
      long began = System.nanoTime();
      assertThat(questions.ask(unfiled, 0)).isEqualTo(SUPERCHUNKS);
      askMs += (System.nanoTime() - began) / 1_000_000;
      rounds++;
    }
    long bytes = usedBytes() - before;
    assertThat(asked).hasValue(rounds * SUPERCHUNKS);
    List<List<String>> storages = new ArrayList<>();
    for (int i = 0; i < SUPERCHUNKS; i++) {
      storages.add(List.of("V" + i));
    }
    long began = System.nanoTime();
    int right = 0;
    for (long id = 0; id < BLOCKS; id++) {
      long superchunk = id % SUPERCHUNKS;
      Optional<Home> home = superchunks.of(FIRST + id, storages.get((int) superchunk));
      right += home.isPresent() && home.get().superchunkId() == superchunk ? 1 : 0;
    }
    long lookNanos = (System.nanoTime() - began) / BLOCKS;
    LOG.warn(
        "{} blocks of {} superchunks: {} questions answered and kept in {} ms, about {} bytes a"
            + " block; {} ns for the superchunk of a block",
        BLOCKS,
        SUPERCHUNKS,
        asked.get(),
        askMs,
        bytes / BLOCKS,
        lookNanos);
    assertThat(right).isEqualTo(BLOCKS);
    assertThat(homes.size()).isEqualTo(BLOCKS);
  }
}
