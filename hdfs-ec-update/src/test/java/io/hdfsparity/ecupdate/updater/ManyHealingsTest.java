/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import io.hdfsparity.ecupdate.ajx.Bounds;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node with units of many groups is lost: they are healed a few at a time. */
@Timeout(60)
class ManyHealingsTest {
  private static final int GROUPS = 25;
  private static final int CELL_BYTES = 4;
  private static final StripeCode CODE =
      new StripeCode(new ScalarKernel(), GfMatrix.cauchyParity(2, 2));

  private final Set<Integer> healed = ConcurrentHashMap.newKeySet();
  private final Set<Integer> gaveWay = ConcurrentHashMap.newKeySet();
  private final AtomicInteger atWork = new AtomicInteger();
  private final AtomicInteger maxAtWork = new AtomicInteger();
  private final CountDownLatch go = new CountDownLatch(1);
  private final ExecutorService mayBlock = Executors.newCachedThreadPool();
  private final ScheduledExecutorService work = Executors.newSingleThreadScheduledExecutor();

  @AfterEach
  void stop() {
    mayBlock.shutdownNow();
    work.shutdownNow();
  }

  private final StripeSession session =
      new StripeSession() {
        @Override
        public FileLayout layout() {
          List<FileLayout.Group> groups = new ArrayList<>();
          for (int i = 0; i < GROUPS; i++) {
            groups.add(new FileLayout.Group(2L * i * CELL_BYTES, 2 * CELL_BYTES));
          }
          return new FileLayout(CODE, CELL_BYTES, groups);
        }

        @Override
        public SessionTerms terms() {
          return new SessionTerms(1, new Bounds.Failures(1, 1), 1_000, 120_000);
        }

        @Override
        public Located locate(int group) {
          boolean isWhole = healed.contains(group);
          Map<Integer, UnitLocation> units = new HashMap<>();
          for (int unit = isWhole ? 0 : 1; unit < 4; unit++) {
            long id = isWhole ? GROUPS + group : group;
            units.put(
                unit,
                new UnitLocation(
                    new ReplicaKey("bp", 4 * id + unit), new Endpoint("node" + unit, 1, "bp", "")));
          }
          return new Located(isWhole ? GROUPS + group : group, units);
        }

        @Override
        public boolean heal(int group, Healer healer) {
          maxAtWork.accumulateAndGet(atWork.incrementAndGet(), Math::max);
          try {
            go.await();
            healed.add(group);
            return true;
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          } finally {
            atWork.decrementAndGet();
          }
        }

        @Override
        public void renew() {}

        @Override
        public void end(OptionalLong lastWriteMs) {}
      };

  private final NodeCalls nobody =
      new NodeCalls() {
        @Override
        public void call(Endpoint node, SlotKey slot, Request request, Listener listener) {
          throw new AssertionError("call");
        }

        @Override
        public void giveUp(Endpoint node, ReplicaKey replica) {}
      };

  @Test
  void thoseThatHaveToWaitGiveWay() throws Exception {
    GroupLocations locations =
        new GroupLocations(
            session,
            nobody,
            mayBlock,
            work,
            /* everyMs= */ 1,
            new SteppedFile.NoUsers() {
              @Override
              public void yieldNow(int group) {
                gaveWay.add(group);
              }
            });
    Set<Integer> all = new HashSet<>();
    for (int group = 0; group < GROUPS; group++) {
      locations.require(group);
      all.add(group);
    }
    await()
        .until(
            () -> {
              all.forEach(locations::look);
              return atWork.get() == GroupHealings.MAX_AT_A_TIME
                  && gaveWay.size() == GROUPS - GroupHealings.MAX_AT_A_TIME;
            });
    assertThat(locations.healings().underWay()).isNotDone();
    go.countDown();
    await()
        .until(
            () -> {
              all.forEach(locations::look);
              return healed.equals(all);
            });
    assertThat(maxAtWork).hasValue(GroupHealings.MAX_AT_A_TIME);
    await().until(() -> locations.rewrites() == GROUPS);
    await().until(() -> locations.healings().underWay().isDone());
  }
}
