/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.ajx.AddMode;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.channel.ChannelClient;
import io.hdfsparity.ecupdate.channel.ClientLimits;
import io.hdfsparity.ecupdate.storage.FileCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;

/** A cluster of engines behind sockets, and a session of one file. */
abstract class UpdaterFixture {
  static final int OPERATIONS = Integer.getInteger("ecupdate.operations", 60);
  final Random random = new Random(8);
  final ChannelClient calls = client();
  FileCluster cluster;

  static ChannelClient client() {
    return new ChannelClient(
        new ClientLimits(16384, 16, 1000, 5_000, 5_000, 60_000, 2, 20), node -> Bytes.zeros(1));
  }

  static UpdaterOptions options(long cacheBytes, long operationMs) {
    return options(AddMode.PARALLEL, cacheBytes, operationMs);
  }

  static UpdaterOptions options(AddMode mode, long cacheBytes, long operationMs) {
    return new UpdaterOptions(
        new UpdaterOptions.Adds(mode, 1, 0), cacheBytes, 8, 4, 5, operationMs, 20, 2);
  }

  @AfterEach
  void stop() throws IOException {
    calls.close();
    if (cluster != null) {
      cluster.close();
    }
  }

  TestSession start(String scheme) throws Exception {
    cluster = new FileCluster(scheme, random);
    return new TestSession(cluster);
  }

  static byte[] read(StripedFileUpdater updater, long position, int lengthBytes)
      throws IOException {
    ByteBuffer target = ByteBuffer.allocate(lengthBytes);
    assertThat(updater.read(position, target)).isEqualTo(lengthBytes);
    return target.array();
  }

  byte[] some(int atMost) {
    byte[] bytes = new byte[1 + random.nextInt(atMost)];
    random.nextBytes(bytes);
    return bytes;
  }

  static List<StripeFinding> verify(StripedFileUpdater updater, long waitMs) throws IOException {
    List<StripeFinding> findings = new ArrayList<>();
    List<Long> progress = new ArrayList<>();
    assertThat(updater.verify(waitMs, findings::add, progress::add)).isEqualTo(3 + 3 + 1);
    assertThat(progress).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    return findings;
  }
}
