/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hdfsparity.core.trace.Access;
import io.hdfsparity.core.trace.ByteRequest;
import java.util.BitSet;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Generated volumes have the statistics of Table 2, as counted from their requests alone. */
class VolumeTraceTest {
  private static final int WRITES = 20_000;

  private static VolumeStatistics counted(String name, List<ByteRequest> requests) {
    BitSet accessed = new BitSet();
    BitSet updated = new BitSet();
    long writes = 0;
    long updates = 0;
    for (ByteRequest request : requests) {
      int from = Math.toIntExact(request.offsetBytes() >> 10);
      int to = from + Math.toIntExact(request.sizeBytes() >> 10);
      if (request.access() == Access.WRITE) {
        writes++;
        updates += accessed.get(from) ? 1 : 0;
        for (int at = from; at < to; at++) {
          if (accessed.get(at)) {
            updated.set(at);
          }
        }
      }
      accessed.set(from, to);
    }
    return new VolumeStatistics(
        name,
        writes,
        accessed.cardinality(),
        (double) updated.cardinality() / accessed.cardinality(),
        (double) updates / writes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"src22", "mds0", "rsrch0", "usr0", "web0", "ts0", "stg0", "hm0", "prn1", "proj0"})
  void volumesHaveTheStatisticsOfTable2(String name) {
    VolumeStatistics wanted = VolumeStatistics.named(name).capped(WRITES);
    for (long seed = 1; seed <= 3; seed++) {
      List<ByteRequest> requests = VolumeTrace.of(wanted, seed);
      VolumeStatistics made = counted(name, requests);
      assertThat(made.writes()).isEqualTo(WRITES);
      assertThat(made.workingSetKib())
          .isCloseTo(wanted.workingSetKib(), Percentage.withPercentage(2));
      assertThat(made.updatedWorkingSetShare())
          .isCloseTo(wanted.updatedWorkingSetShare(), within(0.02));
      assertThat(made.updateShare()).isCloseTo(wanted.updateShare(), within(0.005));
      assertThat(requests)
          .as("updates are small: below 512 KB, as section 2.2 says")
          .allMatch(each -> each.sizeBytes() < 512 << 10);
    }
  }

  @Test
  void theSameSeedGivesTheSameRequests() {
    VolumeStatistics wanted = VolumeStatistics.named("usr0").capped(1000);
    assertThat(VolumeTrace.of(wanted, 3)).isEqualTo(VolumeTrace.of(wanted, 3));
    assertThat(VolumeTrace.of(wanted, 4)).isNotEqualTo(VolumeTrace.of(wanted, 3));
  }

  @Test
  void anUnknownVolumeIsRefusedWithThoseThatThereAre() {
    assertThatThrownBy(() -> VolumeStatistics.named("usr9"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("usr9", "proj0");
  }
}
