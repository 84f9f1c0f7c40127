/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.wire.message.FrameRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class GrantsTest {
  private static final long LEASE_MS = 1_000_000;
  private static final FrameRef A = new FrameRef("a", 3);
  private static final FrameRef B = new FrameRef("b", 0);

  @Test
  void unknownFramesHaveNothing() {
    assertThat(new Grants(LEASE_MS).grant(A, B, 1, 0)).isFalse();
  }

  @Test
  void thePoorerSideDecides() {
    Grants grants = new Grants(LEASE_MS);
    grants.report(A, 1, 10, 0, 0);
    grants.report(B, 1, 4, 0, 0);
    assertThat(grants.available(A, B, 0)).isEqualTo(4);
    assertThat(grants.grant(A, B, 4, 0)).isTrue();
    assertThat(grants.grant(A, B, 1, 0)).isFalse();
  }

  @Test
  void aReportedReservationClosesItsGrant() {
    Grants grants = new Grants(LEASE_MS);
    grants.report(A, 1, 10, 7, 0);
    grants.report(B, 1, 10, 3, 0);
    assertThat(grants.grant(A, B, 6, 0)).isTrue();
    grants.report(A, 1, 4, 8, 1);
    assertThat(grants.available(A, B, 1)).as("b has not reported it yet").isEqualTo(4);
    grants.report(B, 1, 4, 4, 1);
    assertThat(grants.available(A, B, 1)).isEqualTo(4);
    assertThat(grants.openGrants()).isZero();
  }

  @Test
  void whatIsRenewedLivesOnAndOtherPromisesEnd() {
    Grants grants = new Grants(100);
    grants.report(A, 1, 9, 0, 0);
    grants.report(B, 1, 9, 0, 0);
    assertThat(grants.grant(A, B, 3, 0)).isTrue();
    assertThat(grants.grant(A, B, 3, 10)).isTrue();
    for (long nowMs = 20; nowMs <= 500; nowMs += 20) {
      grants.renew(A, 1, nowMs);
    }
    assertThat(grants.available(A, A, 600)).as("one of two").isEqualTo(6);
    assertThat(grants.available(B, B, 600)).as("the other side").isEqualTo(9);
    assertThat(grants.available(A, A, 601)).isEqualTo(9);
    grants.renew(A, 1, 602);
    assertThat(grants.available(A, A, 602)).as("none is made").isEqualTo(9);
    grants.grant(A, B, 3, 602);
    grants.renew(A, 5, 603);
    assertThat(grants.openGrants()).isEqualTo(2);
  }

  @Test
  void aFailedCreateIsFreeAgainWhenItsLeaseEnds() {
    Grants grants = new Grants(100);
    grants.report(A, 1, 5, 0, 0);
    grants.report(B, 1, 5, 0, 0);
    assertThat(grants.grant(A, B, 5, 0)).isTrue();
    assertThat(grants.available(A, B, 100)).isZero();
    assertThat(grants.available(A, B, 101)).isEqualTo(5);
  }

  @Test
  void aNewIncarnationCountsFromZero() {
    Grants grants = new Grants(LEASE_MS);
    grants.report(A, 1, 10, 50, 0);
    grants.report(B, 1, 10, 50, 0);
    assertThat(grants.grant(A, B, 3, 0)).isTrue();
    grants.report(A, 2, 7, 1, 1);
    assertThat(grants.openUnits(A))
        .as("the reservation since the restart is the granted one")
        .isZero();
    assertThat(grants.openUnits(B)).isEqualTo(3);
  }

  @Test
  void concurrentGrantsNeverExceedTheRoom() throws Exception {
    Grants grants = new Grants(LEASE_MS);
    grants.report(A, 1, 1000, 0, 0);
    grants.report(B, 1, 1000, 0, 0);
    ExecutorService pool = Executors.newFixedThreadPool(8);
    CountDownLatch go = new CountDownLatch(1);
    List<Future<Integer>> results = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      results.add(
          pool.submit(
              () -> {
                go.await();
                int units = 0;
                for (int i = 0; i < 200; i++) {
                  units += grants.grant(A, B, 3, 0) ? 3 : 0;
                }
                return units;
              }));
    }
    go.countDown();
    int total = 0;
    for (Future<Integer> result : results) {
      total += result.get();
    }
    pool.shutdown();
    assertThat(total).as("all the room, and no unit twice").isEqualTo(999);
  }

  /**
   * Against frames that are simulated exactly: reports come late and on each side at its own time,
   * reservations come in any order, some creates never come. What is promised and still to be
   * reserved must always fit; and whenever all is reported, all that is free can be had.
   */
  @Test
  void neverPromisesAUnitTwiceAndNeverHoldsOneBackForGood() {
    SeededRuns.of(300)
        .check(
            random -> {
              Grants grants = new Grants(LEASE_MS);
              TwinFrame a = new TwinFrame(A, 200);
              TwinFrame b = new TwinFrame(B, 200);
              a.report(grants);
              b.report(grants);
              boolean oneSize = random.nextBoolean();
              for (int step = 0; step < 300; step++) {
                switch (random.nextInt(5)) {
                  case 0, 1 -> {
                    int units = oneSize ? 8 : 1 + random.nextInt(20);
                    if (grants.grant(A, B, units, step)) {
                      a.promise(units);
                      b.promise(units);
                      a.assertFits();
                      b.assertFits();
                    }
                  }
                  case 2 -> (random.nextBoolean() ? a : b).reserveOne(random);
                  case 3 -> (random.nextBoolean() ? a : b).freeOne(random);
                  default -> (random.nextBoolean() ? a : b).report(grants);
                }
              }
              for (TwinFrame f : List.of(a, b)) {
                while (!f.promised.isEmpty()) {
                  f.reserveOne(random);
                }
                f.report(grants);
              }
              assertThat(grants.available(A, B, 300)).isEqualTo(Math.min(a.free, b.free));
            });
  }

  /** A frame that is told exactly which promise is whose. */
  private static final class TwinFrame {
    private final FrameRef id;
    private int free;
    private long taken;
    private final List<Integer> promised = new ArrayList<>();
    private final List<Integer> held = new ArrayList<>();

    private TwinFrame(FrameRef id, int free) {
      this.id = id;
      this.free = free;
    }

    private void promise(int units) {
      promised.add(units);
    }

    private void assertFits() {
      assertThat(promised.stream().mapToInt(u -> u).sum())
          .as("promised on " + id)
          .isLessThanOrEqualTo(free);
    }

    private void reserveOne(Random random) {
      if (!promised.isEmpty()) {
        int units = promised.remove(random.nextInt(promised.size()));
        free -= units;
        taken++;
        held.add(units);
      }
    }

    private void freeOne(Random random) {
      if (!held.isEmpty()) {
        free += held.remove(random.nextInt(held.size()));
      }
    }

    private void report(Grants grants) {
      grants.report(id, 1, free, taken, 0);
    }
  }
}
