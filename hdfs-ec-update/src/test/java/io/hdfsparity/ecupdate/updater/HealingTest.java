/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.ajx.AddMode;
import io.hdfsparity.ecupdate.channel.ChannelClient;
import io.hdfsparity.ecupdate.storage.FileCluster;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Nodes are lost for good while several clients read and write: groups are written anew, and
 * everybody goes on there, without knowing of it.
 */
@Timeout(600)
class HealingTest {
  private static final int CLIENTS = 3;

  /** Of FileCluster. */
  private static final int CELL_BYTES = 64;

  private static final int OPERATIONS = Integer.getInteger("ecupdate.operations", 60);

  private final Random random = new Random(23);
  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final AtomicInteger operations = new AtomicInteger();

  @AfterEach
  void stop() {
    pool.shutdownNow();
  }

  @ParameterizedTest
  @CsvSource({"FO,PARALLEL,1", "FL,SERIAL,4", "PLR,PARALLEL,3", "PL,BROADCAST,0"})
  void bytesAreRegularWhileANodeIsLost(String scheme, AddMode mode, int node) throws Exception {
    run(scheme, mode, node, /* failures= */ 0, /* cacheBytes= */ 0);
  }

  /** Of two cells at once no session has more than one, so every write of two has to collect. */
  @ParameterizedTest
  @CsvSource({"FO,PARALLEL,1", "FL,SERIAL,4", "PLR,PARALLEL,3", "PL,BROADCAST,0"})
  void itEndsWhereNodesHaveRoomForTwoReceipts(String scheme, AddMode mode, int node)
      throws Exception {
    try (HealedFile file =
        new HealedFile(
            new FileCluster(scheme, random, 2 * FileCluster.receiptBytesOf(CELL_BYTES)), scheme)) {
      run(file, mode, node, /* failures= */ 0, /* cacheBytes= */ 0);
      assertThat(file.refusedSwaps()).as("the bound was reached").isPositive();
    }
  }

  @Test
  void whoCouldNotHealLetsOthersGoOnAndTriesAgain() throws Exception {
    run("PLR", AddMode.PARALLEL, 2, /* failures= */ 3, /* cacheBytes= */ 0);
  }

  @Test
  void aCacheGoesOnToo() throws Exception {
    run("PLR", AddMode.PARALLEL, 3, /* failures= */ 1, /* cacheBytes= */ 500);
  }

  private void run(String scheme, AddMode mode, int node, int failures, long cacheBytes)
      throws Exception {
    try (HealedFile file = new HealedFile(new FileCluster(scheme, random), scheme)) {
      run(file, mode, node, failures, cacheBytes);
    }
  }

  private void run(HealedFile file, AddMode mode, int node, int failures, long cacheBytes)
      throws Exception {
    try (ChannelClient all = UpdaterFixture.client()) {
      file.failAttempts(failures);
      StripeSession last = file.open(all);
      FileHistories histories;
      try (StripedFileUpdater reader =
          StripedFileUpdater.open(last, all, UpdaterFixture.options(mode, 0, 100_000))) {
        byte[] initial = new byte[(int) reader.lengthBytes()];
        reader.read(0, ByteBuffer.wrap(initial));
        histories = new FileHistories(initial);
        List<Future<Void>> workers = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
          workers.add(
              pool.submit(
                  worker(file, histories, random.nextLong(), mode, i == 0 ? cacheBytes : 0)));
        }
        while (operations.get() < CLIENTS * OPERATIONS / 4) {
          Thread.onSpinWait();
        }
        file.lose(node);
        for (Future<Void> worker : workers) {
          worker.get(300, TimeUnit.SECONDS);
        }
        assertThat(file.healed()).isPositive();
        assertThat(file.attempts.get()).isGreaterThan(failures);
        histories.read(reader, 0, histories.length());
        byte[] end = new byte[histories.length()];
        reader.read(0, ByteBuffer.wrap(end));
        reader.recover(0, histories.length(), 2);
        file.verify(end);
      }
      histories.check();
    }
  }

  private Callable<Void> worker(
      HealedFile file, FileHistories histories, long seed, AddMode mode, long cacheBytes) {
    return () -> {
      Random mine = new Random(seed);
      try (ChannelClient calls = UpdaterFixture.client();
          StripedFileUpdater updater =
              StripedFileUpdater.open(
                  file.open(calls), calls, UpdaterFixture.options(mode, cacheBytes, 200_000))) {
        for (int i = 0; i < OPERATIONS; i++) {
          histories.operate(updater, mine, cacheBytes > 0);
          operations.incrementAndGet();
        }
      }
      return null;
    };
  }
}
