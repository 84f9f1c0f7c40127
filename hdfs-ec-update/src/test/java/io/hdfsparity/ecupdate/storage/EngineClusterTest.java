/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ThreadedStripeClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * AJX's clients against engines, all with threads: several write overlapping ranges of the same
 * stripes while machines are killed and come up again. Every byte is a regular register; at the end
 * nothing that was acknowledged is missing, and parity is the code of the data.
 *
 * <p>{@code -Decupdate.operations=N} makes each client do more.
 */
@Timeout(600)
class EngineClusterTest {
  private static final int CLIENTS = 4;
  private static final int OPERATIONS = Integer.getInteger("ecupdate.operations", 40);
  private static final int FINISH_PROBES = 2000;

  private final Random random = new Random(4);
  private final ScheduledExecutorService timers = Executors.newScheduledThreadPool(2);
  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final AtomicBoolean isOver = new AtomicBoolean();
  private long nextClient = 1;

  @ParameterizedTest
  @ValueSource(strings = {"FO", "FL", "PL", "PLR"})
  void bytesAreRegularWhileMachinesAreKilled(String scheme) throws Exception {
    run(
        scheme,
        (cluster, histories) -> {
          for (int round = 0; !isOver.get(); round++) {
            cluster.restart(round % EngineCluster.CODE.shape().blocks());
          }
          return null;
        });
  }

  @Test
  void bytesAreRegularWhileSchemesChange() throws Exception {
    String[] schemes = {"PLR", "FO", "FL", "PLR", "PL"};
    run(
        "PL",
        (cluster, histories) -> {
          for (int round = 0; !isOver.get(); round++) {
            int block = round % EngineCluster.CODE.shape().blocks();
            cluster.convert(block, schemes[round / 2 % schemes.length]);
            cluster.endPeriod(block);
          }
          return null;
        });
  }

  @Test
  void aBlockThatIsLostIsRecovered() throws Exception {
    run(
        "PLR",
        (cluster, histories) -> {
          cluster.lose(3, new Random(5));
          cluster.restart(0);
          return null;
        });
  }

  @Test
  void aClientThatDiesIsCleanedUpAfter() throws Exception {
    run(
        "PLR",
        (cluster, histories) -> {
          ThreadedStripeClient dying = client(cluster, 0, 1000);
          SortedMap<Integer, Patch> patches = new TreeMap<>();
          patches.put(1, histories.get(0).beginWrite(1, new Random(6)));
          assertThat(dying.write(patches)).isNotNull();
          dying.kill();
          cluster.expireLocks(1000);
          return null;
        });
  }

  /** Something that happens meanwhile. */
  @FunctionalInterface
  private interface Trouble {
    Void make(EngineCluster cluster, List<ByteHistories> histories) throws Exception;
  }

  private void run(String scheme, Trouble trouble) throws Exception {
    try (EngineCluster cluster = new EngineCluster(scheme, random)) {
      List<ByteHistories> histories = new ArrayList<>();
      for (int stripe = 0; stripe < TestDisk.STRIPES; stripe++) {
        histories.add(new ByteHistories(cluster, stripe));
      }
      List<Future<Void>> workers = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        workers.add(pool.submit(worker(cluster, histories, random.nextLong())));
      }
      Future<Void> maker = pool.submit(() -> trouble.make(cluster, histories));
      for (Future<Void> worker : workers) {
        worker.get(200, TimeUnit.SECONDS);
      }
      isOver.set(true);
      maker.get(120, TimeUnit.SECONDS);
      for (int stripe = 0; stripe < TestDisk.STRIPES; stripe++) {
        finish(client(cluster, stripe), histories.get(stripe));
        histories.get(stripe).check("stripe " + stripe);
      }
      cluster.verify();
    } finally {
      isOver.set(true);
      timers.shutdownNow();
      pool.shutdownNow();
    }
  }

  private synchronized ThreadedStripeClient client(EngineCluster cluster, int stripe) {
    return client(cluster, stripe, nextClient++);
  }

  private ThreadedStripeClient client(EngineCluster cluster, int stripe, long id) {
    return new ThreadedStripeClient(
        (block, request, answer) -> cluster.call(block, stripe, request, answer::accept),
        id,
        EngineCluster.CODE,
        timers);
  }

  private Callable<Void> worker(EngineCluster cluster, List<ByteHistories> histories, long seed) {
    return () -> {
      Random mine = new Random(seed);
      List<ThreadedStripeClient> clients = new ArrayList<>();
      for (int stripe = 0; stripe < TestDisk.STRIPES; stripe++) {
        clients.add(client(cluster, stripe));
      }
      for (int i = 0; i < OPERATIONS; i++) {
        int stripe = mine.nextInt(TestDisk.STRIPES);
        operate(clients.get(stripe), histories.get(stripe), mine);
        if (mine.nextInt(4) == 0) {
          clients.get(stripe).collectGarbage();
        }
      }
      return null;
    };
  }

  private static void operate(ThreadedStripeClient client, ByteHistories history, Random random)
      throws Exception {
    int block = random.nextInt(EngineCluster.CODE.shape().dataBlocks());
    if (random.nextInt(10) < 3) {
      read(client, history, block);
      return;
    }
    SortedMap<Integer, Patch> patches = new TreeMap<>();
    patches.put(block, history.beginWrite(block, random));
    if (random.nextInt(3) == 0) {
      int second = (block + 1) % EngineCluster.CODE.shape().dataBlocks();
      patches.put(second, history.beginWrite(second, random));
    }
    client.write(patches).get(120, TimeUnit.SECONDS);
    for (Map.Entry<Integer, Patch> patch : patches.entrySet()) {
      history.endWrite(patch.getKey(), patch.getValue());
    }
  }

  private static void read(ThreadedStripeClient client, ByteHistories history, int block)
      throws Exception {
    long began = history.beginRead();
    Bytes bytes = client.read(block, 0, TestDisk.CELL_BYTES).get(120, TimeUnit.SECONDS);
    history.endRead(block, 0, bytes, began);
  }

  /** Repairs, and reads everything once more. */
  private static void finish(ThreadedStripeClient client, ByteHistories history) throws Exception {
    boolean isHealthy = false;
    int probes = 0;
    while (!isHealthy || probes < 8) {
      assertThat(++probes).as("probes until the stripe is healthy").isLessThan(FINISH_PROBES);
      isHealthy = client.probe().get(120, TimeUnit.SECONDS);
    }
    for (int block = 0; block < EngineCluster.CODE.shape().dataBlocks(); block++) {
      read(client, history, block);
    }
  }
}
