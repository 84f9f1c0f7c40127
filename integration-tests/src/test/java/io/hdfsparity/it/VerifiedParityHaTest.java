/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ParityDataNodePlugin;
import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.it.ForeignCoders.Kind;
import io.hdfsparity.izs.config.VerifyKey;
import io.hdfsparity.izs.level.VerifyStatus;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Verification goes on after a failover where it was, and forgets no group. */
@Tag("full")
@Timeout(900)
class VerifiedParityHaTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(120);
  private static final int LENGTH = 3 * MiniLevels.GROUP_BYTES - 777;

  private static void write(DistributedFileSystem fs, Kind kind, String path, byte[] bytes)
      throws Exception {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
    try (OutputStream out = ForeignCoders.as(kind, () -> fs.create(file))) {
      out.write(bytes);
    }
  }

  @Test
  void failoverGoesOnWhereTheOtherWas(@TempDir Path root) throws Exception {
    Configuration conf = MiniLevels.conf();
    conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, ParityDataNodePlugin.class.getName());
    conf.set(VerifyKey.INTERVAL.key(), "100ms");
    conf.set(VerifyKey.POLL.key(), "100ms");
    conf.set(VerifyKey.RETRY.key(), "500ms");
    conf.set(VerifyKey.SAVE_INTERVAL.key(), "100ms");
    try (MiniLevels cluster = MiniLevels.startHa(conf, root, 7)) {
      DistributedFileSystem fs =
          (DistributedFileSystem) HATestUtil.configureFailoverFs(cluster.cluster(), conf);
      MiniLevels.addPolicies(fs, "izs");
      MiniLevels.makeDirectory(fs, "/d", MiniLevels.policy("izs", 2));
      byte[] bytes = MiniLevels.bytes(LENGTH, 1);
      MiniLevels.write(fs, "/d/sound", bytes);
      await().atMost(TIMEOUT).untilAsserted(() -> assertDone(cluster.status(0).verification(), 3));
      byte[][] saved = new byte[1][];
      await("saved")
          .atMost(TIMEOUT)
          .ignoreExceptions()
          .untilAsserted(
              () -> {
                byte[] now =
                    fs.getXAttr(new org.apache.hadoop.fs.Path("/"), "trusted.parity.izs.verified");
                byte[] before = saved[0];
                saved[0] = now;
                assertThat(Arrays.equals(now, before)).isTrue();
              });
      assertThat(cluster.status(1).verification().isRunning()).isFalse();

      Configuration client = ForeignCoders.use(fs.getConf());
      client.setBoolean("fs.hdfs.impl.disable.cache", true);
      List<String> wrong = new ArrayList<>();
      try (DistributedFileSystem foreign =
          (DistributedFileSystem) FileSystem.newInstance(fs.getUri(), client)) {
        for (int i = 0; i < 4; i++) {
          wrong.add("/d/wrong" + i);
          write(foreign, Kind.REED_SOLOMON, "/d/wrong" + i, bytes);
        }
      }
      cluster.cluster().transitionToStandby(0);
      cluster.cluster().transitionToActive(1);
      // Nothing is dropped of a storage that has not sent a full report to the new active NameNode.
      cluster.cluster().triggerHeartbeats();
      cluster.cluster().triggerBlockReports();
      await()
          .atMost(TIMEOUT)
          .untilAsserted(
              () -> {
                VerifyStatus now = cluster.status(1).verification();
                assertThat(now.problem()).isEmpty();
                assertThat(now.isRunning()).isTrue();
                assertThat(now.unverified() + now.idsLeft()).isZero();
              });
      VerifyStatus first = cluster.status(0).verification();
      VerifyStatus second = cluster.status(1).verification();
      assertThat(first.isRunning()).isFalse();
      // What was saved is not verified again: the groups of the first file are not among them.
      assertThat(second.results().verified()).isLessThanOrEqualTo(12);
      assertThat(first.results().wrongParity() + second.results().wrongParity())
          .isGreaterThanOrEqualTo(12);

      Configuration reader = new Configuration(fs.getConf());
      reader.setClass("fs.hdfs.impl", ParityFileSystem.class, FileSystem.class);
      try (DistributedFileSystem suite =
          (DistributedFileSystem) FileSystem.newInstance(fs.getUri(), reader)) {
        for (String path : wrong) {
          MiniLevels.awaitUnits(fs, path, 2);
        }
        cluster.assertReadsWithout(suite, wrong.get(0), bytes, 2);
        cluster.assertReadsWithout(suite, wrong.get(3), bytes, 2);
      }
    }
  }

  private static void assertDone(VerifyStatus now, int verified) {
    assertThat(now.results().verified()).isEqualTo(verified);
    assertThat(now.unverified() + now.idsLeft()).isZero();
  }
}
