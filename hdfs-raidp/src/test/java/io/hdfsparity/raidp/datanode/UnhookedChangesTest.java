/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.image.ImageException;
import io.hdfsparity.raidp.image.Limbo;
import io.hdfsparity.raidp.lstor.SlotCause;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.ImageKind;
import io.hdfsparity.raidp.wire.message.ImageRequest;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a DataNode without the hooks has done to replicas, found when they are back. */
class UnhookedChangesTest extends SharedVolumeNodes {
  /** As a truncate and an append do: the file is longer, and what was covered is other bytes. */
  @Test
  void rewrittenBytesDoNotStayInTheParity() throws IOException {
    place(ID, 5, 1);
    place(ID + 1, 5, 1);
    store(ID, a, b);
    store(ID + 1, a, b);
    settle();
    rewriteBehindTheHooks();
  }

  /** Its row is in limbo, and its image is the live file. */
  @Test
  void rewrittenBytesOfAReplicaThatWasReleasedDoNotStayInTheParity() throws IOException {
    place(ID, 5, 1);
    place(ID + 1, 5, 1);
    store(ID, a, b);
    store(ID + 1, a, b);
    settle();
    assertThat(
            a.service.release(
                "DS-a", new SuperchunkRef(5, 1), Map.of(ID, 1001L), a.service.releaseTicket()))
        .containsExactly(ID);
    assertThat(a.disk.lstor().entry(frameOf(a, ID), ID))
        .get()
        .matches(row -> row.state() == SlotState.LIMBO && row.coveredBytes() == 70_000);
    rewriteBehindTheHooks();
  }

  private void rewriteBehindTheHooks() throws IOException {
    byte[] other = new byte[80_000];
    new Random(3).nextBytes(other);
    a.runWithoutHooks();
    Path data = a.sims.get(0).path(ID);
    Path meta = data.resolveSibling(data.getFileName() + "_1001.meta");
    Files.delete(meta);
    Files.write(data, other);
    Files.write(data.resolveSibling(data.getFileName() + "_1002.meta"), SimFrame.metaBytes(other));
    a.crash();
    settle();
    SlotEntry row = a.disk.lstor().entry(frameOf(a, ID), ID).orElseThrow();
    assertThat(row.coveredBytes()).isEqualTo(80_000);
    assertThat(row.generationStamp()).isEqualTo(1002);
    assertThat(a.service.scrub(new ScrubRequest(Optional.empty(), false, true)).findings())
        .isEmpty();
  }

  /** As above, and the append is still open when the hooks are back. */
  @Test
  void rewrittenBytesOfAnOpenReplicaAreNotTakenOutForThoseThatWereCovered() throws IOException {
    storeTwo();
    rewriteAndLeaveOpen();
    assertThat(row(a, ID).coversAnything()).isFalse();
    for (SimNode node : List.of(a, b)) {
      node.sims.get(0).delete(ID);
    }
    settle();
    assertThat(a.disk.lstor().entries()).extracting(SlotEntry::blockId).containsExactly(ID + 1);
    assertSoundParity(a);
  }

  @Test
  void anOpenReplicaThatWasRewrittenIsCoveredWhenItIsFinished() throws IOException {
    storeTwo();
    byte[] other = rewriteAndLeaveOpen();
    a.sims.get(0).bump(ID, 1003, 1004);
    a.sims.get(0).finish(ID, 1004, other.length);
    settle();
    assertThat(row(a, ID))
        .matches(row -> row.generationStamp() == 1004 && row.coveredBytes() == other.length);
    assertSoundParity(a);
  }

  /** The prefix of before the append was acknowledged, and nobody else has its parity. */
  @Test
  void anAppendThatACrashInterruptsStaysCovered() throws IOException {
    storeTwo();
    byte[] content = new byte[90_000];
    a.sims.get(0).reopen(ID, 1001, 1002, SimNode.MAX_BLOCK);
    a.sims.get(0).write(ID, 1002, content);
    for (int i = 0; i < 2; i++) {
      a.crash();
      assertThat(row(a, ID))
          .matches(row -> row.generationStamp() == 1001 && row.coveredBytes() == 70_000);
    }
    a.sims.get(0).finish(ID, 1002, content.length);
    settle();
    assertSoundParity(a);
  }

  /** What the partner covers is the bytes before. */
  @Test
  void rewrittenBytesAreNotServedForOlderStamps() throws IOException {
    storeTwo();
    net.down("b");
    rewriteBehindTheHooks();
    assertThatThrownBy(() -> readForB(1001))
        .isInstanceOf(ImageException.NotHeld.class)
        .hasMessageContaining("@1001");
    assertThat(readForB(1002)).hasSize(70_000);
    net.up("b", b.service);
  }

  @Test
  void rewrittenBytesOfAnOpenReplicaAreNotServedForOlderStamps() throws IOException {
    storeTwo();
    net.down("b");
    rewriteAndLeaveOpen();
    assertThatThrownBy(() -> readForB(1001)).isInstanceOf(ImageException.NotHeld.class);
    net.up("b", b.service);
  }

  /**
   * B missed the rewrite, and A gets the block from another DataNode. While it is copied, and after
   * that, A does not serve it as what B covers.
   */
  @Test
  void aNewCopyOfAReplicaThatWasRewrittenAndDeletedIsNotServedForOlderStamps() throws IOException {
    storeTwo();
    byte[] before = readForB(1001);
    net.down("b");
    a.runWithoutHooks();
    Path data = a.sims.get(0).path(ID);
    Files.delete(data.resolveSibling(data.getFileName() + "_1001.meta"));
    Files.delete(data);
    a.crash();
    assertThat(row(a, ID))
        .matches(row -> row.state() == SlotState.LIMBO && row.generationStamp() == 1001);
    byte[] other = new byte[80_000];
    new Random(3).nextBytes(other);
    net.up("b", b.service);
    create(a, ID);
    net.down("b");
    a.sims.get(0).write(ID, 1003, other);
    assertThatThrownBy(() -> readForB(1001)).isInstanceOf(ImageException.NotHeld.class);
    a.sims.get(0).finish(ID, 1003, other.length);
    assertThatThrownBy(() -> readForB(1001)).isInstanceOf(ImageException.NotHeld.class);
    settle();
    assertThatThrownBy(() -> readForB(1001)).isInstanceOf(ImageException.NotHeld.class);
    assertThat(readForB(1003)).isEqualTo(Arrays.copyOf(other, 70_000)).isNotEqualTo(before);
    net.up("b", b.service);
  }

  /** B missed the rewrite. A makes its copy of the block, and crashes before it covers it. */
  @Test
  void aNewCopyIsNotServedForOlderStampsAfterACrash() throws IOException {
    storeTwo();
    deleteBehindTheHooks();
    a.crash();
    byte[] other = copyAfterALoss(1003);
    for (int i = 0; i < 2; i++) {
      a.crash();
      assertThatThrownBy(() -> readForB(1001)).isInstanceOf(ImageException.NotHeld.class);
      assertThat(readForB(1003)).isEqualTo(Arrays.copyOf(other, 70_000));
    }
    a.sims.get(0).finish(ID, 1003, other.length);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> readForB(1001)).isInstanceOf(ImageException.NotHeld.class);
      assertThat(readForB(1003)).isEqualTo(Arrays.copyOf(other, 70_000));
      a.crash();
    }
    net.up("b", b.service);
  }

  /** It lies in limbo then, under a stamp that is newer than the one that B asks for. */
  @Test
  void aNewCopyThatIsDeletedBeforeItIsCoveredIsNotServedForOlderStamps() throws IOException {
    storeTwo();
    deleteBehindTheHooks();
    a.crash();
    byte[] other = copyAfterALoss(1003);
    a.disk.lstor().apply(frameOf(a, ID), ID, SlotCause.DELETED);
    assertThatThrownBy(() -> readForB(1001))
        .as("between the row and the files")
        .isInstanceOf(ImageException.NotHeld.class);
    a.sims.get(0).delete(ID);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> readForB(1001)).isInstanceOf(ImageException.NotHeld.class);
      assertThat(readForB(1003)).isEqualTo(Arrays.copyOf(other, 70_000));
      a.crash();
    }
    net.up("b", b.service);
    b.sims.get(0).delete(ID);
    settle();
    assertThat(volume(a).volume().limbo().blockIds()).isEmpty();
  }

  /** The directory scanner finds that the file is gone, and the block comes again. */
  @Test
  void aNewCopyOfAReplicaThatWentBehindTheHooksIsNotServedForOlderStamps() throws IOException {
    storeTwo();
    deleteBehindTheHooks();
    volume(a).lost(SimFrame.POOL, ID);
    byte[] other = copyAfterALoss(1003);
    assertThatThrownBy(() -> readForB(1001)).isInstanceOf(ImageException.NotHeld.class);
    a.sims.get(0).finish(ID, 1003, other.length);
    assertThatThrownBy(() -> readForB(1001)).isInstanceOf(ImageException.NotHeld.class);
    net.up("b", b.service);
  }

  /** Nothing of it is in A's parity any more, so there is nothing to recompute. */
  @Test
  void rewrittenBytesOfAReplicaThatHasLeftTheParityAreNotServedForOlderStamps() throws IOException {
    storeTwo();
    a.service.release(
        "DS-a", new SuperchunkRef(5, 1), Map.of(ID, 1001L), a.service.releaseTicket());
    net.down("b");
    clock.advance(1_000);
    a.settle();
    assertThat(row(a, ID)).matches(row -> !row.coversAnything() && row.generationStamp() == 1001);
    rewriteBehindTheHooks();
    assertThatThrownBy(() -> readForB(1001)).isInstanceOf(ImageException.NotHeld.class);
    assertThat(readForB(1002)).hasSize(70_000);
    net.up("b", b.service);
  }

  private void deleteBehindTheHooks() throws IOException {
    a.runWithoutHooks();
    Path data = a.sims.get(0).path(ID);
    Files.delete(data.resolveSibling(data.getFileName() + "_1001.meta"));
    Files.delete(data);
  }

  /** Other bytes, as after a truncate and an append; B is away when they are there. */
  private byte[] copyAfterALoss(long stamp) throws IOException {
    byte[] other = new byte[80_000];
    new Random(3).nextBytes(other);
    create(a, ID);
    net.down("b");
    a.sims.get(0).write(ID, stamp, other);
    return other;
  }

  /** The hooks have kept what was deleted. */
  @Test
  void aNewCopyOfAReplicaThatWasDeletedLeavesTheOldOneReadable() throws IOException {
    storeTwo();
    byte[] before = readForB(1001);
    net.down("b");
    a.sims.get(0).delete(ID);
    byte[] other = new byte[80_000];
    new Random(3).nextBytes(other);
    create(a, ID);
    a.sims.get(0).write(ID, 1003, other);
    assertThat(readForB(1001)).isEqualTo(before);
    a.sims.get(0).finish(ID, 1003, other.length);
    assertThat(readForB(1001)).isEqualTo(before);
    net.up("b", b.service);
  }

  private byte[] readForB(long stamp) throws IOException {
    return a.service.readImage(
        new ImageRequest(
            "DS-a",
            ID,
            stamp,
            70_000,
            ImageKind.DATA,
            0,
            70_000,
            Optional.of(new SuperchunkRef(5, 1))));
  }

  private void storeTwo() throws IOException {
    place(ID, 5, 1);
    place(ID + 1, 5, 1);
    store(ID, a, b);
    store(ID + 1, a, b);
    settle();
  }

  /** A truncate, and an append that goes on. */
  private byte[] rewriteAndLeaveOpen() throws IOException {
    byte[] other = new byte[80_000];
    new Random(3).nextBytes(other);
    a.runWithoutHooks();
    Path data = a.sims.get(0).path(ID);
    Files.delete(data.resolveSibling(data.getFileName() + "_1001.meta"));
    Files.delete(data);
    a.sims.get(0).write(ID, 1003, other);
    a.crash();
    return other;
  }

  private static SlotEntry row(SimNode node, long id) {
    return node.disk.lstor().entry(frameOf(node, id), id).orElseThrow();
  }

  private static void assertSoundParity(SimNode node) throws IOException {
    assertThat(node.service.scrub(new ScrubRequest(Optional.empty(), false, true)).findings())
        .isEmpty();
  }

  @Test
  void aDeletedReplicaLeavesTheParity() throws IOException {
    place(ID, 5, 1);
    place(ID + 1, 5, 1);
    store(ID, a, b);
    store(ID + 1, a, b);
    settle();
    Path data = a.sims.get(0).path(ID);
    Files.delete(data.resolveSibling(data.getFileName() + "_1001.meta"));
    Files.delete(data);
    b.sims.get(0).delete(ID);
    a.crash();
    settle();
    assertThat(a.disk.lstor().entries()).extracting(SlotEntry::blockId).containsExactly(ID + 1);
    assertThat(b.disk.lstor().entries()).extracting(SlotEntry::blockId).containsExactly(ID + 1);
    for (SimNode node : List.of(a, b)) {
      assertThat(node.service.scrub(new ScrubRequest(Optional.empty(), false, true)).findings())
          .isEmpty();
    }
  }

  /** As when an old Lstor is put back: its row knows nothing of a rewrite and of the delete. */
  @Test
  void aReplicaThatWasRewrittenAndDeletedLeavesTheParity() throws IOException {
    place(ID, 5, 1);
    place(ID + 1, 5, 1);
    store(ID, a, b);
    store(ID + 1, a, b);
    settle();
    byte[] other = new byte[80_000];
    new Random(4).nextBytes(other);
    Path data = a.sims.get(0).path(ID);
    Files.delete(data.resolveSibling(data.getFileName() + "_1001.meta"));
    Files.delete(data);
    Path limbo = Files.createDirectories(a.frameDirectory(0).resolve(Limbo.DIRECTORY));
    Files.write(limbo.resolve("blk_" + ID + "_1002.1.data"), other);
    Files.write(limbo.resolve("blk_" + ID + "_1002.1.meta"), SimFrame.metaBytes(other));
    b.sims.get(0).delete(ID);
    a.crash();
    settle();
    assertThat(a.disk.lstor().entries()).extracting(SlotEntry::blockId).containsExactly(ID + 1);
    for (SimNode node : List.of(a, b)) {
      assertThat(node.service.scrub(new ScrubRequest(Optional.empty(), false, true)).findings())
          .isEmpty();
    }
  }

  /** Their rows are at the same units of the parity, in two superchunks. */
  @Test
  void severalDeletedReplicasLeaveTheParityTogether() throws IOException {
    place(ID, 5, 1);
    place(ID + 1, 6, 1);
    place(ID + 2, 5, 1);
    store(ID, a, b);
    store(ID + 1, a, c);
    store(ID + 2, a, b);
    settle();
    for (long id : new long[] {ID, ID + 1}) {
      Path data = a.sims.get(0).path(id);
      Files.delete(data.resolveSibling(data.getFileName() + "_1001.meta"));
      Files.delete(data);
    }
    b.sims.get(0).delete(ID);
    c.sims.get(0).delete(ID + 1);
    a.crash();
    settle();
    assertThat(a.disk.lstor().entries()).extracting(SlotEntry::blockId).containsExactly(ID + 2);
    for (SimNode node : List.of(a, b, c)) {
      assertThat(node.service.scrub(new ScrubRequest(Optional.empty(), false, true)).findings())
          .isEmpty();
    }
  }
}
