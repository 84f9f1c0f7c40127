/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.ecupdate.protocol.NodeAnswer;
import io.hdfsparity.ecupdate.protocol.NodeReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random schedules of healings, failovers and lost nodes. */
class GroupHealingScheduleTest extends GroupHealingFixture {
  private static final long OTHER_GROUP = -2048;

  static LongStream seeds() {
    return Optional.ofNullable(Long.getLong("healing.seed"))
        .map(LongStream::of)
        .orElseGet(() -> LongStream.range(0, 300));
  }

  /**
   * Reports, answers and calls that take their time, NameNodes that take turns; checked after each
   * step. One seed, one schedule: {@code -Dhealing.seed=N} runs it alone.
   */
  @ParameterizedTest
  @MethodSource("seeds")
  void noLostNodeServesWhileItsGroupIsHealedOrAfter(long seed) throws IOException {
    new Schedule(seed).run();
  }

  private final class Schedule {
    final Random random;
    final List<Flight> reports = new ArrayList<>();
    final List<Arrival> answers = new ArrayList<>();

    /** The DataNode is up; it is not for long times, or nobody would be lost. */
    boolean isUp = true;

    /** The client's: -1 nothing is locked. */
    long lockedMs = -1;

    boolean isAllowed;
    boolean hasServed;
    boolean isHealed;

    /** Held in a call that is on its way; -1: none is. */
    long sentHeldMs = -1;

    private record Flight(Manager to, NodeReport report, long askedAtMs) {}

    private record Arrival(Manager from, NodeAnswer answer, long askedAtMs) {}

    Schedule(long seed) {
      random = new Random(seed);
      isHeeding = seed % 3 != 0;
    }

    void run() throws IOException {
      for (int step = 0; step < 500 && !isHealed; step++) {
        step();
        check();
      }
      for (int step = 0; step < 100; step++) {
        isUp = true;
        nodeStep();
        check();
      }
    }

    void step() throws IOException {
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> nodeStep();
        case 4 -> nowMs += random.nextInt(random.nextInt(3) == 0 ? 100 : 10);
        case 5 -> isUp = random.nextInt(6) == 0;
        case 6 -> {
          rarely();
          othersAreHealed();
        }
        default -> clientStep();
      }
    }

    void rarely() {
      if (random.nextInt(10) == 0) {
        becomeActive(random.nextBoolean() ? first : second);
        lockedMs = -1;
        sentHeldMs = -1;
        isAllowed = false;
        hasServed = false;
      }
    }

    /** Of another group. */
    void othersAreHealed() {
      if (active.replaced.ids().contains(OTHER_GROUP)) {
        active.replaced.end(OTHER_GROUP, ReplacedGroups.Outcome.NO);
      } else {
        active.replaced.begin(OTHER_GROUP, FILE.inodeId());
      }
    }

    void nodeStep() {
      switch (random.nextInt(4)) {
        case 0 -> {
          Manager to = random.nextBoolean() ? first : second;
          boolean isWaiting =
              reports.stream().anyMatch(each -> each.to() == to)
                  || answers.stream().anyMatch(each -> each.from() == to);
          if (isUp && !isWaiting) {
            reports.add(new Flight(to, report(to), nowMs));
          }
        }
        case 1 -> {
          if (!reports.isEmpty()) {
            Flight flight = reports.remove(random.nextInt(reports.size()));
            answers.add(
                new Arrival(flight.to(), flight.to().handle(flight.report()), flight.askedAtMs()));
          }
        }
        case 2 -> {
          if (!answers.isEmpty()) {
            Arrival arrival = answers.remove(random.nextInt(answers.size()));
            arrive(arrival.from(), arrival.answer(), arrival.askedAtMs());
          }
        }
        default -> nowMs += random.nextInt(5);
      }
    }

    void clientStep() throws IOException {
      if (!isAllowed) {
        isAllowed = ask(0).isEmpty();
      } else if (lockedMs < 0) {
        lockedMs = nowMs;
        hasServed = false;
      } else if (sentHeldMs < 0) {
        if (random.nextInt(4) == 0) {
          sentHeldMs = nowMs - lockedMs;
        }
      } else if (random.nextInt(3) == 0) {
        handleReplace();
      }
    }

    void handleReplace() throws IOException {
      Optional<String> refusal =
          heal(
              sentHeldMs,
              false,
              rule -> {
                meanwhile();
                Optional<Refusal> veto = rule.veto(change(WOUNDED, false));
                isHealed = veto.isEmpty();
                assertThat(isHealed && hasServed).as("served since it was locked").isFalse();
                meanwhile();
                return veto;
              });
      isHealed = refusal.isEmpty();
      lockedMs = -1;
      sentHeldMs = -1;
      isAllowed = false;
    }

    void meanwhile() {
      for (int i = random.nextInt(4); i > 0; i--) {
        nodeStep();
        check();
      }
    }

    void check() {
      hasServed |= lockedMs >= 0 && isServed();
      assertThat(isHealed && isServed()).as("served after it was healed").isFalse();
    }
  }
}
