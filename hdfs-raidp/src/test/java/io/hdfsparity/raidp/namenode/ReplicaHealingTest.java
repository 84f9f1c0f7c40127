/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static io.hdfsparity.raidp.namenode.Reports.frame;
import static io.hdfsparity.raidp.namenode.Reports.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.wire.message.HealReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.CorruptReplica;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Mark;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A superchunk on n1 and n2, and a frame that came back too late on n3. */
class ReplicaHealingTest {
  private static final int STRAYS = 150;
  private final SuperchunkMap map =
      new SuperchunkMap(new ManagerOptions.Silence(10_000, 20_000), Coefficients.THREE, 0);
  private final Marked marked = new Marked();
  private final List<Long> healed = new ArrayList<>();
  private HealReport.Outcome outcome = HealReport.Outcome.GOOD;
  private final ReplicaHealing healing =
      new ReplicaHealing(
          map::view,
          replica -> !replica.storageId().equals("c"),
          marked,
          (peer, request) -> {
            healed.add(request.blockId());
            return new HealReport(outcome, "as the test says");
          },
          Runnable::run);

  /** As the NameNode lists them. */
  private static final class Marked implements ReplicaHealing.Marks {
    private final List<CorruptReplica> replicas = new ArrayList<>();

    @Override
    public List<CorruptReplica> list(int limit, Predicate<CorruptReplica> wanted) {
      return replicas.stream().filter(wanted).limit(limit).toList();
    }

    @Override
    public boolean clear(CorruptReplica replica) {
      return replicas.remove(replica);
    }
  }

  @BeforeEach
  void report() {
    map.report(node("n1", frame("a", 0, new Pairing(1, 1, "b", "n2", 1))), 0);
    map.report(node("n2", frame("b", 0, new Pairing(1, 1, "a", "n1", 1))), 0);
    for (long id = 1; id <= STRAYS; id++) {
      marked.replicas.add(replica(id, "n3", "c"));
    }
  }

  private static CorruptReplica replica(long id, String node, String storageId) {
    List<String> where = storageId.equals("c") ? List.of("a", "c") : List.of("a", "b");
    List<Mark> marks = List.of(new Mark(storageId, true));
    return new CorruptReplica(
        new StoredBlock(id, 1, 1000, true, 1, marks, 2, where), node, storageId);
  }

  @Test
  void straysTakeNoRoom() {
    marked.replicas.add(replica(1000, "n2", "b"));
    healing.round(0);
    assertThat(healed).containsExactly(1000L);
    assertThat(marked.replicas).hasSize(STRAYS);
  }

  /** As one whose disk hangs: the call has no time limit, as it reads a block on two nodes. */
  @Test
  @Timeout(60)
  void aNodeThatDoesNotAnswerHoldsUpItsOwnReplicasOnly() throws Exception {
    CountDownLatch answers = new CountDownLatch(1);
    Queue<Long> asked = new ConcurrentLinkedQueue<>();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      ReplicaHealing slow =
          new ReplicaHealing(
              map::view,
              replica -> true,
              marked,
              (peer, request) -> {
                asked.add(request.blockId());
                if (peer.nodeUuid().equals("n1")) {
                  try {
                    answers.await();
                  } catch (InterruptedException e) {
                    throw new InterruptedIOException("the test ends");
                  }
                }
                return new HealReport(HealReport.Outcome.FAILED, "as the test says");
              },
              threads);
      marked.replicas.clear();
      marked.replicas.add(replica(1, "n1", "a"));
      marked.replicas.add(replica(2, "n1", "a"));
      marked.replicas.add(replica(3, "n2", "b"));
      CompletableFuture.runAsync(() -> slow.round(0)).get(20, TimeUnit.SECONDS);
      await().untilAsserted(() -> assertThat(asked).containsExactlyInAnyOrder(1L, 3L));
      await()
          .untilAsserted(
              () -> {
                slow.round(asked.size() * 20_000L);
                assertThat(asked.stream().filter(id -> id == 3).count()).isGreaterThan(1);
              });
      assertThat(asked.stream().filter(id -> id != 3)).as("one at a time").containsExactly(1L);
      answers.countDown();
      await().untilAsserted(() -> assertThat(asked).contains(2L));
    } finally {
      answers.countDown();
      threads.shutdownNow();
    }
  }

  @Test
  void whatCannotBeHealedWaitsWithoutKeepingOthersWaiting() {
    for (long id = 1000; id < 1000 + STRAYS; id++) {
      marked.replicas.add(replica(id, "n2", "b"));
    }
    outcome = HealReport.Outcome.FAILED;
    healing.round(0);
    healing.round(1000);
    assertThat(healed).doesNotHaveDuplicates().hasSize(STRAYS);
    healing.round(9_999);
    assertThat(healed).hasSize(STRAYS);
    healing.round(10_000);
    assertThat(healed).hasSize(STRAYS + 100);
  }
}
