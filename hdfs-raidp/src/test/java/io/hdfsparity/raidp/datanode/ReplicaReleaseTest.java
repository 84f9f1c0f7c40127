/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Covered replicas that become plain ones, in superchunk 5 of a and b; a leads. */
class ReplicaReleaseTest extends SharedVolumeNodes {
  private static final SuperchunkRef FIVE = new SuperchunkRef(5, 1);
  private static final int LENGTH = 70_000;

  private void storeCovered(long blockId) throws IOException {
    place(blockId, 5, 1);
    store(blockId, a, b);
    settle();
    verifyCovered(blockId, LENGTH);
  }

  private static List<Long> release(SimNode node, long stamp, long... blockIds) throws IOException {
    Map<Long, Long> stamps = new HashMap<>();
    for (long blockId : blockIds) {
      stamps.put(blockId, stamp);
    }
    return node.service.release("DS-" + node.name, FIVE, stamps, node.service.releaseTicket());
  }

  /** Everything that is due at once: no mark runs out meanwhile. */
  private void settleNow() {
    for (int i = 0; i < 40; i++) {
      clock.advance(100);
      a.settle();
      b.settle();
    }
  }

  private static Optional<SlotEntry> row(SimNode node, long blockId) {
    int frame = frameOf(node, blockId);
    return frame < 0 ? Optional.empty() : node.disk.lstor().entry(frame, blockId);
  }

  private void verifyScrub() throws IOException {
    for (SimNode node : List.of(a, b, c)) {
      assertThat(node.service.scrub(new ScrubRequest(Optional.empty(), false, true)).findings())
          .isEmpty();
    }
  }

  private void verifyCovered(long blockId, int length) throws IOException {
    for (SimNode node : List.of(a, b)) {
      assertThat(row(node, blockId))
          .get()
          .matches(row -> row.state() == SlotState.LIVE && !row.ackPending(), "settled")
          .matches(row -> row.coveredBytes() == length, "whole");
    }
    verifyScrub();
  }

  private void verifyPlain(long blockId) throws IOException {
    for (SimNode node : List.of(a, b)) {
      assertThat(row(node, blockId)).as("row on " + node.name).isEmpty();
      assertThat(node.sims.get(0).exists(blockId)).isTrue();
      assertThat(volume(node).volume().isLeaving(blockId)).as("marks that leak").isFalse();
    }
    verifyScrub();
  }

  @Test
  void bothSidesLetGoAndTheReplicasStay() throws IOException {
    storeCovered(ID);
    storeCovered(ID + 1);
    byte[] before = a.sims.get(0).content(ID);
    assertThat(release(a, 1001, ID)).containsExactly(ID);
    assertThat(release(b, 1001, ID)).containsExactly(ID);
    settleNow();
    verifyPlain(ID);
    assertThat(a.sims.get(0).content(ID)).isEqualTo(before);
    assertThat(release(a, 1001, ID)).as("again").containsExactly(ID);
    verifyCovered(ID + 1, LENGTH);
    assertThat(a.disk.lstor().entries()).hasSize(1);
    assertThat(b.disk.lstor().entries()).hasSize(1);

    // HDFS changes it as a plain one, and it can be covered again.
    for (SimNode node : List.of(a, b)) {
      node.sims.get(0).reopen(ID, 1001, 1002, SimNode.MAX_BLOCK);
      node.sims.get(0).write(ID, 1002, new byte[90_000]);
      node.sims.get(0).finish(ID, 1002, 90_000);
    }
    settle();
    verifyPlain(ID);
    assertThat(a.service.cover("DS-a", FIVE, List.of(ID))).containsExactly(ID);
    settle();
    verifyCovered(ID, 90_000);
  }

  /** Until the partner has released it too, its parity holds the image of this replica. */
  @Test
  void oneSideAloneKeepsItsRowAndIsCoveredAgain() throws IOException {
    storeCovered(ID);
    release(a, 1001, ID);
    settleNow();
    assertThat(row(a, ID)).get().matches(row -> row.state() == SlotState.LIMBO, "leaving");
    assertThat(row(b, ID)).get().matches(SlotEntry::coversAnything, "still covered");
    assertThat(volume(a).isPinned(SimFrame.POOL, ID)).as("its image is wanted").isTrue();
    verifyScrub();
    settle();
    verifyCovered(ID, LENGTH);
    assertThat(volume(a).volume().isLeaving(ID)).isFalse();
  }

  @Test
  void theManagerCallsAgainUntilThePartnerCanBeReached() throws IOException {
    storeCovered(ID);
    net.down("b");
    for (int i = 0; i < 20; i++) {
      release(a, 1001, ID);
      clock.advance(10_000);
      a.settle();
      assertThat(row(a, ID)).get().matches(row -> !row.coversAnything(), "not covered again");
    }
    net.up("b", b.service);
    release(b, 1001, ID);
    release(a, 1001, ID);
    for (int i = 0; i < 6; i++) {
      clock.advance(10_000);
      a.settle();
      b.settle();
      release(b, 1001, ID);
      release(a, 1001, ID);
    }
    verifyPlain(ID);
  }

  /** The third replica that the manager has counted may not have been appended to. */
  @Test
  void aReplicaWithAnotherStampStays() throws IOException {
    storeCovered(ID);
    assertThat(release(a, 1000, ID)).isEmpty();
    assertThat(release(a, 1002, ID)).isEmpty();
    settle();
    verifyCovered(ID, LENGTH);
  }

  /** The NameNode has stepped down meanwhile, and the file may be protected again. */
  @Test
  void anOrderThatIsLongOnItsWayIsRefused() throws IOException {
    storeCovered(ID);
    long late = a.service.releaseTicket();
    clock.advance(ReleaseTickets.LIFE_MS - 1);
    long early = a.service.releaseTicket();
    clock.advance(1);
    assertThatThrownBy(() -> a.service.release("DS-a", FIVE, Map.of(ID, 1001L), late))
        .hasMessageContaining("ticket=" + late);
    assertThatThrownBy(() -> a.service.release("DS-a", FIVE, Map.of(ID, 1001L), early + 1))
        .hasMessageContaining("ticket=");
    verifyCovered(ID, LENGTH);
    assertThat(a.service.release("DS-a", FIVE, Map.of(ID, 1001L), early)).containsExactly(ID);
    long before = a.service.releaseTicket();
    a.crash();
    assertThatThrownBy(() -> a.service.release("DS-a", FIVE, Map.of(ID, 1001L), before))
        .hasMessageContaining("ticket=" + before);
  }

  /** Its superchunk went on with another partner, which nobody asks any more. */
  @Test
  void aFrameThatWasLeftBehindReleasesAlone() throws IOException {
    storeCovered(ID);
    b.sims.get(1).hooks().frame().superseded(true);
    net.down("a");
    assertThat(release(b, 1001, ID)).containsExactly(ID);
    for (int i = 0; i < 40; i++) {
      clock.advance(100);
      b.settle();
    }
    assertThat(row(b, ID)).isEmpty();
    assertThat(b.sims.get(0).exists(ID)).isTrue();
    net.up("a", a.service);
  }

  @Test
  void anAppendEndsIt() throws IOException {
    storeCovered(ID);
    release(a, 1001, ID);
    release(b, 1001, ID);
    a.settle();
    for (SimNode node : List.of(a, b)) {
      node.sims.get(0).reopen(ID, 1001, 1002, SimNode.MAX_BLOCK);
    }
    assertThat(release(a, 1001, ID)).as("it is open").isEmpty();
    settleNow();
    for (SimNode node : List.of(a, b)) {
      node.sims.get(0).write(ID, 1002, new byte[90_000]);
      node.sims.get(0).finish(ID, 1002, 90_000);
    }
    assertThat(release(a, 1001, ID)).isEmpty();
    settle();
    verifyCovered(ID, 90_000);
    release(a, 1002, ID);
    release(b, 1002, ID);
    settleNow();
    verifyPlain(ID);
  }

  @Test
  void aTruncateEndsIt() throws IOException {
    storeCovered(ID);
    release(a, 1001, ID);
    release(b, 1001, ID);
    b.settle();
    for (SimNode node : List.of(a, b)) {
      node.sims.get(0).truncate(ID, 1001, 1002, 30_000);
    }
    settle();
    verifyCovered(ID, 30_000);
  }

  @Test
  void aDeletionMeanwhileLeavesNothing() throws IOException {
    for (int steps = 0; steps < 6; steps++) {
      long id = ID + steps;
      storeCovered(id);
      release(a, 1001, id);
      release(b, 1001, id);
      for (int i = 0; i < steps; i++) {
        clock.advance(20);
        (i % 2 == 0 ? a : b).settleOnce();
      }
      a.sims.get(0).delete(id);
      b.sims.get(0).delete(id);
      settle();
      assertThat(a.disk.lstor().entries()).isEmpty();
      assertThat(b.disk.lstor().entries()).isEmpty();
      verifyScrub();
    }
  }

  @Test
  void anAdoptionMeanwhileCoversItAgain() throws IOException {
    storeCovered(ID);
    release(a, 1001, ID);
    release(b, 1001, ID);
    a.settleOnce();
    assertThat(a.service.cover("DS-a", FIVE, List.of(ID))).containsExactly(ID);
    assertThat(b.service.cover("DS-b", FIVE, List.of(ID))).containsExactly(ID);
    settle();
    verifyCovered(ID, LENGTH);
  }

  @Test
  void aFrameThatHasLeftTheSuperchunkIsNotMeant() throws IOException {
    storeCovered(ID);
    long ticket = a.service.releaseTicket();
    assertThatThrownBy(
            () -> a.service.release("DS-a", new SuperchunkRef(9, 1), Map.of(ID, 1001L), ticket))
        .isInstanceOf(PeerException.class);
    assertThat(a.service.release("DS-a", new SuperchunkRef(5, 1), Map.of(ID + 7, 1001L), ticket))
        .as("it has none")
        .containsExactly(ID + 7);
    assertThatThrownBy(
            () ->
                new ReplicaRelease(a.sims.get(0).hooks().frame())
                    .release(Map.of(ID, 1001L), new Pairing(5, 0, "DS-b", "b", 2), () -> {}))
        .isInstanceOf(PeerException.StaleEpoch.class);
    verifyCovered(ID, LENGTH);
  }

  /** After each step of either side a crash: covered on both sides, or on none. */
  @Test
  void aCrashAfterAnyStepLeavesAPlainOrACoveredBlock() throws IOException {
    Random random = new Random(5);
    for (int steps = 0; steps < 10; steps++) {
      for (SimNode crashing : List.of(a, b)) {
        long id = ID + 10 + 2 * steps + (crashing == a ? 0 : 1);
        storeCovered(id);
        release(a, 1001, id);
        if (steps > 0) {
          release(b, 1001, id);
        }
        for (int i = 0; i < steps; i++) {
          clock.advance(20);
          (random.nextBoolean() ? a : b).settleOnce();
        }
        crashing.crash();
        verifyScrubImages();
        settle();
        boolean isCovered = frameOf(a, id) >= 0 || frameOf(b, id) >= 0;
        if (isCovered) {
          verifyCovered(id, LENGTH);
          release(a, 1001, id);
          release(b, 1001, id);
          settleNow();
        }
        verifyPlain(id);
        a.sims.get(0).delete(id);
        b.sims.get(0).delete(id);
        settle();
      }
    }
    assertThat(a.disk.lstor().entries()).isEmpty();
    assertThat(b.disk.lstor().entries()).isEmpty();
  }

  /** What either parity covers can be served by the other side. */
  private void verifyScrubImages() {
    for (SimNode node : List.of(a, b)) {
      SimNode other = node == a ? b : a;
      for (SlotEntry row : node.disk.lstor().entries()) {
        if (row.coversAnything()) {
          assertThat(other.sims.get(0)).isNotNull();
          assertThat(frameOf(other, row.blockId())).as("row at the mirror").isNotNegative();
        }
      }
    }
  }
}
