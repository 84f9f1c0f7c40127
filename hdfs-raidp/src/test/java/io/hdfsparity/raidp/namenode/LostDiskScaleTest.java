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
import java.util.OptionalLong;
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

  private List<SlotEntry> rows(String storageId, OptionalLong superchunkId) {
    asked.incrementAndGet();
    assertThat(superchunkId).as("no list of a whole volume").isPresent();
    int volume = Integer.parseInt(storageId.substring(1));
    List<SlotEntry> rows = new ArrayList<>();
    for (long id = volume; id < BLOCKS; id += SUPERCHUNKS) {
      rows.add(
          new SlotEntry(
              0,
              FIRST + id,
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
  void theSuperchunksOfItsBlocksAreKnownAfterOneQuestionASurvivor() {
    report(DiskState.OK);
    report(DiskState.DISK_FAILED);
    ClusterView view = map.view();
    assertThat(view.count(SuperchunkState.DEGRADED)).isEqualTo(SUPERCHUNKS);
    BlockHomes homes = new BlockHomes();
    RowQuestions questions =
        new RowQuestions(
            map::view,
            homes,
            (peer, storageId, superchunkId) -> rows(storageId, superchunkId),
            Runnable::run);
    List<Unfiled> unfiled = new ArrayList<>();
    for (long id = 0; id < Math.min(BLOCKS, RowQuestions.MAX_UNFILED); id++) {
      unfiled.add(new Unfiled(FIRST + id, List.of("V" + id % SUPERCHUNKS)));
    }
    long before = usedBytes();
    long began = System.nanoTime();
    int volumes = questions.ask(unfiled, 0);
    long askMs = (System.nanoTime() - began) / 1_000_000;
    long bytes = usedBytes() - before;
    assertThat(volumes).isEqualTo(SUPERCHUNKS);
    assertThat(asked).hasValue(SUPERCHUNKS);
    ReplicaSuperchunks superchunks = new ReplicaSuperchunks(map::view, homes);
    List<List<String>> storages = new ArrayList<>();
    for (int i = 0; i < SUPERCHUNKS; i++) {
      storages.add(List.of("V" + i));
    }
    began = System.nanoTime();
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
