/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.junit.jupiter.api.Test;

class ExcessReplicasTest {
  /** Volumes and which of them share a superchunk. */
  static final class Pairs extends NoPairs {
    private final Set<Set<String>> pairs = new HashSet<>();
    private final List<List<String>> left = new ArrayList<>();

    Pairs(String... pairsOfLetters) {
      for (String pair : pairsOfLetters) {
        pairs.add(Set.of(pair.substring(0, 1), pair.substring(1)));
      }
    }

    @Override
    public boolean arePartners(String storageId, String otherStorageId) {
      return pairs.contains(Set.of(storageId, otherStorageId));
    }

    @Override
    public boolean isInSeveralPairs(String storageId) {
      return pairs.stream().filter(pair -> pair.contains(storageId)).count() > 1;
    }

    @Override
    public void excessLeft(List<String> storageIds) {
      left.add(storageIds);
    }

    @Override
    public boolean owns(String nodeUuid) {
      return true;
    }

    @Override
    public boolean leavesToHdfs(String nodeUuid) {
      return false;
    }
  }

  private static String choose(Pairs pairs, String storages, int expected) {
    List<DatanodeStorageInfo> all = new ArrayList<>();
    for (String id : storages.split("")) {
      all.add(
          BlockManagerTestUtil.getDatanodeDescriptor(
                  "10.0.0." + (int) id.charAt(0), "/r", new DatanodeStorage(id))
              .getStorageInfo(id));
    }
    StringBuilder chosen = new StringBuilder();
    ExcessReplicas.of(pairs, all, all, expected)
        .forEach(storage -> chosen.append(storage.getStorageID()));
    return chosen.toString();
  }

  @Test
  void theOnlyPairStays() {
    assertThat(choose(new Pairs("AB"), "ACB", 2)).isEqualTo("C");
    assertThat(choose(new Pairs("AB"), "ABCE", 3)).isEqualTo("C");
  }

  /** AX may be the block's, and its other side B be out of service for the manager alone. */
  @Test
  void theOnlyPairMayBeAnotherOneWhereAVolumeIsInSeveral() {
    for (Pairs pairs :
        List.of(new Pairs("AC", "AX"), new Pairs("AC", "CX"), new Pairs("AC", "BX", "BY"))) {
      assertThat(choose(pairs, "ABC", 2)).isEmpty();
      assertThat(pairs.left).containsExactly(List.of("A", "B", "C"));
    }
  }

  @Test
  void whereTwoPairsHoldTheBlockNoneIsChosen() {
    for (Pairs pairs :
        List.of(new Pairs("AB", "BC"), new Pairs("AB", "AC", "BC"), new Pairs("AC", "AB", "CD"))) {
      assertThat(choose(pairs, "ABC", 2)).isEmpty();
      assertThat(pairs.left).containsExactly(List.of("A", "B", "C"));
    }
    Pairs disjoint = new Pairs("AB", "CD");
    assertThat(choose(disjoint, "ACBD", 2)).isEmpty();
    assertThat(disjoint.left).hasSize(1);
  }

  @Test
  void withoutAPairItDependsOnTheBlockWhereAVolumeIsInSeveral() {
    Pairs several = new Pairs("AX", "AY");
    assertThat(choose(several, "ABC", 2)).isEmpty();
    assertThat(several.left).hasSize(1);
    Pairs one = new Pairs("AX");
    assertThat(choose(one, "ABC", 2)).as("as before there were several").isEqualTo("A");
    assertThat(one.left).isEmpty();
  }

  @Test
  void aFileThatIsLoweredToOneReplicaLosesASideOfThePair() {
    assertThat(choose(new Pairs("AB", "AC"), "AB", 1)).hasSize(1);
    assertThat(choose(new Pairs("AB"), "AB", 2)).isEmpty();
  }

  @Test
  void noSideOfAPairThatHoldsTheBlockGoesWhileItNeedsTwo() {
    SeededRuns.of(200).check(ExcessReplicasTest::randomPairs);
  }

  private static void randomPairs(Random random) {
    String storages = "ABCDE".substring(0, 3 + random.nextInt(3));
    List<String> drawn = new ArrayList<>();
    for (char one = 'A'; one <= 'G'; one++) {
      for (char other = (char) (one + 1); other <= 'G'; other++) {
        if (random.nextInt(4) == 0) {
          drawn.add("" + one + other);
        }
      }
    }
    Pairs pairs = new Pairs(drawn.toArray(new String[0]));
    int expected = 2 + random.nextInt(2);
    String chosen = choose(pairs, storages, expected);
    assertThat(storages.length() - chosen.length()).isGreaterThanOrEqualTo(expected);
    for (String pair : drawn) {
      boolean holds =
          storages.contains(pair.substring(0, 1)) && storages.contains(pair.substring(1));
      assertThat(
              holds
                  && (chosen.contains(pair.substring(0, 1)) || chosen.contains(pair.substring(1))))
          .as("%s of %s", chosen, drawn)
          .isFalse();
    }
  }
}
