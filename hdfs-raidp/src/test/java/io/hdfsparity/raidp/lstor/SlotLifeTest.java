/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Every row, with every cause, against a plain table. */
class SlotLifeTest {
  private static final SlotCoverage SOMETHING = new SlotCoverage(100, true, 2, 512, 1);
  private static final boolean[] BOTH = {false, true};

  private static List<SlotEntry> allRows() {
    List<SlotEntry> rows = new ArrayList<>();
    for (SlotState state : SlotState.values()) {
      for (boolean covers : BOTH) {
        for (boolean ackPending : BOTH) {
          for (boolean partnerClear : BOTH) {
            rows.add(
                row(
                    covers ? SOMETHING : SlotCoverage.NONE,
                    new SlotStatus(state, ackPending, partnerClear)));
          }
        }
      }
    }
    return rows;
  }

  private static SlotEntry row(SlotCoverage coverage, SlotStatus status) {
    return new SlotEntry(3, 77, 1, List.of(new Run(0, 1)), coverage, status);
  }

  private static Optional<SlotStatus> decide(SlotEntry row, SlotCause cause) throws Exception {
    if (cause.method() == SlotCause.Method.REMOVE) {
      SlotLife.requireMayEnd(row, cause);
      return Optional.empty();
    }
    return Optional.of(SlotLife.after(row, cause));
  }

  @Test
  void everyReachableRowTakesWhatTheTableSays() throws Exception {
    int taken = 0;
    int refused = 0;
    for (SlotEntry row : allRows()) {
      if (!SlotLifeTable.isReachable(row)) {
        continue;
      }
      for (SlotCause cause : SlotCause.values()) {
        String what = SlotLifeTable.name(row) + " " + cause;
        if (SlotLifeTable.allows(row, cause)) {
          assertThat(decide(row, cause)).as(what).isEqualTo(SlotLifeTable.after(row, cause));
          taken++;
        } else {
          assertThatThrownBy(() -> decide(row, cause))
              .as(what)
              .isInstanceOf(LstorException.Refused.class)
              .hasMessageContaining("block=77")
              .hasMessageContaining("cause=" + cause)
              .hasMessageContaining("state=" + row.state())
              .hasMessageContaining(", expected ");
          refused++;
        }
      }
    }
    assertThat(taken).isEqualTo(75);
    assertThat(taken + refused).isEqualTo(8 * SlotCause.values().length);
  }

  /** Flags that no transition leads to, read from disk, open no way that is closed without them. */
  @Test
  void flagsThatNoRowHasDoNotAllowMore() throws Exception {
    for (SlotEntry row : allRows()) {
      SlotEntry plain = row(row.coverage(), new SlotStatus(row.state(), false, false));
      for (SlotCause cause : SlotCause.values()) {
        if (cause == SlotCause.RELEASED) {
          continue;
        }
        Optional<Throwable> ofPlain = failure(plain, cause);
        assertThat(failure(row, cause).isPresent())
            .as(SlotLifeTable.name(row) + " " + cause)
            .isEqualTo(ofPlain.isPresent());
      }
    }
  }

  private static Optional<Throwable> failure(SlotEntry row, SlotCause cause) throws Exception {
    try {
      decide(row, cause);
      return Optional.empty();
    } catch (LstorException.Refused e) {
      return Optional.of(e);
    }
  }

  @Test
  void noTransitionLeavesTheReachableRows() throws Exception {
    for (SlotEntry row : allRows()) {
      for (SlotCause cause : SlotCause.values()) {
        if (!SlotLifeTable.isReachable(row)
            || !SlotLifeTable.allows(row, cause)
            || cause.method() == SlotCause.Method.REMOVE) {
          continue;
        }
        SlotCoverage coverage =
            switch (cause) {
              case GROWN, SHRUNK, PARTLY_UNCOVERED -> SOMETHING;
              case UNCOVERED, RESERVED -> SlotCoverage.NONE;
              default -> row.coverage();
            };
        SlotEntry next = row(coverage, SlotLife.after(row, cause));
        assertThat(SlotLifeTable.isReachable(next))
            .as(SlotLifeTable.name(row) + " " + cause + " " + SlotLifeTable.name(next))
            .isTrue();
      }
    }
  }
}
