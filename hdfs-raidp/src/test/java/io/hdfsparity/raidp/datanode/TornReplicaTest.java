/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.ManualClock;
import io.hdfsparity.raidp.config.Granularity;
import io.hdfsparity.raidp.image.Limbo;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replicas that a crash has torn between data and checksum, while nothing can be put into limbo.
 * Hadoop takes a replica that it cannot cut for an empty one, and may delete the block.
 */
class TornReplicaTest {
  private static final long ID = 1_073_741_900L;
  private static final int WHOLE = 3 * SimFrame.BPC;
  private static final int FLUSHED = WHOLE + 100;
  @TempDir Path base;
  private final ManualClock clock = new ManualClock();
  private final SimNet net = new SimNet(new Random(1), 0);
  private SimNode a;
  private SimNode b;

  @BeforeEach
  void start() throws IOException {
    a = SimNode.started(base, "a", Granularity.BLOCK, clock, net);
    b = SimNode.started(base, "b", Granularity.BLOCK, clock, net);
    SimNode.pairFirst(a, b);
    for (SimNode node : List.of(a, b)) {
      node.sims.get(0).reserve(ID, SimNode.MAX_BLOCK);
      node.sims.get(0).write(ID, 1001, bytes());
    }
  }

  @AfterEach
  void stop() throws IOException {
    a.stop();
    b.stop();
  }

  private static byte[] bytes() {
    byte[] content = new byte[FLUSHED];
    new Random(3).nextBytes(content);
    return content;
  }

  private Path data() {
    return a.sims
        .get(0)
        .hooks()
        .frame()
        .directory()
        .rbwDirectory(SimFrame.POOL)
        .resolve("blk_" + ID);
  }

  private void tear() throws IOException {
    Files.write(data(), new byte[50], StandardOpenOption.APPEND);
  }

  private void cut(long stamp, long length) throws IOException {
    Path meta = data().resolveSibling("blk_" + ID + "_" + stamp + ".meta");
    a.sims.get(0).volume().truncating(SimFrame.POOL, ID, data().toFile(), meta.toFile(), length);
  }

  private Path limbo() {
    return a.frameDirectory(0).resolve(Limbo.DIRECTORY);
  }

  private void closeLimbo() throws IOException {
    Files.move(limbo(), limbo().resolveSibling("aside"));
  }

  private void openLimbo() throws IOException {
    Files.move(limbo().resolveSibling("aside"), limbo());
  }

  private boolean isInLimbo() {
    return a.sims.get(0).hooks().frame().limbo().holds(ID);
  }

  @Test
  void whatNoChecksumFitsIsCutOnAFullDisk() throws IOException {
    tear();
    closeLimbo();
    assertThatThrownBy(() -> cut(1001, WHOLE - SimFrame.BPC)).isInstanceOf(IOException.class);
    cut(1001, WHOLE);
    openLimbo();
    assertThat(isInLimbo()).isFalse();
    try (FileChannel file = FileChannel.open(data(), StandardOpenOption.WRITE)) {
      file.truncate(WHOLE);
    }
    a.sims.get(0).bump(ID, 1001, 1002);
    a.sims.get(0).finish(ID, 1002, WHOLE);
    assertThat(a.disk.lstor().entry(0, ID).orElseThrow().coveredBytes()).isEqualTo(WHOLE);
    assertThat(a.service.scrub(new ScrubRequest(Optional.empty(), false, true)).findings())
        .isEmpty();
  }

  @Test
  void itIsKeptWhereThereIsRoom() throws IOException {
    tear();
    cut(1001, WHOLE);
    assertThat(isInLimbo()).isTrue();
  }

  /** The partner would be given what is written there later. */
  @Test
  void aCutOfWhatIsCoveredIsRefusedUnlessItIsNoted() throws IOException {
    for (SimNode node : List.of(a, b)) {
      node.sims.get(0).finish(ID, 1001, FLUSHED);
    }
    a.sims.get(0).reopen(ID, 1001, 1002, SimNode.MAX_BLOCK);
    tear();
    closeLimbo();
    assertThatThrownBy(() -> cut(1002, WHOLE)).isInstanceOf(IOException.class);
    assertThat(a.disk.lstor().entry(0, ID).orElseThrow().coveredBytes()).isEqualTo(FLUSHED);
    openLimbo();
    cut(1002, WHOLE);
    assertThat(a.disk.lstor().entry(0, ID).orElseThrow().coveredBytes()).isEqualTo(WHOLE);
    assertThat(isInLimbo()).isTrue();
  }

  /** As when another volume of the disk was refused at the start. */
  @Test
  void whatNoChecksumFitsIsCutOnADiskThatHasFailed() throws IOException {
    tear();
    a.disk.fail("says the test");
    cut(1001, WHOLE);
    assertThatThrownBy(() -> cut(1001, WHOLE - SimFrame.BPC))
        .isInstanceOf(PeerException.FrameFailed.class);
  }

  @Test
  void aFailedDiskKeepsWhatIsCovered() throws IOException {
    a.sims.get(0).finish(ID, 1001, FLUSHED);
    a.sims.get(0).reopen(ID, 1001, 1002, SimNode.MAX_BLOCK);
    tear();
    a.disk.fail("says the test");
    assertThatThrownBy(() -> cut(1002, WHOLE)).isInstanceOf(PeerException.FrameFailed.class);
  }
}
