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
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameQuestionsTest extends SharedVolumeNodes {
  private void verify() throws IOException {
    for (SimNode node : List.of(a, b, c)) {
      assertThat(node.service.scrub(new ScrubRequest(Optional.empty(), false, true)).findings())
          .isEmpty();
      assertThat(node.questions.size()).as("answers left on " + node.name).isZero();
    }
  }

  @Test
  void aBlockGoesToTheFrameOfItsSuperchunk() throws IOException {
    place(ID, 5, 1);
    place(ID + 1, 6, 1);
    store(ID, a, b);
    store(ID + 1, a, c);
    assertThat(frameOf(a, ID)).isZero();
    assertThat(frameOf(b, ID)).isEqualTo(1);
    assertThat(frameOf(a, ID + 1)).isEqualTo(1);
    assertThat(asked).containsExactly("a DS-a", "b DS-b", "a DS-a", "c DS-c");
    settle();
    verify();
  }

  @Test
  void aLeaderThatItsFollowerHasAskedAsksNobody() throws IOException {
    place(ID, 5, 1);
    store(ID, b, a);
    assertThat(asked).containsExactly("b DS-b");
    assertThat(frameOf(a, ID)).isZero();
    settle();
    assertThat(a.disk.lstor().entry(0, ID).map(SlotEntry::state)).contains(SlotState.LIVE);
    verify();
  }

  @Test
  void aReplicaThatReplacesALiveOneAsksNobody() throws IOException {
    place(ID, 5, 1);
    store(ID, a, b);
    asked.clear();
    assertThat(ask(a, ID)).isEmpty();
    assertThat(asked).isEmpty();
  }

  /**
   * One side has missed an append. The copy from the other side deletes what it has, so that the
   * row says nothing any more when the copy gets its units.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aReplicaThatReplacesAnOlderOneGoesToTheFrameOfItsSuperchunk(boolean isLeaderOlder)
      throws IOException {
    place(ID, 5, 1);
    store(ID, a, b);
    settle();
    SimNode older = isLeaderOlder ? a : b;
    appendTo(isLeaderOlder ? b : a);
    clock.advance(61_000);
    asked.clear();
    ask(older, ID, 1002);
    assertThat(asked).hasSize(1);
    older.sims.get(0).delete(ID);
    volume(older).reserve(SimFrame.POOL, ID, SimNode.MAX_BLOCK);
    older.sims.get(0).write(ID, 1002, new byte[90_000]);
    older.sims.get(0).finish(ID, 1002, 90_000);
    settle();
    SlotEntry ofLeader = a.disk.lstor().entry(0, ID).orElseThrow();
    SlotEntry ofFollower = b.disk.lstor().entry(1, ID).orElseThrow();
    assertThat(ofFollower.runs()).isEqualTo(ofLeader.runs());
    assertThat(List.of(ofLeader, ofFollower))
        .allMatch(
            row ->
                row.state() == SlotState.LIVE
                    && row.coveredBytes() == 90_000
                    && row.generationStamp() == 1002
                    && !row.ackPending());
    verify();
  }

  private static void appendTo(SimNode node) throws IOException {
    node.sims.get(0).reopen(ID, 1001, 1002, SimNode.MAX_BLOCK);
    node.sims.get(0).write(ID, 1002, new byte[90_000]);
    node.sims.get(0).finish(ID, 1002, 90_000);
  }

  /** Its superchunk may have changed since: the older row goes first, as any other one. */
  @Test
  void aReplicaThatReplacesAnOlderOneOfAnotherSuperchunkWaitsForItsRowToGo() throws IOException {
    place(ID, 5, 1);
    store(ID, a, b);
    settle();
    place(ID, 6, 1);
    assertThat(ask(a, ID, 1002)).isEmpty();
    a.sims.get(0).delete(ID);
    assertThatThrownBy(() -> volume(a).reserve(SimFrame.POOL, ID, SimNode.MAX_BLOCK))
        .isInstanceOf(PeerException.Busy.class);
    b.sims.get(0).delete(ID);
    settle();
    assertThat(frameOf(a, ID)).as("no row is left").isEqualTo(-1);
    create(a, ID);
    assertThat(frameOf(a, ID)).isEqualTo(1);
  }

  @Test
  void theRowOfAnEarlierLifeIsNoAnswer() throws IOException {
    place(ID, 5, 1);
    store(ID, a, b);
    settle();
    b.stop();
    a.sims.get(0).delete(ID);
    place(ID, 6, 1);
    assertThatThrownBy(() -> create(a, ID))
        .isInstanceOf(PeerException.Busy.class)
        .hasMessageContaining("no row of it in another frame of the volume");
    assertThat(frameOf(a, ID)).as("limbo until b has let go").isZero();
    b.start();
    b.sims.get(0).delete(ID);
    settle();
    create(c, ID);
    create(a, ID);
    assertThat(frameOf(a, ID)).isEqualTo(1);
  }

  @Test
  void anUnknownSuperchunkOrALaterEpochIsAskedForAgain() throws IOException {
    place(ID, 7, 1);
    assertThatThrownBy(() -> create(b, ID))
        .isInstanceOf(PeerException.Busy.class)
        .hasMessageContaining("superchunk=7, epoch=1, expected a frame of the volume in that");
    place(ID, 5, 2);
    assertThatThrownBy(() -> create(b, ID)).isInstanceOf(PeerException.Busy.class);
    assertThat(b.disk.lstor().entries()).isEmpty();
    b.pair(0, new Pairing(7, 1, "DS-c", "c", 2));
    place(ID, 7, 1);
    assertThat(ask(b, ID)).contains("DS-b");
  }

  @Test
  void aFrameThatIsPairedAnewBetweenQuestionAndReserveTakesNothing() throws IOException {
    place(ID, 5, 1);
    ask(b, ID);
    b.pair(1, new Pairing(9, 2, "DS-c", "c", 1));
    assertThatThrownBy(() -> volume(b).reserve(SimFrame.POOL, ID, 1000))
        .isInstanceOf(PeerException.Busy.class)
        .hasMessageContaining("expected frame 1 to be in it still");
    assertThat(b.disk.lstor().entries()).isEmpty();
    assertThat(b.questions.size()).isZero();
  }

  @Test
  void aNewPartnerBetweenQuestionAndReserveIsNoMatter() throws IOException {
    place(ID, 5, 1);
    ask(a, ID);
    a.pair(0, new Pairing(5, 2, "DS-z", "z", 2));
    net.declareDead("z");
    volume(a).reserve(SimFrame.POOL, ID, 1000);
    assertThat(frameOf(a, ID)).isZero();
  }

  @Test
  void withoutAnAnswerNoReplicaIsMade() throws IOException {
    assertThatThrownBy(() -> volume(a).reserve(SimFrame.POOL, ID, 1000))
        .isInstanceOf(PeerException.Busy.class)
        .hasMessageContaining("expected the manager to have told its superchunk");
    place(ID, 5, 1);
    ask(a, ID);
    clock.advance(61_000);
    assertThat(a.questions.size()).as("the create never came").isZero();
    assertThatThrownBy(() -> volume(a).reserve(SimFrame.POOL, ID, 1000))
        .isInstanceOf(PeerException.Busy.class);
    assertThat(a.disk.lstor().entries()).isEmpty();
  }

  @Test
  void twoCreatesOfABlockHaveAnAnswerEach() throws IOException {
    place(ID, 5, 1);
    ask(b, ID);
    ask(b, ID);
    net.down("a");
    assertThatThrownBy(() -> volume(b).reserve(SimFrame.POOL, ID, 1000))
        .isInstanceOf(IOException.class);
    assertThat(b.questions.size()).isEqualTo(1);
    net.up("a", a.service);
    volume(b).reserve(SimFrame.POOL, ID, 1000);
    assertThat(frameOf(b, ID)).isEqualTo(1);
    assertThat(b.questions.size()).isZero();
  }

  @Test
  void whoNamesNoStorageGetsStorageAndFrame() throws IOException {
    place(ID, 6, 1);
    assertThat(
            a.questions.storageFor(Optional.empty(), new ExtendedBlock(SimFrame.POOL, ID, 0, 1001)))
        .contains("DS-a");
    volume(a).reserve(SimFrame.POOL, ID, 1000);
    assertThat(frameOf(a, ID)).isEqualTo(1);
    assertThat(asked).containsExactly("a none");
  }

  @Test
  void aFailedDiskTakesNoCoveredReplica() throws IOException {
    a.disk.fail("says the test");
    place(ID, 5, 1);
    assertThatThrownBy(() -> ask(a, ID))
        .hasMessageContaining("superchunk=5, expected a disk whose Lstor is in service");
  }
}
