/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.namenode.ReplacedGroups.Outcome;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A group is listed as long as it must be, whoever else tries to heal it. */
class ReplacedGroupsTest {
  private static final long GROUP = -1024;

  private final ReplacedGroups groups = new ReplacedGroups();

  @Test
  void aGroupThatIsNotReplacedIsListedMeanwhileOnly() {
    assertThat(groups.ids()).isEmpty();
    groups.begin(GROUP, 7);
    assertThat(groups.ids()).containsExactly(GROUP);
    assertThat(groups.idle()).isEmpty();
    groups.end(GROUP, Outcome.NO);
    assertThat(groups.ids()).isEmpty();
  }

  @Test
  void whoIsRefusedTakesNobodysPlaceAway() {
    groups.begin(GROUP, 7);
    groups.begin(GROUP, 7);
    groups.end(GROUP, Outcome.NO);
    assertThat(groups.ids()).as("one is under way").containsExactly(GROUP);
    groups.end(GROUP, Outcome.YES);
    assertThat(groups.idle().get(GROUP).outcome).isEqualTo(Outcome.YES);
    groups.begin(GROUP, 7);
    assertThat(groups.idle()).isEmpty();
    groups.end(GROUP, Outcome.NO);
    assertThat(groups.ids()).as("it is replaced").containsExactly(GROUP);
  }

  /** Files that there are, with their groups. */
  private static final class Played implements ReplacedGroups.Files {
    final Map<Long, Set<Long>> groups = new HashMap<>();

    @Override
    public boolean exists(long inodeId) {
      return groups.containsKey(inodeId);
    }

    @Override
    public boolean has(long inodeId, long groupId) {
      return groups.getOrDefault(inodeId, Set.of()).contains(groupId);
    }
  }

  private final Played files = new Played();

  private void healed(long groupId, long inodeId, Outcome outcome) {
    groups.begin(groupId, inodeId);
    groups.end(groupId, outcome);
  }

  @Test
  void aGroupIsForgottenWhenNoSessionKnowsIt() throws IOException {
    files.groups.put(7L, Set.of());
    files.groups.put(8L, Set.of());
    healed(GROUP, 7, Outcome.YES);
    healed(GROUP - 16, 9, Outcome.YES);
    groups.review(() -> Set.of(7L, 8L), files);
    assertThat(groups.ids()).as("its file is updated").containsExactly(GROUP);
    files.groups.remove(8L);
    groups.review(() -> Set.of(8L), files);
    assertThat(groups.ids()).as("the other file may have been joined to it").contains(GROUP);
    groups.review(Set::of, files);
    assertThat(groups.ids()).isEmpty();
    groups.review(
        () -> {
          throw new AssertionError("nothing is listed");
        },
        files);
  }

  @Test
  void whatFailedIsLookedUp() throws IOException {
    files.groups.put(7L, Set.of(GROUP));
    healed(GROUP, 7, Outcome.UNKNOWN);
    healed(GROUP - 16, 7, Outcome.UNKNOWN);
    assertThat(groups.ids()).containsExactlyInAnyOrder(GROUP, GROUP - 16);
    groups.review(() -> Set.of(7L), files);
    assertThat(groups.ids()).containsExactly(GROUP - 16);
    assertThat(groups.idle().get(GROUP - 16).outcome).isEqualTo(Outcome.YES);
  }

  @Test
  void whatIsHealedMeanwhileIsNotForgotten() throws IOException {
    files.groups.put(7L, Set.of(GROUP));
    healed(GROUP, 7, Outcome.UNKNOWN);
    groups.review(
        () -> {
          groups.begin(GROUP, 7);
          return Set.of();
        },
        files);
    assertThat(groups.ids()).containsExactly(GROUP);
    groups.end(GROUP, Outcome.NO);
    for (Outcome outcome : new Outcome[] {Outcome.UNKNOWN, Outcome.YES}) {
      groups.review(
          () -> {
            healed(GROUP, 7, outcome);
            return Set.of();
          },
          files);
      assertThat(groups.ids()).as("%s", outcome).containsExactly(GROUP);
    }
  }
}
