/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.update.GroupFacts;
import io.hdfsparity.ecupdate.protocol.NodeReport;
import io.hdfsparity.ecupdate.protocol.OpenRequest;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A group is healed while a DataNode that has a unit of it comes and goes. */
class GroupHealingTest extends GroupHealingFixture {
  private static final int ALSO_LOST = 4;
  private static final GroupFacts TWICE_WOUNDED = group(0, 1, 3, 5);

  private void allButTheLostReport() {
    for (int node : new int[] {0, 1, 3, 5, 6, 7, 8}) {
      active.handle(new NodeReport(new UpdateNode("dn" + node, 1, "h", 1), 0, 0));
    }
  }

  @Test
  void aGroupOfALostNodeIsHealedAndItsOldUnitIsNotServedAnyMore() throws IOException {
    comeBack();
    assertThat(isServed()).isTrue();
    assertThat(ask(0)).contains("node-back");
    nowMs += FENCE_MS;
    assertThat(ask(0)).as("silent for the fence exactly").contains("node-back");
    nowMs++;
    assertThat(ask(0)).isEmpty();
    assertThat(active.replaced.ids()).as("it was only asked").isEmpty();
    nowMs += 1000;
    assertThat(replace(1000)).isEmpty();
    assertThat(active.replaced.ids()).containsExactly(GROUP);
    comeBack();
    assertThat(live.isLive(session)).isTrue();
    assertThat(isServed()).isFalse();
    assertThat(live.isLive(session, GROUP - 16)).as("another group").isTrue();
  }

  @Test
  void whoHasLockedForLongerNeedsALongerSilence() throws IOException {
    comeBack();
    nowMs += FENCE_MS + 1;
    assertThat(ask(0)).isEmpty();
    nowMs += 500;
    assertThat(replace(501)).as("locked before it asked").contains("node-back");
    assertThat(replace(500)).isEmpty();
  }

  @Test
  void whoHasNotAskedBeforeIsRefused() throws IOException {
    nowMs += 1000;
    assertThat(replace(0)).contains("node-back");
    assertThat(ask(1)).as("something is locked already").contains("node-back");
    assertThat(replace(1)).contains("node-back");
    assertThat(ask(0)).isEmpty();
    assertThat(ask(1)).as("it may ask again").isEmpty();
    assertThat(replace(1)).isEmpty();
  }

  @Test
  void aNodeThatCameBackMeanwhileIsSeenHoweverLongTheCallWasOnItsWay() throws IOException {
    comeBack();
    nowMs += 1000;
    assertThat(ask(0)).isEmpty();
    nowMs += 10;
    comeBack();
    assertThat(isServed()).isTrue();
    nowMs += 10 * FENCE_MS;
    assertThat(replace(10)).as("its client had held locks for 10 ms").contains("node-back");
    assertThat(active.replaced.ids()).isEmpty();
    // From then on nothing has been executed: asked anew, it can be healed.
    assertThat(ask(0)).isEmpty();
    nowMs += 10;
    assertThat(replace(10)).isEmpty();
  }

  @Test
  void aNodeThatCameBackAndWasForgottenIsSeenToo() throws IOException {
    nowMs += 1000;
    assertThat(ask(0)).isEmpty();
    nowMs += 10;
    comeBack();
    nowMs += 20 * FENCE_MS;
    othersReport();
    assertThat(replace(5)).contains("node-back");
  }

  @Test
  void whatWasAskedFirstCounts() throws IOException {
    nowMs += 1000;
    assertThat(ask(0)).isEmpty();
    nowMs += 10;
    assertThat(ask(0)).isEmpty();
    // A report that the first one forbids, and the second one would not.
    assertThat(active.table.healingAskedMs(session, GROUP, healing(0, LOST))).hasValue(nowMs - 10);
  }

  /** A program that heals, or several of the same session one after the other. */
  private final class Healer {
    final SessionId id =
        active
            .table
            .open(FILE.inodeId(), OptionalLong.empty(), "/f", "u", new OpenRequest("/f", "c", 0))
            .id()
            .orElseThrow();
    long number;

    /** Empty: allowed; else what it is refused for. */
    Optional<String> call(GroupFacts now, long heldMs, boolean isAsking, Integer... units)
        throws IOException {
      attempt = number;
      return active
          .healing
          .heal(
              new GroupHealing.HealingRequest(
                  id, FILE.inodeId(), GROUP, isAsking, healing(heldMs, units)),
              change -> Optional.empty(),
              rule -> rule.veto(change(now, isAsking)))
          .map(
              refusal -> {
                assertThat(refusal.kind()).isEqualTo("node-back");
                return refusal.reason().replaceAll("^Cannot update: (\\w+)=.*", "$1");
              });
    }

    Optional<String> ask(GroupFacts now, Integer... units) throws IOException {
      number++;
      return call(now, 0, true, units);
    }

    Optional<String> mayStill(GroupFacts now, Integer... units) throws IOException {
      return call(now, 1, true, units);
    }

    Optional<String> replace(GroupFacts now, Integer... units) throws IOException {
      return call(now, 1, false, units);
    }
  }

  /**
   * The first one decodes an update as not made; the second one, for whom more is lost, lets its
   * writer end it.
   */
  @Test
  void whoDecodedWithoutOtherUnitsThanAnotherSinceIsRefused() throws IOException {
    nowMs += 1000;
    othersReport();
    Healer first = new Healer();
    Healer second = new Healer();
    assertThat(first.ask(WOUNDED, LOST)).isEmpty();
    nowMs += 10;
    assertThat(first.mayStill(WOUNDED, LOST)).isEmpty();
    assertThat(second.ask(WOUNDED, LOST, ALSO_LOST)).as("it is there").contains("recentlyActive");
    nowMs += FENCE_MS + 1;
    allButTheLostReport();
    assertThat(first.mayStill(TWICE_WOUNDED, LOST)).contains("missingUnits");
    assertThat(first.replace(TWICE_WOUNDED, LOST)).contains("missingUnits");
    assertThat(second.ask(TWICE_WOUNDED, LOST, ALSO_LOST)).isEmpty();
    nowMs += 10;
    assertThat(second.mayStill(TWICE_WOUNDED, LOST, ALSO_LOST)).isEmpty();
    // Whatever comes back: the update is acknowledged, and the first one's copy does not have it.
    assertThat(first.mayStill(WOUNDED, LOST)).contains("askedBefore");
    assertThat(first.replace(WOUNDED, LOST)).contains("askedBefore");
    assertThat(second.replace(WOUNDED, LOST, ALSO_LOST)).contains("unit");
    assertThat(second.replace(TWICE_WOUNDED, LOST, ALSO_LOST)).isEmpty();
  }

  @Test
  void twoThatDecodeWithoutTheSameUnitsDisturbEachOtherNot() throws IOException {
    nowMs += 1000;
    othersReport();
    Healer first = new Healer();
    Healer second = new Healer();
    assertThat(first.ask(WOUNDED, LOST)).isEmpty();
    assertThat(second.ask(WOUNDED, LOST)).isEmpty();
    nowMs += 10;
    assertThat(second.mayStill(WOUNDED, LOST)).isEmpty();
    assertThat(first.replace(WOUNDED, LOST)).isEmpty();
  }

  @Test
  void aCallOfAnEarlierAttemptComesTooLate() throws IOException {
    nowMs += 1000;
    othersReport();
    Healer healer = new Healer();
    assertThat(healer.ask(WOUNDED, LOST)).isEmpty();
    assertThat(healer.ask(WOUNDED, LOST)).isEmpty();
    nowMs += 10;
    healer.number--;
    assertThat(healer.mayStill(WOUNDED, LOST)).contains("askedBefore");
    assertThat(healer.replace(WOUNDED, LOST)).contains("askedBefore");
    healer.number++;
    assertThat(healer.replace(WOUNDED, LOST)).isEmpty();
  }

  /** As a call that the client, or what is between, has sent again. */
  @Test
  void aQuestionThatIsHeardAgainBringsNothingBack() throws IOException {
    nowMs += 1000;
    othersReport();
    Healer first = new Healer();
    Healer second = new Healer();
    assertThat(first.ask(WOUNDED, LOST)).isEmpty();
    nowMs += FENCE_MS + 1;
    allButTheLostReport();
    assertThat(second.ask(TWICE_WOUNDED, LOST, ALSO_LOST)).isEmpty();
    // What is lost besides comes back.
    nowMs += FENCE_MS + 1;
    othersReport();
    assertThat(first.call(WOUNDED, 0, true, LOST)).contains("attempt");
    nowMs += 10;
    assertThat(first.replace(WOUNDED, LOST)).contains("askedBefore");
    assertThat(first.ask(WOUNDED, LOST)).as("anew").isEmpty();
    assertThat(first.call(WOUNDED, 0, true, LOST))
        .as("also of one that counts")
        .contains("attempt");
    assertThat(first.replace(WOUNDED, LOST)).isEmpty();
  }

  @Test
  void nothingIsHealedInTheGraceNorByWhatWasAskedBeforeAFailover() throws IOException {
    nowMs += 1000;
    assertThat(ask(0)).isEmpty();
    becomeActive(second);
    assertThat(replace(0)).contains("node-back");
    assertThat(ask(0)).as("a node may go by another's word").contains("node-back");
    nowMs += TIMES.graceMs();
    assertThat(ask(0)).isEmpty();
    assertThat(replace(0)).isEmpty();
  }
}
