/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.geometry.ByteOrder;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.channel.ChannelClient;
import io.hdfsparity.ecupdate.storage.FileCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is read of a file whose writer has died and a node of which is lost. */
@Timeout(180)
class DegradedReaderTest {
  private static final int STRIPE_BYTES = 192;

  /** Of a cluster without some nodes. */
  private record Session(FileCluster cluster, Set<Integer> lost) implements DegradedReader.Session {
    @Override
    public FileLayout layout() {
      return cluster.layout();
    }

    @Override
    public int number() {
      return 77;
    }

    @Override
    public Map<Integer, UnitLocation> locate(int group) {
      Map<Integer, UnitLocation> places = new TreeMap<>(cluster.locate(group));
      places
          .values()
          .removeIf(
              place ->
                  lost.stream()
                      .anyMatch(node -> cluster.proxy(node).port() == place.node().port()));
      return places;
    }

    @Override
    public void end() {}
  }

  private static byte[] readAll(FileCluster cluster, Set<Integer> lost) throws IOException {
    ByteBuffer all = ByteBuffer.allocate((int) cluster.layout().lengthBytes());
    try (ChannelClient calls = UpdaterFixture.client();
        DegradedReader reader =
            new DegradedReader(
                new Session(cluster, lost), ByteOrder.OWN, calls, /* operationMs= */ 30_000)) {
      assertThat(reader.lengthBytes()).isEqualTo(all.capacity());
      reader.read(0, all);
    }
    return all.array();
  }

  private static StripedFileUpdater open(FileCluster cluster, ChannelClient calls) {
    return StripedFileUpdater.open(
        new TestSession(cluster), calls, UpdaterFixture.options(0, 60_000));
  }

  /** Each dies with a write of a stripe of its own under way, wherever that is. */
  private static void die(FileCluster cluster, FileHistories histories, Random random)
      throws IOException {
    for (int at = 0; at < histories.length(); at += STRIPE_BYTES) {
      if (random.nextInt(3) == 0) {
        continue;
      }
      ChannelClient calls = UpdaterFixture.client();
      StripedFileUpdater dying = open(cluster, calls);
      int from = at + random.nextInt(Math.min(64, histories.length() - at));
      byte[] bytes = histories.beginWrite(from, 1);
      int until = cluster.requests() + random.nextInt(9);
      var write = dying.writeAsync(from, ByteBuffer.wrap(bytes));
      await().until(() -> cluster.requests() >= until || write.isDone());
      calls.close();
    }
  }

  @Test
  void whatWasAcknowledgedIsReadWithoutAnyOneNode() throws Exception {
    SeededRuns.of(10)
        .check(
            random -> {
              try (FileCluster cluster =
                  random.nextBoolean()
                      ? FileCluster.ofMovedRows("PL", random)
                      : new FileCluster("PL", random)) {
                FileHistories histories = new FileHistories(cluster.initial());
                try (ChannelClient calls = UpdaterFixture.client();
                    StripedFileUpdater updater = open(cluster, calls)) {
                  for (int i = 0; i < 20; i++) {
                    int from = histories.place(random);
                    int length = 1 + random.nextInt(Math.min(150, histories.length() - from));
                    byte[] bytes = histories.beginWrite(from, length);
                    updater.write(from, ByteBuffer.wrap(bytes));
                    histories.endWrite(from, bytes);
                  }
                }
                die(cluster, histories, random);
                int lost = random.nextInt(cluster.size());
                cluster.kill(lost);
                long began = histories.beginRead();
                byte[] first = readAll(cluster, Set.of(lost));
                histories.endRead(0, first, began);
                histories.check();
                assertThat(readAll(cluster, Set.of(lost))).isEqualTo(first);
                // Nothing was changed: a recovery of all finds the same, or what was begun.
                cluster.restart(lost);
                try (ChannelClient calls = UpdaterFixture.client();
                    StripedFileUpdater updater = open(cluster, calls)) {
                  updater.recover(0, histories.length(), 2);
                }
                began = histories.beginRead();
                histories.endRead(0, cluster.content(), began);
                histories.check();
                cluster.verify();
              }
            });
  }

  @Test
  void aWriteThatCameToDataOnlyIsThereOrNot() throws Exception {
    try (FileCluster cluster = new FileCluster("FO", new Random(3))) {
      byte[] twin = cluster.initial();
      byte[] swapped = twin.clone();
      swapped[5] ^= 1;
      cluster.swapOnly(
          0, 0, 0, new Patch(5, Bytes.wrap(new byte[] {swapped[5]})), new Tid(9, 1, 0));
      // With all units, or without a data unit: what the parity has. A decoder would have mixed.
      assertThat(readAll(cluster, Set.of())).isIn(twin, swapped);
      for (int lost = 0; lost < cluster.size(); lost++) {
        byte[] read = readAll(cluster, Set.of(lost));
        assertThat(Arrays.equals(read, twin) || Arrays.equals(read, swapped))
            .as("without node %d", lost)
            .isTrue();
      }
    }
  }

  @Test
  void withTooFewUnitsNothingIsMadeUp() throws Exception {
    try (FileCluster cluster = new FileCluster("FO", new Random(4))) {
      Set<Integer> two = new TreeSet<>(Set.of(0, 1));
      assertThat(readAll(cluster, two)).isEqualTo(cluster.initial());
      assertThatThrownBy(() -> readAll(cluster, Set.of(0, 1, 2)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("at least 3 blocks");
    }
  }
}
