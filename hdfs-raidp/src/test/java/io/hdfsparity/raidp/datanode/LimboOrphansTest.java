/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.image.Limbo;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.ImageKind;
import io.hdfsparity.raidp.wire.message.ImageRequest;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Files in limbo whose rows went with an Lstor. */
class LimboOrphansTest extends SharedVolumeNodes {
  /** B, the follower, has deleted its replica, and gets a new Lstor; A covers the block. */
  private void deleteAtBAndLoseItsLstor() throws IOException {
    place(ID, 5, 1);
    place(ID + 1, 5, 1);
    store(ID, a, b);
    store(ID + 1, a, b);
    settle();
    b.sims.get(0).delete(ID);
    settle();
    assertThat(limbo(b).holds(ID)).isTrue();
    loseLstor(b);
    assertThat(b.disk.lstor().entries()).isEmpty();
    assertThat(limbo(b).holds(ID)).isTrue();
  }

  private static void loseLstor(SimNode node) throws IOException {
    String disk = node.disk.diskId();
    node.stop();
    Files.createFile(DiskOpener.rebuildMarker(node.lstorDir(), disk));
    node.start();
  }

  private static Limbo limbo(SimNode node) {
    return volume(node).volume().limbo();
  }

  private static long removed(SimNode node) {
    return volume(node).volume().limboOrphans().removed();
  }

  private byte[] readForA() throws IOException {
    return b.service.readImage(
        new ImageRequest(
            "DS-b",
            ID,
            1001,
            70_000,
            ImageKind.DATA,
            0,
            70_000,
            Optional.of(new SuperchunkRef(5, 1))));
  }

  @Test
  void theyStayWhileThePartnerCoversTheBlockAndGoThen() throws IOException {
    deleteAtBAndLoseItsLstor();
    settle();
    assertThat(limbo(b).holds(ID)).isTrue();
    assertThat(readForA()).isEqualTo(new byte[70_000]);
    assertThat(removed(b)).isZero();
    a.sims.get(0).delete(ID);
    settle();
    assertThat(a.disk.lstor().entries()).extracting(SlotEntry::blockId).containsExactly(ID + 1);
    assertThat(limbo(b).blockIds()).isEmpty();
    assertThat(limbo(b).bytes()).isZero();
    assertThat(removed(b)).isEqualTo(1);
    try (Stream<Path> files = Files.list(b.frameDirectory(0).resolve(Limbo.DIRECTORY))) {
      assertThat(files).isEmpty();
    }
  }

  /** Until the replica is copied back, and has a row again. */
  @Test
  void theyStayForABlockThatComesBack() throws IOException {
    deleteAtBAndLoseItsLstor();
    settle();
    create(b, ID);
    b.sims.get(0).write(ID, 1001, new byte[70_000]);
    assertThat(readForA()).isEqualTo(new byte[70_000]);
    b.sims.get(0).finish(ID, 1001, 70_000);
    settle();
    assertThat(limbo(b).blockIds()).as("acknowledged").isEmpty();
    assertThat(removed(b)).isZero();
    assertThat(b.disk.lstor().entry(frameOf(b, ID), ID))
        .get()
        .matches(row -> row.state() == SlotState.LIVE && !row.ackPending());
  }

  @Test
  void theyStayWhileThePartnerIsAwayOrDeclaredDead() throws IOException {
    deleteAtBAndLoseItsLstor();
    net.down("a");
    settle();
    assertThat(limbo(b).holds(ID)).isTrue();
    net.declareDead("a");
    settle();
    assertThat(limbo(b).holds(ID)).as("the Lstor of a dead disk covers it").isTrue();
    net.declareAlive("a");
    net.up("a", a.service);
    a.sims.get(0).delete(ID);
    settle();
    assertThat(limbo(b).blockIds()).isEmpty();
  }

  /** A call would hold a thread that acknowledgements for other partners wait for. */
  @Test
  void aPartnerThatHangsIsNotAsked() throws IOException {
    deleteAtBAndLoseItsLstor();
    a.sims.get(0).delete(ID);
    for (int i = 0; i < 20; i++) {
      clock.advance(31_000);
      a.settle();
    }
    LimboOrphans orphans = volume(b).volume().limboOrphans();
    SilentPartners silent = volume(b).volume().disk().context().work().silent();
    silent.timedOut("a");
    orphans.run();
    assertThat(limbo(b).holds(ID)).isTrue();
    silent.answered("a");
    orphans.run();
    assertThat(limbo(b).holds(ID)).isFalse();
  }

  /** Which of its frames the block was in is not known. */
  @Test
  void theyStayWhileThePartnerOfAnyFrameIsAway() throws IOException {
    place(ID, 5, 1);
    store(ID, a, b);
    settle();
    net.down("b");
    a.sims.get(0).delete(ID);
    loseLstor(a);
    net.up("b", b.service);
    b.sims.get(0).delete(ID);
    net.down("c");
    settle();
    assertThat(b.disk.lstor().entries()).as("A has said that it needs nothing").isEmpty();
    assertThat(limbo(a).holds(ID)).isTrue();
    net.up("c", c.service);
    settle();
    assertThat(limbo(a).blockIds()).isEmpty();
    assertThat(removed(a)).isEqualTo(1);
  }

  /** At the start it may be a frame's, and its row may come. */
  @Test
  void thoseOfAReplicaThatIsDeletedWhileItsRowIsSoughtGoAsWell() throws IOException {
    place(ID, 5, 1);
    store(ID, a, b);
    settle();
    b.sims.get(0).delete(ID);
    create(b, ID);
    b.sims.get(0).write(ID, 1001, new byte[70_000]);
    b.sims.get(0).finish(ID, 1001, 70_000);
    loseLstor(b);
    assertThat(limbo(b).holds(ID)).as("not acknowledged").isTrue();
    assertThat(volume(b).volume().isRowSought(ID)).isTrue();
    b.sims.get(0).delete(ID);
    a.sims.get(0).delete(ID);
    settle();
    assertThat(limbo(b).blockIds()).isEmpty();
    assertThat(removed(b)).isEqualTo(1);
  }

  @Test
  void manyAreLookedAtInTurns() throws IOException {
    Path limbo = Files.createDirectories(b.frameDirectory(0).resolve(Limbo.DIRECTORY));
    List<Long> ids = Stream.iterate(ID + 10, id -> id + 1).limit(2_500).toList();
    for (long id : ids) {
      Files.createFile(limbo.resolve("blk_" + id + "_1001.1.tail"));
    }
    b.stop();
    b.start();
    assertThat(limbo(b).blockIds()).hasSameSizeAs(ids);
    settle();
    assertThat(limbo(b).blockIds()).isEmpty();
    assertThat(removed(b)).isEqualTo(ids.size());
  }
}
