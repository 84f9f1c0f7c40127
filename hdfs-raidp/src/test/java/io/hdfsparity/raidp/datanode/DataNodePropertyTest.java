/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.ManualClock;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.config.Granularity;
import io.hdfsparity.raidp.config.Mode;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Three nodes, each with one disk of two frames, in a ring of superchunks: random creates, appends,
 * truncates, deletes and copies with lost, late and repeated messages and restarts, against a twin
 * that remembers all contents.
 */
class DataNodePropertyTest {
  @TempDir Path base;
  private int round;

  @Test
  void idleBlockGranularityKeepsAllInvariants() {
    SeededRuns.of(4)
        .check(
            random ->
                new RingModel(
                        base.resolve("r" + round++), random, Mode.IDLE, Granularity.BLOCK, 0.2)
                    .run(250));
  }

  @Test
  void inlinePacketGranularityKeepsAllInvariants() {
    SeededRuns.of(4)
        .check(
            random ->
                new RingModel(
                        base.resolve("r" + round++), random, Mode.INLINE, Granularity.PACKET, 0.2)
                    .run(200));
  }

  @Test
  void aSurvivorGoesOnAloneAndItsNewPartnerTakesItsExtents() throws Exception {
    SeededRuns.of(4)
        .check(
            random -> {
              RingModel model =
                  new RingModel(
                      base.resolve("r" + round++), random, Mode.IDLE, Granularity.BLOCK, 0.1);
              model.runWithoutFinish(80);
              model.killAndReplace();
              model.run(80);
            });
  }

  @Test
  void aLostVolumeOfFourFramesIsReplacedFrameByFrame() {
    SeededRuns.of(2)
        .check(
            random -> {
              RingModel model =
                  new RingModel(
                      base.resolve("r" + round++),
                      random,
                      Mode.IDLE,
                      Granularity.BLOCK,
                      0.1,
                      RingModel.Layout.COMPLETE);
              model.runWithoutFinish(80);
              model.killAndReplace();
              model.run(80);
            });
  }

  @Test
  void aLostLstorOfSeveralFramesIsMadeAgainFromThePartnersRows() {
    SeededRuns.of(4)
        .check(
            random -> {
              RingModel model =
                  new RingModel(
                      base.resolve("r" + round++),
                      random,
                      random.nextBoolean() ? Mode.IDLE : Mode.INLINE,
                      Granularity.BLOCK,
                      0.1,
                      RingModel.Layout.COMPLETE);
              model.runWithoutFinish(80);
              model.loseAnLstor();
              model.run(60);
            });
  }

  @Test
  void plainBlocksLieBesideCoveredOnesAndAreTakenIn() {
    SeededRuns.of(4)
        .check(
            random ->
                new RingModel(
                        base.resolve("r" + round++),
                        random,
                        random.nextBoolean() ? Mode.IDLE : Mode.INLINE,
                        random.nextBoolean() ? Granularity.BLOCK : Granularity.PACKET,
                        0.1,
                        RingModel.Layout.COMPLETE)
                    .run(200));
  }

  /** As the others, for much longer. */
  @ParameterizedTest
  @EnumSource(RingModel.Layout.class)
  @Tag("full")
  void manyRuns(RingModel.Layout layout) {
    SeededRuns.of(layout == RingModel.Layout.RING ? 5 : 1)
        .check(
            random -> {
              RingModel model =
                  new RingModel(
                      base.resolve("r" + round++),
                      random,
                      random.nextBoolean() ? Mode.IDLE : Mode.INLINE,
                      random.nextBoolean() ? Granularity.BLOCK : Granularity.PACKET,
                      random.nextInt(4) * 0.1,
                      layout);
              model.runWithoutFinish(150);
              if (random.nextBoolean()) {
                model.killAndReplace();
              }
              model.run(150);
            });
  }

  @Test
  void pairingsOnlyGoForward() throws Exception {
    ManualClock clock = new ManualClock();
    SimNet net = new SimNet(new java.util.Random(1), 0);
    SimNode node =
        new SimNode(base, "n", java.util.List.of("DS-1"), Mode.IDLE, Granularity.BLOCK, clock, net);
    node.start();
    node.pair(0, new Pairing(7, 3, "DS-2", "m", 1));
    node.pair(0, new Pairing(8, 2, "DS-3", "m", 1));
    assertThat(node.sims.get(0).hooks().frame().pairing())
        .contains(new Pairing(7, 3, "DS-2", "m", 1));
    node.stop();
    node.start();
    assertThat(node.sims.get(0).hooks().frame().pairing())
        .contains(new Pairing(7, 3, "DS-2", "m", 1));
    assertThat(node.disk.lstor().frames().get(0).epoch()).isEqualTo(3);
    node.stop();
  }
}
