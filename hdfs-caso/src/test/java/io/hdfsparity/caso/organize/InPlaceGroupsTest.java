/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.caso.Traces;
import io.hdfsparity.caso.correlation.CorrelationAnalysis;
import io.hdfsparity.caso.correlation.CorrelationOptions;
import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.trace.Access;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InPlaceGroupsTest {
  private static final CorrelationAnalysis ANALYSIS =
      new CorrelationAnalysis(CorrelationOptions.DEFAULT);

  @Test
  void groupsGoWhereTheirCellsAre() {
    // Cells 4 to 7 are a stripe; 4, 5 and 20 are written together.
    Organization organization =
        InPlaceGroups.of(new GroupedOrganization(4, new long[] {20, 4, 5, -1}));
    assertThat(organization.stripe(20)).isEqualTo(1);
    assertThat(organization.storedCell(4)).isEqualTo(4);
    assertThat(organization.storedCell(5)).isEqualTo(5);
    assertThat(organization.storedCell(20)).isEqualTo(6);
    assertThat(organization.storedCell(7)).isEqualTo(7);
    assertThat(organization.storedCell(6)).isEqualTo(20);
    assertThat(organization.displacedCells()).containsExactly(6, 20);
  }

  @Test
  void noGroupsNoChange() {
    assertThat(InPlaceGroups.of(new GroupedOrganization(3, new long[0])))
        .isEqualTo(new SequentialOrganization(3));
  }

  /** Each group in one stripe, one-to-one without padding, all other stripes as they were. */
  @Test
  void holdsForRandomGroups() {
    SeededRuns.of(400)
        .check(
            random -> {
              int k = 2 + random.nextInt(6);
              TimeWindows windows =
                  TimeWindows.of(
                      Traces.table(Traces.random(random, Access.WRITE, 200)),
                      1 + random.nextInt(20));
              GroupedOrganization groups =
                  new PaperGreedy(k, Remainder.LAST_GROUP).organize(ANALYSIS.analyse(windows));
              Organization inPlace = InPlaceGroups.of(groups);
              Set<Long> stripesOfGroups = new HashSet<>();
              for (int group = 0; group < groups.groupCount(); group++) {
                long[] cells = groups.group(group);
                assertThat(Arrays.stream(cells).map(inPlace::stripe).distinct().count())
                    .isEqualTo(1);
                assertThat(stripesOfGroups.add(inPlace.stripe(cells[0]))).isTrue();
              }
              Set<Long> grouped = new HashSet<>();
              Arrays.stream(groups.displacedCells()).map(cell -> cell / k).forEach(grouped::add);
              for (long cell = 0; cell < 200; cell++) {
                long stored = inPlace.storedCell(cell);
                assertThat(inPlace.logicalCell(stored)).isEqualTo(cell);
                if (!grouped.contains(cell / k)) {
                  assertThat(stored).isEqualTo(cell);
                }
              }
            });
  }
}
