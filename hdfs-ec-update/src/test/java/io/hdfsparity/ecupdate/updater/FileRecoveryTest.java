/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.geometry.ByteOrder;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions are crossed out of a group after all stripes that lie there. */
class FileRecoveryTest {
  private static final int CELL_BYTES = 8;
  private static final int GROUP_BYTES = 3 * 3 * CELL_BYTES;
  private static final FileLayout LAYOUT =
      new FileLayout(
          new StripeCode(new ScalarKernel(), GfMatrix.cauchyParity(3, 2)),
          CELL_BYTES,
          List.of(
              new FileLayout.Group(0, GROUP_BYTES),
              new FileLayout.Group(GROUP_BYTES, GROUP_BYTES - CELL_BYTES - 1)));
  private static final StripeSession.OtherSessions DEAD =
      new StripeSession.OtherSessions(Set.of(7L), Set.of());

  /** The stripes of one group are stored in the other, as far as both have them. */
  private static final ByteOrder EXCHANGED =
      new ByteOrder() {
        @Override
        public long stored(long position) {
          long end = GROUP_BYTES + 3 * CELL_BYTES;
          if (position < 3 * CELL_BYTES) {
            return position + GROUP_BYTES;
          }
          return position >= GROUP_BYTES && position < end ? position - GROUP_BYTES : position;
        }

        @Override
        public long run(long position) {
          return CELL_BYTES - position % CELL_BYTES;
        }
      };

  /** Remembers what was recovered when a group's sessions are crossed out. */
  private static final class Recorder implements FileRecovery.Sessions, FileRecovery.Stripes {
    final Map<Integer, Set<StripeKey>> before = new HashMap<>();
    final List<StripeKey> recovered = new ArrayList<>();
    final Map<Integer, StripeSession.OtherSessions> sessions = new HashMap<>();

    @Override
    public void checkUsable() {}

    @Override
    public StripeSession.OtherSessions noted(int group) {
      return sessions.getOrDefault(group, StripeSession.OtherSessions.NOTHING);
    }

    @Override
    public void crossOut(int group, Set<Long> over) {
      assertThat(over).containsExactly(7L);
      before.put(group, new HashSet<>(recovered));
    }

    @Override
    public void recover(List<StripeKey> stripes, long pauseMs) {
      recovered.addAll(stripes);
    }
  }

  private static Set<StripeKey> stripesOf(int group) {
    return Set.of(new StripeKey(group, 0), new StripeKey(group, 1), new StripeKey(group, 2));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 100})
  void everyStripeOfAGroupIsRecoveredBefore(int maxStripes) throws IOException {
    for (ByteOrder order : List.of(ByteOrder.OWN, EXCHANGED)) {
      for (int group = 0; group < 2; group++) {
        Recorder recorder = new Recorder();
        recorder.sessions.put(group, DEAD);
        List<Long> progress = new ArrayList<>();
        StripedFileUpdater.Settled settled =
            new FileRecovery(LAYOUT, order, recorder, recorder, maxStripes)
                .settle(StripeSession.OtherSessions::isAny, 1, progress::add);
        assertThat(recorder.before).containsOnlyKeys(group);
        assertThat(recorder.before.get(group)).isEqualTo(stripesOf(group));
        assertThat(recorder.recovered).hasSize(3);
        assertThat(settled.settled()).containsExactly(7L);
        assertThat(settled.left()).isEmpty();
        assertThat(progress).isSorted();
        assertThat(progress.get(progress.size() - 1))
            .isEqualTo(LAYOUT.groups().get(group).endOffset());
      }
    }
  }

  @Test
  void aRangeIsOneOfTheOwnOrder() throws IOException {
    Recorder recorder = new Recorder();
    new FileRecovery(LAYOUT, EXCHANGED, recorder, recorder, 100).recover(0, CELL_BYTES, 1);
    assertThat(recorder.recovered).containsExactly(new StripeKey(1, 0));
  }
}
