/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NamedPairingsTest {
  private static final int FRAMES = ReportRules.MAX_FRAMES;
  private static final int ROUNDS = NamedPairings.MAX_PASSED / FRAMES;

  private final NamedPairings named = new NamedPairings();

  private static Stream<FrameReport> frames(String volume, long firstSuperchunk, long epoch) {
    return IntStream.range(0, FRAMES)
        .mapToObj(i -> Reports.frame(volume, i, Pairing.alone(firstSuperchunk + i, epoch)));
  }

  /** Each report names other superchunks than the one before. */
  @Test
  void aNodeThatNamesEverNewSuperchunksIsRefusedInTheEnd() {
    for (long round = 0; round < ROUNDS; round++) {
      named.replace("n1", frames("a", round * FRAMES, 1), frames("a", (round + 1) * FRAMES, 1));
    }
    long last = (long) ROUNDS * FRAMES;
    assertThatThrownBy(
            () -> named.replace("n1", frames("a", last, 1), frames("a", last + FRAMES, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("node=n1")
        .hasMessageContaining("expected at most " + NamedPairings.MAX_PASSED)
        .hasMessageContaining("restart the NameNode");
    named.replace("n1", frames("a", last, 1), frames("a", last, 2));
    named.replace("n2", frames("b", 0, 1), frames("b", FRAMES, 1));
  }

  @Test
  void aNodeThatNamesEverNewVolumesIsRefusedInTheEnd() {
    for (int round = 0; round < ROUNDS; round++) {
      named.replace("n1", frames("v" + round, 0, 1), frames("v" + (round + 1), 0, 1));
    }
    assertThatThrownBy(() -> named.replace("n1", frames("v" + ROUNDS, 0, 1), frames("other", 0, 1)))
        .hasMessageContaining("node=n1");
  }

  /** A disk that comes and goes, and superchunks that get new epochs, are the same ones. */
  @Test
  void whatComesBackIsCountedOnce() {
    for (int round = 1; round <= 2 * ROUNDS + 1; round++) {
      named.replace("n1", frames("a", 0, round), Stream.empty());
      named.replace("n1", Stream.empty(), frames("a", 0, round + 1));
    }
  }

  /** A disk that is in another node now names the first one: that is not charged for it. */
  @Test
  void whatALstorNamesIsTheSendersFault() {
    SuperchunkMap map =
        new SuperchunkMap(new ManagerOptions.Silence(10, 100), Coefficients.THREE, 0);
    map.report(Reports.node("na", Reports.frame("a", 0, Pairing.alone(1, 1))), 0);
    assertThatThrownBy(
            () -> {
              for (long round = 0; round <= NamedPairings.MAX_PASSED / 512 + 1; round++) {
                map.report(naming("a", round * 512), "liar", 0);
              }
            })
        .hasMessageContaining("node=liar");
    map.report(Reports.node("na", Reports.frame("a", 0, Pairing.alone(2, 1))), 0);
  }

  private static LstorReport naming(String volume, long firstSuperchunk) {
    return Reports.lstor(
        "na", true, frames(volume, firstSuperchunk, 1).limit(512).toArray(FrameReport[]::new));
  }

  @Test
  void theMapRefusesWhatIsTooMuch() {
    SuperchunkMap map =
        new SuperchunkMap(new ManagerOptions.Silence(10, 100), Coefficients.THREE, 0);
    int frames = 512;
    assertThatThrownBy(
            () -> {
              for (int round = 0; round <= NamedPairings.MAX_PASSED / frames + 1; round++) {
                FrameReport[] reports = new FrameReport[frames];
                for (int i = 0; i < frames; i++) {
                  reports[i] = Reports.frame("a", i, Pairing.alone((long) round * frames + i, 1));
                }
                map.report(Reports.node("na", reports), 0);
              }
            })
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("node=na");
    map.report(Reports.node("nb", Reports.spare("b", 0)), 0);
  }
}
