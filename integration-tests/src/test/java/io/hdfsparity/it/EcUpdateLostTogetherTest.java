/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.updater.DegradedReader;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A host dies that ran a DataNode and a program in the middle of writes, both killed by kill -9:
 * all that was acknowledged is read without it, and is there, settled, when it is back.
 */
@Tag("full")
@Timeout(1200)
class EcUpdateLostTogetherTest {
  private static final int CELL_BYTES = 64 << 10;
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int NODES = 5;
  private static final int FILE_BYTES = 3 * BLOCK_BYTES + 4 * CELL_BYTES + 12_345;
  private static final int HOSTS = Integer.getInteger("ecupdate.lost.hosts", 1);
  private static final String PATH = "/ec/table";

  private final Random random = new Random(Long.getLong("seed", 0));
  private RegisterFile history;
  private LocalCluster cluster;
  private Path site;

  @Test
  void whatWasAcknowledgedIsReadWithoutThem(@TempDir Path dir) throws Exception {
    cluster = KillableUpdates.cluster(dir.resolve("c"), NODES, BLOCK_BYTES, 5_000).build();
    try {
      cluster.start();
      byte[] initial = new byte[FILE_BYTES];
      random.nextBytes(initial);
      history = new RegisterFile(initial);
      KillableUpdates.create(cluster, PATH, initial, new ECSchema("rs", 3, 2), CELL_BYTES);
      site = dir.resolve("client-site.xml");
      try (OutputStream out = Files.newOutputStream(site)) {
        cluster.conf().writeXml(out);
      }
      for (int host = 0; host < HOSTS; host++) {
        lose("dn" + random.nextInt(NODES));
      }
    } finally {
      cluster.purge();
    }
  }

  private void lose(String node) throws Exception {
    RunningProgram stays = new RunningProgram(cluster, site, PATH, random.nextLong(), history);
    RunningProgram dies = new RunningProgram(cluster, site, PATH, random.nextLong(), history);
    try {
      stays.goOn();
      dies.goOn();
      int some = 20 + random.nextInt(40);
      await("both write").until(() -> stays.acks() > some && dies.acks() > some);
      // What it began has ended: updates here survive one crashed client, not two.
      stays.askToPause();
      await("pauses").until(stays::isPaused);
      long more = dies.acks() + 1 + random.nextInt(20);
      await("the other one writes on").until(() -> dies.acks() >= more);
    } finally {
      dies.kill();
      cluster.kill(node);
      stays.kill();
    }
    Configuration conf = cluster.conf();
    try (DistributedFileSystem fs = (DistributedFileSystem) cluster.newFileSystem()) {
      await("HDFS knows").until(() -> fs.getDataNodeStats(DatanodeReportType.DEAD).length == 1);
      readDegraded(fs, node);
      cluster.restart(List.of(node));
      KillableUpdates.awaitAnswers(fs, PATH);
      await("settled")
          .until(() -> KillableUpdates.complaintOf(conf, "-recover", PATH), String::isEmpty);
      byte[] found = new byte[FILE_BYTES];
      long began = System.nanoTime();
      try (StripedFileUpdater updater =
          FileUpdates.open(fs, new org.apache.hadoop.fs.Path(PATH), UpdaterOptions.standard())) {
        assertThat(updater.read(0, ByteBuffer.wrap(found))).isEqualTo(FILE_BYTES);
      }
      assertThat(history.wrong(0, found, began, System.nanoTime())).as(node).isEmpty();
      history.settle(found, System.nanoTime());
      assertThat(KillableUpdates.verify(conf, PATH)).as(node).isEmpty();
    }
  }

  private void readDegraded(DistributedFileSystem fs, String node) throws IOException {
    byte[] found = new byte[FILE_BYTES];
    long began = System.nanoTime();
    DegradedReader[] opened = new DegradedReader[1];
    await("the sessions of the dead are over")
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              opened[0] = FileUpdates.openDegraded(fs, new org.apache.hadoop.fs.Path(PATH));
              return true;
            });
    try (DegradedReader reader = opened[0]) {
      reader.read(0, ByteBuffer.wrap(found));
    }
    assertThat(history.wrong(0, found, began, System.nanoTime())).as("without %s", node).isEmpty();
    System.out.println("lost together: " + node + " and a program, all bytes read without them");
  }
}
