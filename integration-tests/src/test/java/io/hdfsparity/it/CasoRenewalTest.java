/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.caso.admin.CasoAdmin;
import io.hdfsparity.caso.layout.LayoutPointer;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A block group of a file in stored order that HDFS has rebuilt is rewritten as it is stored. */
@Tag("full")
@Timeout(1200)
class CasoRenewalTest {
  /** One group: whole cells, and a part of one. */
  private static final int FILE_BYTES = 40 * MiniUpdates.CELL_BYTES + 1234;

  @TempDir static java.nio.file.Path root;
  private static MiniUpdates cluster;
  private static FileSystem caso;

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> more = UpdateKeys.sessions("5s");
    more.putAll(UpdateKeys.lease("20s"));
    more.put(SuiteKey.FEATURES.key(), "ecupdate,caso");
    more.put(StorageKey.SNAPSHOT_AGE.key(), "1s");
    more.put("dfs.client.retry.window.base", "50");
    // A node that is started again must not be taken for dead.
    more.put("dfs.namenode.heartbeat.recheck-interval", "60000");
    cluster = new MiniUpdates(root.resolve("dfs"), 7, more);
    caso = cluster.newParityFileSystem();
  }

  @AfterAll
  static void stop() throws IOException {
    caso.close();
    cluster.close();
  }

  private static byte[] organized(String path) throws IOException {
    byte[] bytes = cluster.create(path, FILE_BYTES);
    String trace =
        Files.writeString(root.resolve("trace.csv"), CasoUpdateTest.patterns()).toString();
    String[] organize = {"-organize", path, "-trace", trace};
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    CasoAdmin admin =
        new CasoAdmin(
            cluster.fs().getConf(),
            new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    // A NameNode that has just become active does not know of sessions for a while.
    await("organized: " + err).until(() -> admin.run(organize) == 0);
    assertThat(cluster.fs().getXAttrs(new Path(path))).containsKey(LayoutPointer.XATTR);
    assertThat(Arrays.equals(StoredBytes.read(cluster.fs(), path), bytes)).isFalse();
    return bytes;
  }

  private static void rebuild(String path) throws Exception {
    String node = cluster.group(path).nodes()[1];
    DatanodeID id = cluster.node(node).getDatanodeId();
    cluster.restart(
        node,
        () -> {
          cluster.cluster().setDataNodeDead(id);
          await("another node has the lost unit")
              .until(
                  () ->
                      cluster.located(path).getLocations().length == 5
                          && !cluster.isAt(path, node));
        });
    await("one replica of each unit is left")
        .until(() -> cluster.located(path).getLocations().length == 5);
  }

  private static void isRewrittenBy(FileSystem client, String path) throws Exception {
    byte[] twin = organized(path);
    try (StripedFileUpdater updater = cluster.open(client, path, UpdaterOptions.standard())) {
      MiniUpdates.writeSome(updater, twin, 1);
    }
    rebuild(path);
    long[] before = cluster.group(path).blocks();
    try (StripedFileUpdater updater = cluster.open(client, path, UpdaterOptions.standard())) {
      MiniUpdates.writeSome(updater, twin, 2);
      byte[] found = new byte[FILE_BYTES];
      assertThat(updater.read(0, ByteBuffer.wrap(found))).isEqualTo(FILE_BYTES);
      assertThat(Arrays.mismatch(found, twin)).as("first byte that differs").isEqualTo(-1);
    }
    assertThat(cluster.group(path).blocks())
        .doesNotContain(Arrays.stream(before).boxed().toArray(Long[]::new));
    await("read").until(() -> WholeFile.isReadable(caso, path, twin));
    cluster.verify(cluster.group(path));
  }

  @Test
  void aClientThatReadsFilesInTheirOwnOrder() throws Exception {
    isRewrittenBy(caso, "/own");
  }

  @Test
  void aPlainClient() throws Exception {
    isRewrittenBy(cluster.fs(), "/plain");
  }
}
