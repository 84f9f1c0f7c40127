/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.datanode.VolumeHooks;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotCause;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** Plain replicas that become covered ones, in superchunk 5 of a and b; a leads. */
class ReplicaTakeInTest extends SharedVolumeNodes {
  private static final SuperchunkRef FIVE = new SuperchunkRef(5, 1);
  private static final int LENGTH = 70_000;

  private void storePlain(long blockId, SimNode... nodes) throws IOException {
    placed.put(blockId, new SuperchunkAnswer.Plain());
    for (SimNode node : nodes) {
      create(node, blockId);
      node.sims.get(0).write(blockId, 1001, content(LENGTH));
      node.sims.get(0).finish(blockId, 1001, LENGTH);
    }
  }

  private static byte[] content(int length) {
    byte[] content = new byte[length];
    new java.util.Random(7).nextBytes(content);
    return content;
  }

  private static List<Long> cover(SimNode node, long... blockIds) throws IOException {
    return node.service.cover(
        "DS-" + node.name, FIVE, java.util.Arrays.stream(blockIds).boxed().toList());
  }

  private static SlotEntry row(SimNode node, long blockId) {
    return node.disk.lstor().entry(frameOf(node, blockId), blockId).orElseThrow();
  }

  private void verifyScrub() throws IOException {
    for (SimNode node : List.of(a, b, c)) {
      assertThat(node.service.scrub(new ScrubRequest(Optional.empty(), false, true)).findings())
          .isEmpty();
    }
  }

  /** Both cover the block whole, at the extents that the leader says, and have acknowledged it. */
  private void verifyCovered(long blockId, int length) throws IOException {
    for (SimNode node : List.of(a, b)) {
      assertThat(row(node, blockId))
          .matches(row -> row.state() == SlotState.LIVE && !row.ackPending(), "settled")
          .matches(row -> row.coveredBytes() == length, "whole");
      assertThat(volume(node).volume().claims().of(blockId)).as("claims that leak").isEmpty();
    }
    List<Run> extents = row(a, blockId).runs();
    assertThat(row(b, blockId).runs()).isEqualTo(extents);
    verifyScrub();
  }

  private void verifyPlain(long blockId, SimNode... nodes) throws IOException {
    for (SimNode node : nodes) {
      assertThat(frameOf(node, blockId)).as("row on " + node.name).isEqualTo(-1);
      assertThat(volume(node).engineOf(blockId)).isEmpty();
    }
    verifyScrub();
  }

  @Test
  void bothSidesTakeABlockInAndTheStrangerStaysPlain() throws IOException {
    storePlain(ID, a, b, c);
    assertThat(cover(a, ID)).containsExactly(ID);
    assertThat(cover(b, ID)).containsExactly(ID);
    assertThat(cover(b, ID)).as("again").containsExactly(ID);
    settle();
    verifyCovered(ID, LENGTH);
    verifyPlain(ID, c);
    assertThat(cover(a, ID)).as("it has it").containsExactly(ID);
    a.sims.get(0).delete(ID);
    b.sims.get(0).delete(ID);
    settle();
    assertThat(a.disk.lstor().entries()).isEmpty();
    assertThat(b.disk.lstor().entries()).isEmpty();
  }

  @Test
  void theFollowerMayBeAskedFirst() throws IOException {
    storePlain(ID, a, b);
    cover(b, ID);
    for (int i = 0; i < 3; i++) {
      b.settle();
    }
    cover(a, ID);
    settle();
    verifyCovered(ID, LENGTH);
  }

  /** The partner's row tells that the block is in the superchunk. */
  @Test
  void oneSideThatHasTakenItInTakesTheOtherAlong() throws IOException {
    storePlain(ID, a, b);
    cover(a, ID);
    settle();
    verifyCovered(ID, LENGTH);
    storePlain(ID + 1, a, b);
    cover(b, ID + 1);
    settle();
    verifyCovered(ID + 1, LENGTH);
  }

  @Test
  void whatIsNotThereOrNotCompleteIsNotTaken() throws IOException {
    long striped = -9_223_372_036_854_775_792L;
    create(a, striped);
    a.sims.get(0).write(striped, 1001, content(LENGTH));
    a.sims.get(0).finish(striped, 1001, LENGTH);
    placed.put(ID + 1, new SuperchunkAnswer.Plain());
    create(a, ID + 1);
    a.sims.get(0).write(ID + 1, 1001, content(LENGTH));
    storePlain(ID + 2, a);
    a.sims.get(0).delete(ID + 2);
    storePlain(ID + 3, a);
    Path data = a.sims.get(0).path(ID + 3);
    Files.move(data, a.root().resolve("trash"));
    assertThat(cover(a, ID, striped, ID + 1, ID + 2, ID + 3)).isEmpty();
    settle();
    assertThat(a.disk.lstor().entries()).isEmpty();
    Files.move(a.root().resolve("trash"), data);
    verifyScrub();
  }

  /** A replica that HDFS has copied and not yet moved to its place. */
  @Test
  void aReplicaThatIsBeingFinalizedIsTakenOnceItIs() throws IOException {
    placed.put(ID, new SuperchunkAnswer.Plain());
    create(a, ID);
    a.sims.get(0).write(ID, 1001, content(LENGTH));
    a.sims.get(0).finishCutShort(ID, 1001, LENGTH);
    assertThat(cover(a, ID)).isEmpty();
    a.sims.get(0).finish(ID, 1001, LENGTH);
    assertThat(cover(a, ID)).containsExactly(ID);
  }

  @Test
  void checksumsThatTheParityCannotHoldAreNotTaken() throws IOException {
    storePlain(ID, a);
    Path data = a.sims.get(0).path(ID);
    Files.write(
        data.resolveSibling(data.getFileName() + "_1001.meta"), new byte[] {0, 1, 0, 0, 0, 2, 0});
    assertThat(cover(a, ID)).isEmpty();
    verifyPlain(ID, a);
  }

  @Test
  void withoutRoomItIsNotTaken() throws IOException {
    storePlain(ID, a);
    List<Run> all = a.disk.lstor().allocate(0, SimNode.UNITS - 1);
    a.disk.lstor().reserve(0, ID + 9, all, 0);
    assertThat(cover(a, ID)).isEmpty();
    a.disk.lstor().remove(0, ID + 9, SlotCause.WITHDRAWN);
    assertThat(cover(a, ID)).as("the unused row is gone").containsExactly(ID);
  }

  /** Else the last ones would be tried in vain, again and again. */
  @Test
  void whatIsTakenAlreadyNeedsItsRoom() throws IOException {
    long[] many = new long[SimNode.UNITS / 2 + 1];
    for (int i = 0; i < many.length; i++) {
      many[i] = ID + i;
      storePlain(many[i], a);
    }
    assertThat(cover(a, many)).hasSize(SimNode.UNITS / 2).doesNotContain(many[many.length - 1]);
    assertThat(cover(a, many[many.length - 1])).as("asked alone").isEmpty();
    a.sims.get(0).delete(many[0]);
    assertThat(cover(a, many[many.length - 1])).hasSize(1);
  }

  /** Else the claim would refuse appends for ever. */
  @Test
  void aClaimThatComesToNothingIsGivenUp() throws IOException {
    storePlain(ID, b);
    assertThat(cover(b, ID)).containsExactly(ID);
    net.down("a");
    for (int i = 0; i < 5; i++) {
      settle();
    }
    assertThat(volume(b).volume().claims().of(ID)).isEmpty();
    b.sims.get(0).reopen(ID, 1001, 1002, SimNode.MAX_BLOCK);
    b.sims.get(0).write(ID, 1002, content(90_000));
    b.sims.get(0).finish(ID, 1002, 90_000);
    net.up("a", a.service);
    settle();
    verifyPlain(ID, b);
  }

  @Test
  void aDeletedBlockIsNotCoveredWhileItsFilesGo() throws IOException {
    storePlain(ID, a);
    // HDFS has asked, and has yet to unlink the files.
    assertThat(volume(a).removing(SimFrame.POOL, a.sims.get(0).path(ID).toFile())).isFalse();
    assertThat(cover(a, ID)).isEmpty();
    a.sims.get(0).delete(ID);
    storePlain(ID + 1, a, b);
    cover(a, ID + 1);
    assertThat(volume(a).removing(SimFrame.POOL, a.sims.get(0).path(ID + 1).toFile())).isFalse();
    settle();
    assertThat(a.disk.lstor().entries()).as("claimed before, and not covered").isEmpty();
    a.sims.get(0).delete(ID + 1);
    settle();
    verifyScrub();
  }

  @Test
  void aBlockThatIsMadeAgainAfterItsDeletionCanBeTaken() throws IOException {
    storePlain(ID, a, b);
    cover(a, ID);
    cover(b, ID);
    a.sims.get(0).delete(ID);
    a.settle();
    b.settle();
    place(ID, 5, 1);
    settle();
    create(a, ID);
    a.sims.get(0).write(ID, 1001, content(LENGTH));
    a.sims.get(0).finish(ID, 1001, LENGTH);
    settle();
    verifyCovered(ID, LENGTH);
  }

  @Test
  void anAppendComesBeforeATakeIn() throws IOException {
    storePlain(ID, a, b);
    a.sims.get(0).reopen(ID, 1001, 1002, SimNode.MAX_BLOCK);
    assertThat(cover(a, ID)).isEmpty();
    a.sims.get(0).write(ID, 1002, content(90_000));
    a.sims.get(0).finish(ID, 1002, 90_000);
    b.sims.get(0).reopen(ID, 1001, 1002, SimNode.MAX_BLOCK);
    b.sims.get(0).write(ID, 1002, content(90_000));
    b.sims.get(0).finish(ID, 1002, 90_000);
    verifyPlain(ID, a, b);
    assertThat(cover(a, ID)).containsExactly(ID);
    assertThat(cover(b, ID)).containsExactly(ID);
    for (SimNode node : List.of(a, b)) {
      node.sims.get(0).reopen(ID, 1002, 1003, SimNode.MAX_BLOCK);
      node.sims.get(0).write(ID, 1003, content(100_000));
    }
    settle();
    for (SimNode node : List.of(a, b)) {
      node.sims.get(0).finish(ID, 1003, 100_000);
    }
    settle();
    verifyPlain(ID, a, b);
    cover(a, ID);
    settle();
    verifyCovered(ID, 100_000);
    for (SimNode node : List.of(a, b)) {
      node.sims.get(0).reopen(ID, 1003, 1004, SimNode.MAX_BLOCK);
      node.sims.get(0).write(ID, 1004, content(200_000));
      node.sims.get(0).finish(ID, 1004, 200_000);
    }
    settle();
    verifyCovered(ID, 200_000);
  }

  /** HDFS asks before it cuts; what is claimed then must not be covered at its old length. */
  @Test
  void aTruncateOfAClaimedReplicaIsNotOvertaken() throws IOException {
    storePlain(ID, a, b);
    cover(a, ID);
    Path data = a.sims.get(0).path(ID);
    Path meta = data.resolveSibling(data.getFileName() + "_1001.meta");
    volume(a).truncating(SimFrame.POOL, ID, data.toFile(), meta.toFile(), 30_000);
    settle();
    assertThat(a.disk.lstor().entries())
        .as("it waits for the cut")
        .noneMatch(SlotEntry::coversAnything);
    a.sims.get(0).truncate(ID, 1001, 1002, 30_000);
    b.sims.get(0).truncate(ID, 1001, 1002, 30_000);
    settle();
    verifyPlain(ID, a, b);
    cover(b, ID);
    settle();
    verifyCovered(ID, 30_000);
  }

  @Test
  void aTruncateOfAPlainReplicaIsNotOvertakenEither() throws IOException {
    storePlain(ID, a, b);
    Path data = a.sims.get(0).path(ID);
    Path meta = data.resolveSibling(data.getFileName() + "_1001.meta");
    volume(a).truncating(SimFrame.POOL, ID, data.toFile(), meta.toFile(), 30_000);
    assertThat(cover(a, ID)).isEmpty();
    a.sims.get(0).truncate(ID, 1001, 1002, 30_000);
    assertThat(cover(a, ID)).containsExactly(ID);
  }

  @Test
  void aReplicaThatIsBeingMovedToAnotherVolumeIsNotTaken() throws Exception {
    storePlain(ID, a, b);
    VolumeHooks.Move first = volume(a).moving(SimFrame.POOL, ID);
    VolumeHooks.Move second = volume(a).moving(SimFrame.POOL, ID);
    second.close();
    assertThat(cover(a, ID)).isEmpty();
    first.close();
    assertThat(cover(a, ID)).containsExactly(ID);
    assertThatThrownBy(() -> volume(a).moving(SimFrame.POOL, ID))
        .hasMessageContaining("expected one that is in no superchunk");
    assertThat(volume(a).isPinned(SimFrame.POOL, ID)).isTrue();
  }

  @Test
  void aFrameThatLeavesItsSuperchunkTakesNothing() throws IOException {
    storePlain(ID, a, b);
    cover(a, ID);
    a.pair(0, new Pairing(9, 2, "DS-c", "c", 2));
    assertThatThrownBy(() -> cover(a, ID)).isInstanceOf(PeerException.class);
    assertThat(volume(a).volume().claims().of(ID)).isEmpty();
    Pairing before = new Pairing(5, 1, "DS-b", "b", 2);
    assertThatThrownBy(
            () -> new ReplicaTakeIn(a.sims.get(0).hooks().frame()).takeIn(List.of(ID), before))
        .as("it has left between the look at its epoch and the claim")
        .isInstanceOf(PeerException.StaleEpoch.class);
    b.sims.get(1).hooks().frame().superseded(true);
    assertThat(cover(b, ID)).isEmpty();
    settle();
    assertThat(a.disk.lstor().entries()).isEmpty();
  }

  /** After each step of either side a crash; then the rows that are there say how it goes on. */
  @Test
  void aCrashAfterAnyStepLeavesAPlainOrACoveredBlock() throws IOException {
    for (int steps = 0; steps < 8; steps++) {
      for (SimNode crashing : List.of(a, b)) {
        long id = ID + 10 + 2 * steps + (crashing == a ? 0 : 1);
        storePlain(id, a, b);
        cover(a, id);
        cover(b, id);
        for (int i = 0; i < steps; i++) {
          clock.advance(20);
          (i % 2 == 0 ? a : b).settle();
        }
        crashing.crash();
        settle();
        boolean isCovered = frameOf(a, id) >= 0 || frameOf(b, id) >= 0;
        if (isCovered) {
          verifyCovered(id, LENGTH);
        } else {
          verifyPlain(id, a, b);
          cover(a, id);
          cover(b, id);
          settle();
          verifyCovered(id, LENGTH);
        }
        a.sims.get(0).delete(id);
        b.sims.get(0).delete(id);
        settle();
      }
    }
    assertThat(a.disk.lstor().entries()).isEmpty();
    assertThat(b.disk.lstor().entries()).isEmpty();
  }

  // ---------------------------------------------------------------- others come first

  private int covered(SimNode node) {
    return (int) node.disk.lstor().entries().stream().filter(SlotEntry::coversAnything).count();
  }

  /** Writes wait for acknowledgements: without them the journal has no room. */
  @Test
  void takeInsDoNotDelayAnAcknowledgement() throws IOException {
    long[] many = {ID, ID + 1, ID + 2, ID + 3, ID + 4};
    for (long id : many) {
      storePlain(id, a, b);
    }
    assertThat(cover(a, many)).hasSize(5);
    clock.advance(1_000);
    place(ID + 9, 5, 1);
    store(ID + 9, a, b);
    a.settleOnce();
    assertThat(row(a, ID + 9).ackPending()).isFalse();
    assertThat(covered(a)).as("it and one that is taken in").isEqualTo(2);
    a.settleOnce();
    assertThat(covered(a)).isEqualTo(3);
    settle();
    for (long id : many) {
      verifyCovered(id, LENGTH);
    }
  }

  @Test
  void aNodeTakesInOneReplicaAtATime() throws IOException {
    storePlain(ID, a);
    cover(a, ID);
    Semaphore permit = a.disk.context().work().takeIns();
    assertThat(permit.tryAcquire()).as("another frame's").isTrue();
    a.settle();
    assertThat(covered(a)).isZero();
    assertThat(a.sims.get(0).hooks().settler().nextNanos().orElseThrow())
        .as("looked at again, and not at once")
        .isGreaterThan(clock.nanoTime());
    permit.release();
    clock.advance(1_000);
    a.settle();
    assertThat(covered(a)).isEqualTo(1);
    assertThat(permit.availablePermits()).isEqualTo(1);
  }

  /** As a disk does: a byte changes behind HDFS. */
  private static void damage(SimNode node, long blockId) throws IOException {
    Path data = node.sims.get(0).path(blockId);
    byte[] bytes = Files.readAllBytes(data);
    bytes[bytes.length - 1] ^= 1;
    Files.write(data, bytes);
  }

  @Test
  void aDamagedReplicaIsReportedAndGivenUp() throws IOException {
    for (SimNode damaged : List.of(a, b)) {
      long id = damaged == a ? ID : ID + 1;
      storePlain(id, damaged);
      damage(damaged, id);
      assertThat(cover(damaged, id)).containsExactly(id);
      settle();
      assertThat(damaged.damaged).containsExactly(id);
      assertThat(volume(damaged).volume().claims().of(id)).isEmpty();
      assertThat(damaged.disk.lstor().entries()).isEmpty();
      damaged.sims.get(0).reopen(id, 1001, 1002, SimNode.MAX_BLOCK);
      damaged.sims.get(0).write(id, 1002, content(90_000));
      damaged.sims.get(0).finish(id, 1002, 90_000);
      verifyPlain(id, damaged);
    }
    settle();
    verifyScrub();
  }

  // ---------------------------------------------------------------- asked by others meanwhile

  @Test
  void whatIsTakenInIsNotCalledPlain() throws IOException {
    storePlain(ID, a);
    assertThat(a.service.findRows("DS-a", List.of(ID))).isEmpty();
    cover(a, ID);
    assertThat(a.service.findRows("DS-a", List.of(ID)))
        .singleElement()
        .matches(row -> row.frameIndex() == RaidpPeerProtocol.NO_FRAME);
    settle();
    assertThat(a.service.findRows("DS-a", List.of(ID))).singleElement().isEqualTo(row(a, ID));
  }

  @Test
  void theLeaderMakesNoRowForAReplicaThatHdfsIsChanging() throws IOException {
    storePlain(ID, a);
    a.sims.get(0).reopen(ID, 1001, 1002, SimNode.MAX_BLOCK);
    assertThatThrownBy(() -> a.service.allocate(FIVE, ID, 2, Optional.empty()))
        .isInstanceOf(PeerException.Busy.class);
    b.disk.lstor().reserve(1, ID, b.disk.lstor().allocate(1, 2), 0);
    a.sims.get(0).hooks().frame().outOfStep();
    a.sims.get(0).hooks().frame().schedule(Settler.FETCH_ROWS);
    a.settle();
    assertThat(a.disk.lstor().entries()).isEmpty();
    a.sims.get(0).write(ID, 1002, content(90_000));
    a.sims.get(0).finish(ID, 1002, 90_000);
    assertThat(a.service.allocate(FIVE, ID, 2, Optional.empty())).isNotEmpty();
    b.disk.lstor().remove(1, ID, SlotCause.WITHDRAWN);
    settle();
    verifyScrub();
  }

  @Test
  void aBlockThatIsDeletedAndMadeAgainGetsItsRow() throws IOException {
    storePlain(ID, a);
    a.sims.get(0).delete(ID);
    assertThat(a.service.allocate(FIVE, ID, 2, Optional.empty())).isNotEmpty();
  }
}
