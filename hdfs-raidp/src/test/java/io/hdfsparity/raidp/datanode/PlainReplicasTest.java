/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.datanode.VolumeHooks;
import io.hdfsparity.raidp.format.FrameTable;
import io.hdfsparity.raidp.image.FrameDirectory;
import io.hdfsparity.raidp.image.Limbo;
import io.hdfsparity.raidp.image.TornTail;
import io.hdfsparity.raidp.lstor.SlotCause;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.BlockPinningException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Replicas that are HDFS's alone, on volumes with several frames. */
class PlainReplicasTest extends SharedVolumeNodes {
  private static final long STRIPED = -9_223_372_036_854_775_792L;

  private void placePlain(long blockId) {
    placed.put(blockId, new SuperchunkAnswer.Plain());
  }

  private static void write(SimNode node, long blockId, int length) throws IOException {
    node.sims.get(0).write(blockId, 1001, new byte[length]);
    node.sims.get(0).finish(blockId, 1001, length);
  }

  private void storePlain(SimNode node, long blockId) throws IOException {
    placePlain(blockId);
    create(node, blockId);
    write(node, blockId, 70_000);
  }

  /** Whatever a test does: what is plain leaves nothing behind, and no answer is left. */
  @AfterEach
  void verify() throws IOException {
    for (SimNode node : List.of(a, b, c)) {
      if (node.disk.failure().isEmpty() && net.isUp(node.name)) {
        assertThat(node.service.scrub(new ScrubRequest(Optional.empty(), false, true)).findings())
            .isEmpty();
        assertThat(node.questions.size()).as("answers left on " + node.name).isZero();
      }
    }
  }

  private static File data(SimNode node, long blockId) throws IOException {
    return node.sims.get(0).path(blockId).toFile();
  }

  @Test
  void aPlainBlockHasNoRow() throws IOException {
    storePlain(a, ID);
    assertThat(asked).containsExactly("a DS-a");
    settle();
    assertThat(a.disk.lstor().entries()).isEmpty();
    assertThat(a.sims.get(0).content(ID)).hasSize(70_000);
    assertThat(volume(a).isPinned(SimFrame.POOL, ID)).isFalse();
  }

  @Test
  void bothKindsLieOnOneVolume() throws IOException {
    storePlain(a, ID);
    place(ID + 1, 5, 1);
    store(ID + 1, a, b);
    settle();
    assertThat(frameOf(a, ID)).isEqualTo(-1);
    assertThat(frameOf(a, ID + 1)).isZero();
    assertThat(volume(a).isPinned(SimFrame.POOL, ID)).isFalse();
    assertThat(volume(a).isPinned(SimFrame.POOL, ID + 1)).isTrue();
  }

  @Test
  void whereNoStorageIsNamedAnyVolumeTakesIt() throws IOException {
    placePlain(ID);
    assertThat(
            a.questions.storageFor(Optional.empty(), new ExtendedBlock(SimFrame.POOL, ID, 0, 1001)))
        .isEmpty();
    volume(a).reserve(SimFrame.POOL, ID, 1000);
    assertThat(frameOf(a, ID)).isEqualTo(-1);
    assertThatThrownBy(() -> volume(a).reserve(SimFrame.POOL, ID, 1000))
        .as("an answer is for one replica")
        .isInstanceOf(PeerException.Busy.class);
  }

  @Test
  void anAnswerExpires() throws IOException {
    placePlain(ID);
    ask(a, ID);
    clock.advance(61_000);
    assertThatThrownBy(() -> volume(a).reserve(SimFrame.POOL, ID, 1000))
        .isInstanceOf(PeerException.Busy.class)
        .hasMessageContaining("expected the manager to have told its superchunk");
  }

  @Test
  void theLatestAnswerCounts() throws IOException {
    placePlain(ID);
    ask(a, ID);
    place(ID, 5, 1);
    ask(a, ID);
    volume(a).reserve(SimFrame.POOL, ID, 1000);
    assertThat(frameOf(a, ID)).isZero();
    place(ID + 1, 5, 1);
    ask(a, ID + 1);
    placePlain(ID + 1);
    ask(a, ID + 1);
    volume(a).reserve(SimFrame.POOL, ID + 1, 1000);
    assertThat(frameOf(a, ID + 1)).isEqualTo(-1);
    clock.advance(61_000);
  }

  @Test
  void aUnitOfABlockGroupIsPlainWithoutAQuestion() throws IOException {
    create(a, STRIPED);
    write(a, STRIPED, 70_000);
    assertThat(asked).isEmpty();
    settle();
    assertThat(a.disk.lstor().entries()).isEmpty();
    a.sims.get(0).delete(STRIPED);
    assertThat(a.sims.get(0).exists(STRIPED)).isFalse();
  }

  @Test
  void aRowOfAnEarlierLifeRefusesThePlainReplica() throws IOException {
    place(ID, 5, 1);
    store(ID, a, b);
    settle();
    b.stop();
    a.sims.get(0).delete(ID);
    placePlain(ID);
    assertThatThrownBy(() -> create(a, ID))
        .isInstanceOf(PeerException.Busy.class)
        .hasMessageContaining("expected no row of it in a frame of the volume");
    assertThat(a.disk.lstor().entry(0, ID).map(SlotEntry::state)).contains(SlotState.LIMBO);
    b.start();
    b.sims.get(0).delete(ID);
    settle();
    assertThat(a.disk.lstor().entries()).isEmpty();
    storePlain(a, ID);
    settle();
    assertThat(a.disk.lstor().entries()).isEmpty();
  }

  /** The row may come between the question and the replica. */
  @Test
  void aRowThatComesAfterTheAnswerRefusesThePlainReplica() throws IOException {
    placePlain(ID);
    ask(a, ID);
    a.disk.lstor().reserve(1, ID, a.disk.lstor().allocate(1, 1), 0);
    assertThatThrownBy(() -> volume(a).reserve(SimFrame.POOL, ID, 1000))
        .isInstanceOf(PeerException.Busy.class);
    assertThatThrownBy(() -> volume(a).movingHere(SimFrame.POOL, ID))
        .isInstanceOf(PeerException.Busy.class);
    settle();
    assertThat(a.disk.lstor().entries()).as("released").isEmpty();
  }

  @Test
  void spaceIsHdfssToCount() {}

  // ---------------------------------------------------------------- ways to change one

  @Test
  void appendsAndTruncatesLeaveNoTrace() throws IOException {
    storePlain(a, ID);
    a.sims.get(0).reopen(ID, 1001, 1002, SimNode.MAX_BLOCK);
    a.sims.get(0).write(ID, 1002, new byte[90_000]);
    a.sims.get(0).packet(ID, 1002, 80_000);
    a.sims.get(0).finish(ID, 1002, 90_000);
    a.sims.get(0).truncate(ID, 1002, 1003, 50_000);
    settle();
    assertThat(a.disk.lstor().entries()).isEmpty();
    assertThat(volume(a).volume().limbo().blockIds()).as("no tail is kept").isEmpty();
    assertThat(a.sims.get(0).content(ID)).hasSize(50_000);
  }

  /** A plain replica may be larger than a frame: nothing of it is in one. */
  @Test
  void aPlainReplicaMayBeLargerThanAFrame() throws IOException {
    placePlain(ID);
    ask(a, ID);
    volume(a).reserve(SimFrame.POOL, ID, 1L << 40);
    write(a, ID, 70_000);
    volume(a).reopening(SimFrame.POOL, ID, data(a, ID), data(a, ID), VolumeHooks.MAX_BYTES_UNKNOWN);
    volume(a).reopenFailed(SimFrame.POOL, ID);
    assertThat(a.disk.lstor().entries()).isEmpty();
  }

  @Test
  void aDeletedOneIsGoneAtOnce() throws IOException {
    storePlain(a, ID);
    File file = data(a, ID);
    assertThat(volume(a).removing(SimFrame.POOL, file)).as("HDFS deletes it").isFalse();
    a.sims.get(0).delete(ID);
    assertThat(volume(a).volume().limbo().blockIds()).isEmpty();
  }

  @Test
  void oneThatComesBackFromTrashStaysPlain() throws IOException {
    storePlain(a, ID);
    Path file = a.sims.get(0).path(ID);
    Path meta = file.resolveSibling(file.getFileName() + "_1001.meta");
    byte[] data = Files.readAllBytes(file);
    byte[] checksums = Files.readAllBytes(meta);
    a.sims.get(0).delete(ID);
    settle();
    Files.write(meta, checksums);
    Files.write(file, data);
    volume(a).restored(SimFrame.POOL, file.toFile());
    settle();
    assertThat(a.disk.lstor().entries()).isEmpty();
    assertThat(volume(a).volume().isSearching()).isFalse();
    assertThat(volume(a).volume().framelessReplicas()).isZero();
  }

  @Test
  void oneThatIsLostIsNoLossOfTheParity() throws IOException {
    storePlain(a, ID);
    Files.delete(data(a, ID).toPath());
    volume(a).lost(SimFrame.POOL, ID);
    assertThat(a.disk.lstor().entries()).isEmpty();
  }

  @Test
  void aCopyMadeByTruncateIsPlainToo() throws IOException {
    storePlain(a, ID);
    volume(a).reserveCopy(SimFrame.POOL, ID + 1, ID, 70_000);
    write(a, ID + 1, 60_000);
    a.sims.get(0).delete(ID);
    settle();
    assertThat(a.disk.lstor().entries()).isEmpty();
    assertThat(a.sims.get(0).content(ID + 1)).hasSize(60_000);
  }

  @Test
  void aMoveToAnotherVolumeIsForPlainOnesOnly() throws IOException {
    storePlain(a, ID);
    place(ID + 1, 5, 1);
    store(ID + 1, a, b);
    volume(a).moving(SimFrame.POOL, ID).close();
    volume(b).movingHere(SimFrame.POOL, ID);
    assertThatThrownBy(() -> volume(a).moving(SimFrame.POOL, ID + 1))
        .isInstanceOf(BlockPinningException.class)
        .hasMessageContaining("expected one that is in no superchunk");
    settle();
  }

  /** As after a hard-linked upgrade, which a restart follows. */
  @Test
  void hardLinksOfAnUpgradeAreHdfssToBreak() throws IOException {
    storePlain(a, ID);
    Path link = a.root().resolve("previous-" + ID);
    Files.createLink(link, data(a, ID).toPath());
    a.stop();
    a.start();
    a.sims.get(0).truncate(ID, 1001, 1002, 50_000);
    settle();
    assertThat(a.disk.lstor().entries()).isEmpty();
    assertThat(a.sims.get(0).content(ID)).hasSize(50_000);
    assertThat(volume(a).volume().limbo().blockIds()).isEmpty();
  }

  @Test
  void plainOnesStayPlainThroughARestartAndACrash() throws IOException {
    storePlain(a, ID);
    placePlain(ID + 1);
    create(a, ID + 1);
    a.sims.get(0).write(ID + 1, 1001, new byte[1000]);
    place(ID + 2, 5, 1);
    store(ID + 2, a, b);
    settle();
    a.stop();
    a.start();
    settle();
    a.crash();
    a.sims.get(0).finish(ID + 1, 1001, 1000);
    settle();
    assertThat(a.disk.lstor().entries()).extracting(SlotEntry::blockId).containsExactly(ID + 2);
    assertThat(volume(a).volume().framelessReplicas()).isZero();
  }

  // ---------------------------------------------------------------- disks that people have

  private static Path existingReplica(Path volume, long blockId) throws IOException {
    Path directory =
        Files.createDirectories(
            new FrameDirectory(volume).finalizedDirectory(SimFrame.POOL, blockId));
    Files.write(
        directory.resolve("blk_" + blockId + "_1001.meta"), SimFrame.metaBytes(new byte[9]));
    return Files.write(directory.resolve("blk_" + blockId), new byte[9]);
  }

  @Test
  void aVolumeWithDataIsTakenAsItIs() throws IOException {
    Path file = existingReplica(base.resolve("d/disk/frame0"), ID);
    SimNode d = node("d", 2);
    assertThat(d.disk.lstor().entries()).isEmpty();
    assertThat(file).exists();
    d.stop();
    d.start();
    d.sims.get(0).delete(ID);
    assertThat(file).doesNotExist();
    d.stop();
  }

  /** The blocks may have rows that are lost with what is missing. */
  @Test
  void aVolumeThatHasBeenUsedNeedsItsTableAndItsLstor() throws IOException {
    place(ID, 5, 1);
    store(ID, a, b);
    String disk = a.disk.diskId();
    a.stop();
    Path table = a.frameDirectory(0).resolve(FrameTable.NAME);
    Path aside = base.resolve("aside");
    Files.move(table, aside);
    assertThatThrownBy(() -> a.start()).hasMessageContaining("frameTable=missing");
    a.disk.close();
    Files.move(aside, table);
    Path lstor = DiskOpener.lstorFile(a.lstorDir(), disk);
    Files.move(lstor, aside);
    assertThatThrownBy(() -> a.start()).hasMessageContaining("lstor=missing");
    Files.move(aside, lstor);
    a.start();
    settle();
  }

  // ---------------------------------------------------------------- search

  /** A restart asks each partner once, by block ids, and forgets the replicas then. */
  @Test
  void theSearchAtAStartIsCheapAndEnds() throws IOException {
    for (int i = 0; i < 20; i++) {
      storePlain(a, ID + i);
    }
    b.stop();
    a.stop();
    a.start();
    settle();
    assertThat(volume(a).volume().isSearching()).as("b has not answered").isTrue();
    b.start();
    settle();
    assertThat(volume(a).volume().isSearching()).isFalse();
    assertThat(volume(a).volume().framelessReplicas()).isZero();
    assertThat(a.disk.lstor().entries()).isEmpty();
  }

  @Test
  void aReplicaWhoseRowWentWithTheLstorIsCoveredAgainAndAPlainOneIsNot() throws IOException {
    storePlain(a, ID);
    place(ID + 1, 5, 1);
    store(ID + 1, a, b);
    settle();
    String disk = b.disk.diskId();
    b.stop();
    Files.createFile(DiskOpener.rebuildMarker(b.lstorDir(), disk));
    b.start();
    settle();
    assertThat(b.disk.lstor().entries())
        .singleElement()
        .matches(row -> row.blockId() == ID + 1 && row.state() == SlotState.LIVE);
    disk = a.disk.diskId();
    a.stop();
    Files.createFile(DiskOpener.rebuildMarker(a.lstorDir(), disk));
    a.start();
    settle();
    assertThat(a.disk.lstor().entries())
        .singleElement()
        .matches(row -> row.blockId() == ID + 1 && row.coveredBytes() == 70_000);
  }

  /** A covered block whose row a has lost, with b down. */
  private void loseRow(long blockId) throws IOException {
    place(blockId, 5, 1);
    store(blockId, a, b);
    settle();
    String disk = a.disk.diskId();
    a.stop();
    b.stop();
    Files.createFile(DiskOpener.rebuildMarker(a.lstorDir(), disk));
    a.start();
  }

  private void verifyFound(long blockId) throws IOException {
    b.start();
    settle();
    assertThat(frameOf(a, blockId)).isZero();
    assertThat(a.service.findRows("DS-a", List.of(blockId)))
        .singleElement()
        .matches(row -> row.state() == SlotState.LIVE && row.frameIndex() == 0);
  }

  @Test
  void aChangeThatComesToNothingDoesNotEndTheSearch() throws IOException {
    loseRow(ID);
    volume(a).reopening(SimFrame.POOL, ID, data(a, ID), data(a, ID), VolumeHooks.MAX_BYTES_UNKNOWN);
    volume(a).reopenFailed(SimFrame.POOL, ID);
    verifyFound(ID);
  }

  /** Nobody knows that it is plain until b has said so. */
  @Test
  void aReplicaThatMayHaveLostItsRowStaysAndIsNotCalledPlain() throws IOException {
    loseRow(ID);
    assertThat(volume(a).isPinned(SimFrame.POOL, ID)).isTrue();
    assertThatThrownBy(() -> volume(a).moving(SimFrame.POOL, ID))
        .isInstanceOf(BlockPinningException.class);
    assertThat(a.service.findRows("DS-a", List.of(ID, ID + 1)))
        .singleElement()
        .matches(row -> row.blockId() == ID && row.frameIndex() == RaidpPeerProtocol.NO_FRAME);
    assertThat(a.service.cover("DS-a", new SuperchunkRef(5, 1), List.of(ID)))
        .as("in a superchunk that may not be its own")
        .isEmpty();
    verifyFound(ID);
  }

  /** The Lstor that it has says so. */
  @Test
  void afterAnOrdinaryStartAReplicaWithoutARowIsPlainAtOnce() throws IOException {
    storePlain(a, ID);
    b.stop();
    a.stop();
    a.start();
    assertThat(volume(a).volume().isSearching()).isTrue();
    assertThat(volume(a).isPinned(SimFrame.POOL, ID)).isFalse();
    volume(a).moving(SimFrame.POOL, ID).close();
    assertThat(a.service.findRows("DS-a", List.of(ID))).isEmpty();
    b.start();
    settle();
  }

  /** It is that of a replica that was deleted there, by the time of the search. */
  @Test
  void aRowInLimboDoesNotMakeAReplicaCovered() throws IOException {
    loseRow(ID);
    b.start();
    b.sims.get(0).delete(ID);
    assertThat(b.disk.lstor().entry(1, ID).map(SlotEntry::state)).contains(SlotState.LIMBO);
    settle();
    assertThat(a.disk.lstor().entries()).isEmpty();
    assertThat(volume(a).isPinned(SimFrame.POOL, ID)).isFalse();
  }

  /** As while a follower's row is moved to other units. */
  @Test
  void aRowThatIsAwayForAMomentIsFound() throws Exception {
    place(ID, 5, 1);
    store(ID, a, b);
    settle();
    SlotEntry row = a.disk.lstor().entry(0, ID).orElseThrow();
    Frame frame = a.sims.get(0).hooks().frame();
    FutureTask<List<SlotEntry>> asked =
        new FutureTask<>(() -> a.service.findRows("DS-a", List.of(ID)));
    Thread asking = new Thread(asked);
    frame.lock(ID);
    try {
      a.sims.get(0).hooks().coverage().uncover(row);
      a.disk.lstor().remove(0, ID, SlotCause.MOVED_OUT);
      asking.start();
      Awaitility.await().until(() -> asked.isDone() || asking.getState() == Thread.State.WAITING);
      a.disk.lstor().reserve(0, ID, row.runs(), 1001);
      a.disk.lstor().apply(0, ID, SlotCause.MOVED_LIVE);
    } finally {
      frame.unlock(ID);
    }
    assertThat(asked.get(30, TimeUnit.SECONDS)).hasSize(1);
    frame.schedule(ID);
    settle();
  }

  // ---------------------------------------------------------------- an Lstor out of service

  @Test
  void unitsOfBlockGroupsStayInServiceOnARefusedDisk() throws IOException {
    create(a, STRIPED);
    write(a, STRIPED, 70_000);
    Path directory = a.frameDirectory(0);
    VolumeHooks hooks =
        RefusedDisk.of(a.root(), "disk", "says the test")
            .hooks(directory, a.questions.choiceOf("DS-a"));
    File unit = data(a, STRIPED);
    assertThat(hooks.isPinned(SimFrame.POOL, STRIPED)).isFalse();
    hooks.reopening(SimFrame.POOL, STRIPED, unit, unit, 100);
    hooks.truncating(SimFrame.POOL, STRIPED, unit, unit, 100);
    assertThat(hooks.removing(SimFrame.POOL, unit)).isFalse();
  }

  @Test
  void anLstorThatFailsLeavesPlainReplicasInService() throws IOException {
    place(ID, 5, 1);
    store(ID, a, b);
    storePlain(a, ID + 1);
    a.disk.lstorFailed("says the test");
    storePlain(a, ID + 2);
    a.sims.get(0).truncate(ID + 2, 1001, 1002, 50_000);
    a.sims.get(0).delete(ID + 1);
    assertThat(a.sims.get(0).exists(ID + 1)).isFalse();
    place(ID + 3, 5, 1);
    assertThatThrownBy(() -> create(a, ID + 3))
        .hasMessageContaining("expected a disk whose Lstor is in service");
    a.disk.fail("says the test");
    storePlain(a, ID + 4);
    a.sims.get(0).delete(ID + 4);
    assertThat(a.sims.get(0).exists(ID + 4)).isFalse();
    assertThatThrownBy(() -> a.sims.get(0).delete(ID)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> a.sims.get(0).reopen(ID, 1001, 1002, 1000))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> a.sims.get(0).truncate(ID, 1001, 1002, 1000))
        .isInstanceOf(IOException.class);
    assertThat(a.sims.get(0).content(ID)).hasSize(70_000);
  }

  @Test
  void aRefusedDiskTakesPlainReplicasAndKeepsTheOthers() throws IOException {
    place(ID, 5, 1);
    store(ID, a, b);
    storePlain(a, ID + 1);
    a.stop();
    Path directory = a.frameDirectory(0);
    RefusedDisk refused = RefusedDisk.of(a.root(), "disk", "says the test");
    VolumeHooks hooks = refused.hooks(directory, a.questions.choiceOf("DS-a"));
    placePlain(ID + 2);
    ask(a, ID + 2);
    hooks.reserve(SimFrame.POOL, ID + 2, 1000);
    Path file = existingReplica(directory, ID + 2);
    File data = file.toFile();
    File meta = file.resolveSibling(file.getFileName() + "_1001.meta").toFile();
    hooks.finalizing(SimFrame.POOL, ID + 2, 1001, data, meta, 9);
    hooks.reopening(SimFrame.POOL, ID + 2, data, meta, 100);
    hooks.truncating(SimFrame.POOL, ID + 2, data, meta, 5);
    assertThat(hooks.removing(SimFrame.POOL, data)).isFalse();
    assertThat(hooks.removing(SimFrame.POOL, meta)).isFalse();
    assertThat(hooks.isPinned(SimFrame.POOL, ID + 2)).as("it is forgotten").isTrue();
    for (long old : List.of(ID, ID + 1)) {
      File older = data(a, old);
      assertThat(hooks.isPinned(SimFrame.POOL, old)).isTrue();
      assertThatThrownBy(() -> hooks.removing(SimFrame.POOL, older))
          .hasMessageContaining("expected a disk in service");
      assertThatThrownBy(() -> hooks.reopening(SimFrame.POOL, old, older, older, 100))
          .hasMessageContaining("expected a disk in service");
      assertThatThrownBy(() -> hooks.truncating(SimFrame.POOL, old, older, older, 100))
          .hasMessageContaining("expected a disk in service");
    }
    Files.createFile(directory.resolve(Limbo.DIRECTORY).resolve("blk_" + (ID + 3) + "_1.1.tail"));
    placePlain(ID + 3);
    ask(a, ID + 3);
    assertThatThrownBy(() -> hooks.reserve(SimFrame.POOL, ID + 3, 1000))
        .hasMessageContaining("expected a disk in service");
    Files.delete(directory.resolve(Limbo.DIRECTORY).resolve("blk_" + (ID + 3) + "_1.1.tail"));
  }

  /** Hadoop takes a replica that it cannot cut at its start for an empty one. */
  @Test
  void aRefusedDiskLetsHadoopCutBytesThatNoChecksumFits() throws IOException {
    place(ID, 5, 1);
    store(ID, a, b);
    a.stop();
    Path directory = a.frameDirectory(0);
    RefusedDisk refused = RefusedDisk.of(a.root(), "disk", "says the test");
    VolumeHooks hooks = refused.hooks(directory, a.questions.choiceOf("DS-a"));
    Path rbw = Files.createDirectories(new FrameDirectory(directory).rbwDirectory(SimFrame.POOL));
    byte[] bytes = new byte[3 * 512 + 100];
    new Random(3).nextBytes(bytes);
    Path meta =
        Files.write(rbw.resolve("blk_" + (ID + 5) + "_1001.meta"), SimFrame.metaBytes(bytes));
    Path data = Files.write(rbw.resolve("blk_" + (ID + 5)), bytes);
    assertThat(TornTail.validBytes(data, meta)).isEqualTo(bytes.length);
    assertRefused(hooks, data, meta, bytes.length - 1);
    assertRefused(hooks, data, meta, 3 * 512);

    Files.write(data, new byte[50], StandardOpenOption.APPEND);
    assertThat(TornTail.validBytes(data, meta)).isEqualTo(3 * 512);
    hooks.truncating(SimFrame.POOL, ID + 5, data.toFile(), meta.toFile(), 3 * 512);
    assertRefused(hooks, data, meta, 2 * 512);

    Files.write(data, new byte[2000], StandardOpenOption.APPEND);
    hooks.truncating(SimFrame.POOL, ID + 5, data.toFile(), meta.toFile(), 3 * 512);
    assertRefused(hooks, data, meta, bytes.length);
  }

  private static void assertRefused(VolumeHooks hooks, Path data, Path meta, long length) {
    assertThatThrownBy(
            () -> hooks.truncating(SimFrame.POOL, ID + 5, data.toFile(), meta.toFile(), length))
        .hasMessageContaining("expected a disk in service");
  }
}
