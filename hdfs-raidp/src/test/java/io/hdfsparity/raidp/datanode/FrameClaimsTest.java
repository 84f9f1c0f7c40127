/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.raidp.lstor.LstorException;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.LstorRebuildStatus;
import io.hdfsparity.raidp.wire.message.LstorRebuildStatus.Phase;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.ScrubFinding;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks without rows. */
class FrameClaimsTest extends SharedVolumeNodes {
  /** As it comes to be where blocks may be plain, and by a hand that went past HDFS. */
  private static void storeWithoutRow(long blockId, SimNode node) throws IOException {
    node.sims.get(0).write(blockId, 1001, new byte[70_000]);
    node.sims.get(0).finish(blockId, 1001, 70_000);
  }

  private List<String> findings(SimNode node) throws IOException {
    return node.service.scrub(new ScrubRequest(Optional.empty(), false, true)).findings().stream()
        .map(FrameClaimsTest::text)
        .toList();
  }

  private static String text(ScrubFinding finding) {
    return finding.kind() + " " + finding.blockId().orElse(0);
  }

  /** All of a's rows are lost, and the parity with them. */
  private void loseLstorOfA() throws IOException {
    String disk = a.disk.diskId();
    a.stop();
    Files.createFile(DiskOpener.rebuildMarker(a.lstorDir(), disk));
    a.start();
  }

  private void verifyCovered(SimNode node, int frame, long blockId) {
    assertThat(node.disk.lstor().entry(frame, blockId).orElseThrow())
        .matches(row -> row.state() == SlotState.LIVE && row.coveredBytes() == 70_000);
    assertThat(volume(node).volume().claims().of(blockId)).as("claims that leak").isEmpty();
  }

  @Test
  void rowsThatWereLostAreLearnedFromEachPartnerWhenItIsThere() throws IOException {
    place(ID, 5, 1);
    place(ID + 1, 6, 1);
    store(ID, a, b);
    store(ID + 1, a, c);
    storeWithoutRow(ID + 2, a);
    settle();
    b.stop();
    c.stop();
    a.manager = null;
    loseLstorOfA();
    settle();
    assertThat(a.disk.lstor().entries()).isEmpty();
    assertThat(volume(a).volume().isSearching()).isTrue();
    assertThat(volume(a).volume().framelessReplicas()).isEqualTo(3);
    assertThat(findings(a)).as("nobody knows yet").isEmpty();
    b.start();
    settle();
    verifyCovered(a, 0, ID);
    assertThat(frameOf(a, ID + 1)).isEqualTo(-1);
    assertThat(volume(a).volume().isSearching()).isTrue();
    c.start();
    settle();
    verifyCovered(a, 1, ID + 1);
    assertThat(volume(a).volume().isSearching()).isFalse();
    assertThat(frameOf(a, ID + 2)).as("nobody has a row of it").isEqualTo(-1);
    assertThat(volume(a).volume().framelessReplicas()).isZero();
    assertThat(findings(a)).isEmpty();
    assertThat(findings(b)).isEmpty();
  }

  @Test
  void anotherPartnerMayHaveTheRows() throws IOException {
    place(ID, 5, 1);
    store(ID, a, b);
    settle();
    b.stop();
    c.stop();
    loseLstorOfA();
    c.start();
    settle();
    assertThat(volume(a).volume().isSearching()).isTrue();
    net.declareDead("b");
    settle();
    assertThat(volume(a).volume().isSearching()).as("a dead partner is no answer").isTrue();
    c.stop();
    net.declareAlive("b");
    b.start();
    settle();
    verifyCovered(a, 0, ID);
    c.start();
  }

  @Test
  void aFileThatComesBackGetsTheFrameThatAPartnerHasItIn() throws IOException {
    place(ID, 6, 1);
    store(ID, a, c);
    settle();
    Path file = a.sims.get(0).path(ID);
    byte[] data = Files.readAllBytes(file);
    Path meta = file.resolveSibling(file.getFileName() + "_1001.meta");
    byte[] checksums = Files.readAllBytes(meta);
    a.sims.get(0).delete(ID);
    c.sims.get(0).delete(ID);
    settle();
    assertThat(frameOf(a, ID)).isEqualTo(-1);
    create(c, ID);
    Files.write(meta, checksums);
    Files.write(file, data);
    volume(a).restored(SimFrame.POOL, file.toFile());
    settle();
    verifyCovered(a, 1, ID);
  }

  @Test
  void aRebuiltBlockIsClaimedBeforeItIsMade() throws IOException {
    a.frames.claim("DS-a", 6, 1, ID);
    assertThat(ask(a, ID)).isEmpty();
    assertThat(asked).as("the claim says it").isEmpty();
    a.crash();
    assertThatThrownBy(() -> volume(a).reserve(SimFrame.POOL, ID, 70_000))
        .as("the claim went with the crash")
        .isInstanceOf(PeerException.Busy.class);
    a.frames.claim("DS-a", 6, 1, ID);
    volume(a).reserve(SimFrame.POOL, ID, 70_000);
    assertThat(frameOf(a, ID)).isEqualTo(1);
    a.sims.get(0).write(ID, 1001, new byte[70_000]);
    a.crash();
    a.frames.claim("DS-a", 6, 1, ID);
    volume(a).reserve(SimFrame.POOL, ID, 70_000);
    a.sims.get(0).write(ID, 1001, new byte[70_000]);
    a.sims.get(0).finish(ID, 1001, 70_000);
    verifyCovered(a, 1, ID);
    a.frames.claim("DS-a", 6, 1, ID);
    assertThat(volume(a).volume().claims().of(ID)).as("it has its row").isEmpty();
    assertThatThrownBy(() -> a.frames.claim("DS-a", 6, 2, ID + 1))
        .isInstanceOf(PeerException.UnknownSuperchunk.class);
    a.frames.claim("DS-a", 5, 1, ID + 1);
    a.frames.endClaim("DS-a", ID + 1);
    place(ID + 1, 5, 1);
    assertThat(ask(a, ID + 1)).as("asked for").contains("DS-a");
    assertThat(asked).containsExactly("a DS-a");
  }

  /**
   * One side has missed an append, and the other one's disk has failed since. The block is rebuilt
   * in place of the older replica, which HDFS deletes on the way.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRebuiltBlockTakesThePlaceOfAnOlderReplica(boolean isLeaderOlder) throws IOException {
    place(ID, 5, 1);
    store(ID, a, b);
    settle();
    SimNode older = isLeaderOlder ? a : b;
    int frame = isLeaderOlder ? 0 : 1;
    net.declareDead(isLeaderOlder ? "b" : "a");
    clock.advance(61_000);
    asked.clear();
    placed.clear();
    older.frames.claim("DS-" + older.name, 5, 1, ID);
    assertThat(ask(older, ID, 1002)).isEmpty();
    assertThat(asked).as("the claim says it").isEmpty();
    older.sims.get(0).delete(ID);
    volume(older).reserve(SimFrame.POOL, ID, 90_000);
    assertThat(frameOf(older, ID)).isEqualTo(frame);
    older.sims.get(0).write(ID, 1002, new byte[90_000]);
    older.sims.get(0).finish(ID, 1002, 90_000);
    settle();
    assertThat(older.disk.lstor().entry(frame, ID).orElseThrow())
        .matches(row -> row.state() == SlotState.LIVE && row.coveredBytes() == 90_000)
        .matches(row -> row.generationStamp() == 1002);
    assertThat(volume(older).volume().claims().of(ID)).as("claims that leak").isEmpty();
    assertThat(findings(older)).isEmpty();
  }

  @Test
  void aCopyMadeByTruncateStaysInTheFrame() throws IOException {
    place(ID, 6, 1);
    store(ID, a, c);
    asked.clear();
    volume(a).reserveCopy(SimFrame.POOL, ID + 1, ID, 70_000);
    assertThat(a.disk.lstor().entry(1, ID + 1).map(SlotEntry::state)).contains(SlotState.RESERVED);
    volume(c).reserveCopy(SimFrame.POOL, ID + 1, ID, 70_000);
    assertThat(frameOf(a, ID + 1)).isEqualTo(1);
    assertThat(frameOf(c, ID + 1)).isZero();
    storeWithoutRow(ID + 2, a);
    volume(a).reserveCopy(SimFrame.POOL, ID + 3, ID + 2, 70_000);
    assertThat(frameOf(a, ID + 3)).as("a copy of a plain one is plain").isEqualTo(-1);
    assertThat(asked).isEmpty();
  }

  @Test
  void aPartnerThatGetsItsRowLaterTellsTheFrame() throws IOException {
    FrameQuestions.Query manager = b.manager;
    b.manager = null;
    storeWithoutRow(ID, b);
    b.stop();
    b.start();
    settle();
    assertThat(volume(b).volume().isSearching()).isFalse();
    assertThat(volume(b).volume().framelessReplicas()).isZero();
    b.manager = manager;
    place(ID, 5, 1);
    store(ID, a);
    settle();
    verifyCovered(b, 1, ID);
    verifyCovered(a, 0, ID);
    assertThat(volume(b).volume().framelessReplicas()).isZero();
    assertThat(findings(b)).isEmpty();
  }

  private static LstorRebuildStatus settled(LstorRebuilds rebuilds, String disk, NodeDisks disks)
      throws IOException {
    disks.frames().engines().forEach(engine -> engine.settler().runDue());
    return rebuilds.status(disk);
  }

  @Test
  void aRebuildIsNotDoneBeforeAllPartnersHaveAnswered() throws Exception {
    place(ID, 5, 1);
    place(ID + 1, 6, 1);
    store(ID, a, b);
    store(ID + 1, a, c);
    storeWithoutRow(ID + 2, a);
    settle();
    String disk = a.disk.diskId();
    a.stop();
    c.stop();
    Files.delete(DiskOpener.lstorFile(a.lstorDir(), disk));
    try (NodeResources resources = new NodeResources()) {
      NodeDisks disks = a.openDisks(resources);
      assertThat(disks.isRefused(disk)).isTrue();
      LstorRebuilds rebuilds =
          resources.closeFirst(new LstorRebuilds(disks, id -> disks.reopen(id).disk()));
      rebuilds.start(disk);
      await()
          .untilAsserted(
              () -> {
                clock.advance(31_000);
                assertThat(settled(rebuilds, disk, disks))
                    .matches(status -> status.phase() == Phase.RUNNING && status.done() == 1)
                    .matches(status -> status.detail().contains("replicas=2 wait for partners"));
              });
      c.start();
      await()
          .untilAsserted(
              () -> {
                clock.advance(31_000);
                assertThat(settled(rebuilds, disk, disks))
                    .matches(status -> status.phase() == Phase.DONE && status.done() == 3);
              });
    }
    a.start();
    verifyCovered(a, 0, ID);
    verifyCovered(a, 1, ID + 1);
  }

  @Test
  void rowsOfAnotherSuperchunkAreNotGiven() throws IOException {
    place(ID, 6, 1);
    store(ID, a, c);
    assertThat(c.service.listEntries("DS-c", OptionalLong.of(6))).hasSize(1);
    assertThatThrownBy(() -> c.service.listEntries("DS-c", OptionalLong.of(5)))
        .isInstanceOf(PeerException.UnknownSuperchunk.class);
    c.pair(0, new Pairing(9, 2, "DS-b", "b", 1));
    assertThatThrownBy(() -> c.service.listEntries("DS-c", OptionalLong.of(6)))
        .isInstanceOf(PeerException.UnknownSuperchunk.class);
    assertThat(c.service.listEntries("DS-c", OptionalLong.of(9))).hasSize(1);
  }

  /** The partner's disk died, and our Lstor after it; the superchunk has got a new partner. */
  @Test
  void aReplicaThatNoPartnerHasARowOfIsPlain() throws IOException {
    place(ID, 5, 1);
    store(ID, a, b);
    settle();
    net.down("b");
    loseLstorOfA();
    settle();
    assertThat(frameOf(a, ID)).as("b may have its row").isEqualTo(-1);
    SimNode d = node("d", 1);
    a.pair(0, new Pairing(5, 2, "DS-d", "d", 2));
    d.pair(0, new Pairing(5, 2, "DS-a", "a", 1));
    settle();
    assertThat(a.disk.lstor().entries()).isEmpty();
    assertThat(a.service.findRows("DS-a", List.of(ID))).as("HDFS copies it").isEmpty();
    assertThat(volume(a).volume().framelessReplicas()).isZero();
    assertThat(volume(a).volume().claims().of(ID)).isEmpty();
    assertThat(findings(a)).isEmpty();
    d.stop();
  }

  @Test
  void aClaimEndsWhenTheFrameIsPairedInAnotherSuperchunk() throws IOException {
    storeWithoutRow(ID, a);
    a.frames.claim("DS-a", 5, 1, ID);
    net.declareDead("z");
    a.pair(0, new Pairing(9, 2, "DS-z", "z", 2));
    assertThat(volume(a).volume().claims().of(ID)).isEmpty();
    assertThat(volume(a).volume().homeOf(ID)).isEmpty();
    settle();
    assertThat(frameOf(a, ID)).as("it is not of superchunk 9").isEqualTo(-1);
    assertThat(volume(a).volume().framelessReplicas()).isEqualTo(1);
  }

  @Test
  void aClaimEndsWhenTheSuperchunkGoesOnWithoutTheFrame() throws IOException {
    storeWithoutRow(ID, a);
    a.frames.claim("DS-a", 5, 1, ID);
    Frame left = a.sims.get(0).hooks().frame();
    net.down("c");
    left.superseded(true);
    assertThat(volume(a).volume().homeOf(ID)).isEmpty();
    settle();
    assertThat(left.holdsBlocks()).isFalse();
    assertThat(volume(a).volume().framelessReplicas()).isEqualTo(1);
    net.up("c", c.service);
    settle();
    assertThat(volume(a).volume().framelessReplicas()).as("it is plain").isZero();
    assertThat(a.disk.lstor().entries()).isEmpty();
  }

  /** The leader has the block elsewhere, and the follower's other blocks take these units. */
  @Test
  void aRowThatCannotBeMovedAfterAllComesBackToItsPlace() throws Exception {
    place(ID, 5, 1);
    store(ID, a, b);
    settle();
    FrameEngine follower = b.sims.get(1).hooks();
    Frame frame = follower.frame();
    SlotEntry before = b.disk.lstor().entry(1, ID).orElseThrow();
    List<Run> elsewhere = List.of(new Run(20, before.units()));
    RaidpPeerProtocol leader =
        (RaidpPeerProtocol)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RaidpPeerProtocol.class},
                (proxy, method, arguments) -> elsewhere);
    frame.allocation().lock();
    CompletableFuture<Void> moved;
    try {
      moved =
          CompletableFuture.runAsync(
              () -> {
                try {
                  follower.agreement().declare(frame.pairing().orElseThrow(), leader, ID);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      await().until(() -> frame.allocation().hasQueuedThreads() || moved.isDone());
      b.disk.lstor().reserve(1, ID + 1, elsewhere, 0);
    } finally {
      frame.allocation().unlock();
    }
    assertThatThrownBy(moved::join).hasRootCauseInstanceOf(LstorException.Overlap.class);
    assertThat(b.disk.lstor().entry(1, ID)).as("it keeps a row").isPresent();
    settle();
    assertThat(b.disk.lstor().entry(1, ID).orElseThrow().runs()).isEqualTo(before.runs());
    verifyCovered(b, 1, ID);
  }

  @Test
  void aLeaderDoesNotWaitLongForAFollowerThatGetsItsPairingLater() throws IOException {
    SimNode d = node("d", 2);
    Pairing pairing = new Pairing(5, 2, "DS-d", "d", 2);
    Frame leader = a.sims.get(0).hooks().frame();
    leader.pair(pairing);
    leader.schedule(Settler.FETCH_ROWS);
    settle();
    assertThat(leader.isSynced(pairing)).isFalse();
    d.pair(0, new Pairing(5, 2, "DS-a", "a", 1));
    clock.advance(1_000);
    a.settle();
    assertThat(leader.isSynced(pairing)).isTrue();
    d.stop();
  }
}
