/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.channel.ChannelClient;
import io.hdfsparity.ecupdate.storage.FileCluster;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All writers of a stripe end at once in the middle of their writes, as when the NameNode is
 * started again: more than Theorem 1 has room for, were a block lost, too. As none is, all is
 * there.
 */
@Timeout(120)
class WritersGoneTest {
  /** Of FileCluster. */
  private static final int CELL_BYTES = 64;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aStripeIsRecoveredHoweverManyWritersItHasLost(int writers) throws Exception {
    Random random = new Random(writers);
    try (FileCluster cluster = new FileCluster("PLR", random);
        ChannelClient calls = UpdaterFixture.client();
        StripedFileUpdater updater =
            StripedFileUpdater.open(
                new TestSession(cluster), calls, UpdaterFixture.options(0, 60_000))) {
      byte[] twin = cluster.initial();
      for (int unit = 0; unit < 3; unit++) {
        byte[] acked = new byte[20];
        random.nextBytes(acked);
        int at = unit * CELL_BYTES + 30;
        updater.write(at, ByteBuffer.wrap(acked));
        System.arraycopy(acked, 0, twin, at, acked.length);
      }
      byte[][] begun = new byte[writers][10];
      for (int unit = 0; unit < writers; unit++) {
        random.nextBytes(begun[unit]);
        cluster.swapOnly(
            0,
            unit,
            0,
            new Patch(3, Bytes.copyOf(begun[unit])),
            new Tid((77L + unit) << 32, 1, unit));
      }
      updater.recover(0, updater.lengthBytes(), 1);
      byte[] read = new byte[twin.length];
      updater.read(0, ByteBuffer.wrap(read));
      for (int unit = 0; unit < writers; unit++) {
        int at = unit * CELL_BYTES + 3;
        byte[] found = Arrays.copyOfRange(read, at, at + 10);
        assertThat(found).isIn(begun[unit], Arrays.copyOfRange(twin, at, at + 10));
        System.arraycopy(found, 0, twin, at, found.length);
      }
      assertThat(read).as("what was acknowledged").isEqualTo(twin);
      updater.write(0, ByteBuffer.wrap(new byte[] {1, 2, 3}));
      System.arraycopy(new byte[] {1, 2, 3}, 0, twin, 0, 3);
      assertThat(cluster.content()).isEqualTo(twin);
      cluster.verify();
    }
  }
}
