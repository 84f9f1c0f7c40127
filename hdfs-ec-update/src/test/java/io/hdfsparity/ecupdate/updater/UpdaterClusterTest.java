/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.channel.ChannelClient;
import io.hdfsparity.ecupdate.storage.FileCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several updaters of one file, each with connections of its own, on overlapping ranges: while
 * machines are killed and come up again, connections are cut in the middle of frames, and a client
 * dies. Every byte is a regular register; at the end nothing that was acknowledged is missing, and
 * parity is the code of the data.
 *
 * <p>{@code -Decupdate.operations=N} makes each client do more.
 */
@Timeout(600)
class UpdaterClusterTest {
  private static final int CLIENTS = 3;

  /** Of FileCluster. */
  private static final int CELL_BYTES = 64;

  private static final int OPERATIONS = Integer.getInteger("ecupdate.operations", 60);

  private final Random random = new Random(12);
  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final AtomicBoolean isOver = new AtomicBoolean();

  @Test
  void bytesAreRegularWhileMachinesAreKilled() throws Exception {
    run(
        "PLR",
        (cluster, histories) -> {
          for (int round = 0; !isOver.get(); round++) {
            int node = round % cluster.size();
            cluster.kill(node);
            cluster.restart(node);
          }
          return null;
        });
  }

  /** What a write has replaced outlives its node, and has to be collected before the next one. */
  @Test
  void bytesAreRegularWhereNodesHaveRoomForTwoReceipts() throws Exception {
    FileCluster small = new FileCluster("PLR", random, 2 * FileCluster.receiptBytesOf(CELL_BYTES));
    run(
        small,
        (cluster, histories) -> {
          for (int node = 0; node < cluster.size(); node++) {
            cluster.kill(node);
            cluster.restart(node);
          }
          return null;
        });
    assertThat(small.refusedSwaps()).isPositive();
  }

  /** Answers collections itself: its nodes never get one, and others find room all the same. */
  private record NeverCollecting(NodeCalls calls) implements NodeCalls {
    @Override
    public void call(Endpoint node, SlotKey slot, Request request, Listener listener) {
      if (request instanceof Request.GcRecent || request instanceof Request.GcOld) {
        listener.answered(new Reply.Done());
      } else {
        calls.call(node, slot, request, listener);
      }
    }

    @Override
    public void giveUp(Endpoint node, ReplicaKey replica) {
      calls.giveUp(node, replica);
    }
  }

  @Test
  void onlyWhoNeverCollectsWaitsUntilItsSessionIsOver() throws Exception {
    FileCluster small = new FileCluster("PLR", random, 4 * FileCluster.receiptBytesOf(CELL_BYTES));
    run(
        small,
        (cluster, histories) -> {
          TestSession session = new TestSession(cluster);
          assertThatThrownBy(() -> writeEachCell(session, histories))
              .isInstanceOf(IOException.class)
              .hasMessageContaining("receipts.bytes");
          for (int node = 0; node < cluster.size(); node++) {
            cluster.forgetSession(node, session.terms().number());
          }
          return null;
        });
  }

  private static void writeEachCell(TestSession session, FileHistories histories)
      throws IOException {
    try (ChannelClient calls = UpdaterFixture.client();
        StripedFileUpdater updater =
            StripedFileUpdater.open(
                session, new NeverCollecting(calls), UpdaterFixture.options(0, 2_000))) {
      for (int from = 0; from < histories.length(); from += CELL_BYTES) {
        byte[] bytes = histories.beginWrite(from, 1);
        updater.write(from, ByteBuffer.wrap(bytes));
        histories.endWrite(from, bytes);
      }
    }
  }

  @Test
  void bytesAreRegularWhileConnectionsAreCut() throws Exception {
    run(
        "PL",
        (cluster, histories) -> {
          for (int node = 0; node < cluster.size(); node++) {
            cluster.proxy(node).cutWithin(3_000);
            cluster.proxy(node).cutAll();
          }
          return null;
        });
  }

  @Test
  void aBlockThatIsLostIsRecoveredByWhoeverMeetsIt() throws Exception {
    run(
        "FO",
        (cluster, histories) -> {
          cluster.kill(3);
          cluster.restartEmpty(3, new Random(5));
          return null;
        });
  }

  /** It dies with a write on its way, whether or not parity has it. */
  @Test
  void aClientThatDiesIsCleanedUpAfter() throws Exception {
    run(
        "PLR",
        (cluster, histories) -> {
          for (int i = 0; i < 3; i++) {
            ChannelClient calls = UpdaterFixture.client();
            StripedFileUpdater dying =
                StripedFileUpdater.open(
                    new TestSession(cluster), calls, UpdaterFixture.options(0, 60_000));
            byte[] bytes = histories.beginWrite(i * 200, 1);
            dying.writeAsync(i * 200L, ByteBuffer.wrap(bytes));
            calls.close();
          }
          return null;
        });
  }

  /** Where bytes go to other places of parity, also those that a recovery writes. */
  @ParameterizedTest
  @ValueSource(strings = {"FL", "PLR"})
  void bytesAreRegularWhereRowsMove(String scheme) throws Exception {
    run(
        FileCluster.ofMovedRows(scheme, random),
        (cluster, histories) -> {
          for (int node = 0; node < cluster.size(); node++) {
            cluster.kill(node);
            if (node == 2) {
              cluster.restartEmpty(node, new Random(5));
            } else {
              cluster.restart(node);
            }
          }
          return null;
        });
  }

  /** Something that happens meanwhile. */
  @FunctionalInterface
  private interface Trouble {
    Void make(FileCluster cluster, FileHistories histories) throws Exception;
  }

  private void run(String scheme, Trouble trouble) throws Exception {
    run(new FileCluster(scheme, random), trouble);
  }

  private void run(FileCluster nodes, Trouble trouble) throws Exception {
    try (FileCluster cluster = nodes) {
      FileHistories histories = new FileHistories(cluster.initial());
      List<Future<Void>> workers = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        workers.add(pool.submit(worker(cluster, histories, random.nextLong(), i == 0 ? 500 : 0)));
      }
      Future<Void> maker = pool.submit(() -> trouble.make(cluster, histories));
      for (Future<Void> worker : workers) {
        worker.get(120, TimeUnit.SECONDS);
      }
      isOver.set(true);
      maker.get(120, TimeUnit.SECONDS);
      for (int node = 0; node < cluster.size(); node++) {
        cluster.proxy(node).cutWithin(Integer.MAX_VALUE);
      }
      finish(cluster, histories);
      histories.check();
      cluster.verify();
    } finally {
      isOver.set(true);
      pool.shutdownNow();
    }
  }

  private Callable<Void> worker(
      FileCluster cluster, FileHistories histories, long seed, long cacheBytes) {
    return () -> {
      Random mine = new Random(seed);
      try (ChannelClient calls = UpdaterFixture.client();
          StripedFileUpdater updater =
              StripedFileUpdater.open(
                  new TestSession(cluster), calls, UpdaterFixture.options(cacheBytes, 100_000))) {
        for (int i = 0; i < OPERATIONS; i++) {
          histories.operate(updater, mine, cacheBytes > 0);
        }
      }
      return null;
    };
  }

  /** Repairs, reads everything once more, and looks at what stock readers would get. */
  private static void finish(FileCluster cluster, FileHistories histories) throws Exception {
    try (ChannelClient calls = UpdaterFixture.client();
        StripedFileUpdater updater =
            StripedFileUpdater.open(
                new TestSession(cluster), calls, UpdaterFixture.options(0, 60_000))) {
      updater.recover(0, histories.length(), 2);
      histories.read(updater, 0, histories.length());
    }
    long began = histories.beginRead();
    histories.endRead(0, cluster.content(), began);
  }
}
