/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.geometry.ByteOrder;
import io.hdfsparity.ecupdate.ajx.AddMode;
import io.hdfsparity.ecupdate.ajx.Bounds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many messages an updater sends, and how much it keeps. */
@Timeout(600)
class StripedFileUpdaterCostTest extends UpdaterFixture {
  /** Section 3.1 of AJX, over real connections. */
  @Test
  void failureFreeCostsAreThoseOfThePaper() throws Exception {
    start("PLR");
    try (StripedFileUpdater updater =
        StripedFileUpdater.open(
            new TestSession(cluster, new Bounds.Failures(0, 2), 1_000, 120_000),
            calls,
            new UpdaterOptions(
                new UpdaterOptions.Adds(AddMode.PARALLEL, 1, 0), 0, 8, 100, 100, 60_000, 20, 2))) {
      assertThat(messages(() -> read(updater, 10, 20))).isEqualTo(2);
      assertThat(messages(() -> updater.write(10, ByteBuffer.allocate(20)))).isEqualTo(2 * 3);
      // Two cells of one stripe: their sum to each parity once.
      assertThat(messages(() -> updater.write(60, ByteBuffer.allocate(20)))).isEqualTo(2 * 4);
      // A whole stripe.
      assertThat(messages(() -> updater.write(192, ByteBuffer.allocate(192)))).isEqualTo(2 * 5);
      assertThat(cluster.adds()).isEqualTo(3 * 2);
      // Two stripes, a cell each.
      assertThat(messages(() -> updater.write(370, ByteBuffer.allocate(30)))).isEqualTo(4 * 3);
    }
  }

  /** What CASO (hdfs-caso) stores files so for. */
  @Test
  void cellsThatAreFarApartShareTheParityOfTheStripeTheyAreStoredIn() throws Exception {
    start("PLR");
    byte[] twin = cluster.initial();
    int cell = 64;
    // Cells 0, 4 and 7 are stored in the first stripe, and 1 and 2 where those were.
    long[] stored = {0, 4, 7, 3, 1, 5, 6, 2};
    ByteOrder order =
        new ByteOrder() {
          @Override
          public long stored(long position) {
            long at = position / cell;
            return at < stored.length ? stored[(int) at] * cell + position % cell : position;
          }

          @Override
          public long run(long position) {
            return cell - position % cell;
          }
        };
    try (StripedFileUpdater updater =
        StripedFileUpdater.open(
            new TestSession(cluster, new Bounds.Failures(0, 2), 1_000, 10_000),
            order,
            calls,
            new UpdaterOptions(
                new UpdaterOptions.Adds(AddMode.PARALLEL, 1, 0),
                4000,
                8,
                100,
                100,
                60_000,
                20,
                2))) {
      long before = cluster.adds();
      for (int at : new int[] {0, 4, 7}) {
        updater.write((long) at * cell + 3, ByteBuffer.wrap(new byte[] {1, 2, 3}));
        System.arraycopy(new byte[] {1, 2, 3}, 0, twin, (int) stored[at] * cell + 3, 3);
      }
      updater.flush();
      assertThat(cluster.adds() - before).isEqualTo(2);
      byte[] most = read(updater, 0, stored.length * cell);
      for (int at = 0; at < stored.length; at++) {
        int from = (int) stored[at] * cell;
        assertThat(Arrays.copyOfRange(most, at * cell, (at + 1) * cell))
            .isEqualTo(Arrays.copyOfRange(twin, from, from + cell));
      }
    }
    assertThat(cluster.content()).isEqualTo(twin);
    cluster.verify();
  }

  /** Something that sends messages. */
  @FunctionalInterface
  private interface Action {
    void run() throws IOException;
  }

  private long messages(Action action) throws IOException {
    long before = calls.sentMessages() + calls.receivedMessages();
    action.run();
    return calls.sentMessages() + calls.receivedMessages() - before;
  }

  /** One crashed client is to be survived: cells of a stripe are written one after the other. */
  @Test
  void aBoundThatHasNoRoomForCellsTogetherIsKept() throws Exception {
    TestSession session = start("FO");
    try (StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options(0, 60_000))) {
      updater.write(60, ByteBuffer.allocate(20));
      assertThat(cluster.adds()).isEqualTo(2 * 2);
    }
  }
}
