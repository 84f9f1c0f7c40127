/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import java.nio.file.Path;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of all kinds with an active, a standby and an observer NameNode, which answers all reads.
 */
@Tag("full")
@Timeout(900)
class ObserverNameNodeTest {
  private static final int NODES = 7;

  @TempDir static Path root;
  private static AllFeatures all;

  @BeforeAll
  static void start() throws Exception {
    all = AllFeatures.startWithObserver(root, NODES);
  }

  @AfterAll
  static void stop() throws Exception {
    if (all != null) {
      all.close();
    }
  }

  /** It answers once it knows where the blocks are; until then the active NameNode does. */
  private static void assertReadsFromObserver(String name, byte[] bytes) throws Exception {
    all.assertReads(name, bytes);
    await("the observer answers")
        // While another call of the same client is on its way nobody is the last.
        .ignoreExceptionsInstanceOf(NullPointerException.class)
        .untilAsserted(
            () -> {
              all.stock().msync();
              assertThat(WholeFile.read(all.stock(), name)).isEqualTo(bytes);
              assertThat(
                      HATestUtil.isSentToAnyOfNameNodes(
                          all.stock(), all.cluster(), AllFeatures.OBSERVER))
                  .isTrue();
            });
  }

  @Test
  void protectedFiles() throws Exception {
    assertReadsFromObserver("/pair/f", all.write("/pair/f", AllFeatures.LENGTH));
  }

  @Test
  void levels() throws Exception {
    byte[] bytes = all.write("/code/level", AllFeatures.LENGTH);
    MiniLevels.awaitUnits(all.stock(), "/code/level", 2);
    for (int level : new int[] {3, 1, 2}) {
      try (FSDataInputStream before =
          all.stock().open(new org.apache.hadoop.fs.Path("/code/level"))) {
        all.setLevel("/code/level", level);
        assertReadsFromObserver("/code/level", bytes);
        assertThat(before.readAllBytes()).isEqualTo(bytes);
      }
      assertThat(MiniLevels.policyOf(all.stock(), "/code/level")).contains("-4-" + level + "-");
      MiniLevels.awaitUnits(all.stock(), "/code/level", level);
    }
  }

  @Test
  void updates() throws Exception {
    byte[] twin = all.write("/code/update", AllFeatures.LENGTH);
    MiniLevels.awaitUnits(all.stock(), "/code/update", 2);
    for (int round = 0; round < 3; round++) {
      try (StripedFileUpdater updater = all.open("/code/update")) {
        MiniUpdates.writeSome(updater, twin, round);
        assertReadsFromObserver("/code/update", twin);
      }
      assertReadsFromObserver("/code/update", twin);
    }
  }

  @Test
  void orders() throws Exception {
    byte[] bytes = all.write("/order/f", MiniCaso.LENGTH);
    all.caso("-organize", "/order/f", "-trace", MiniCaso.trace(root, 0));
    all.assertParityReads("/order/f", bytes);
    all.caso("-reorganize", "/order/f", "-trace", MiniCaso.trace(root, 1));
    all.assertParityReads("/order/f", bytes);
    all.caso("-restore", "/order/f");
    assertReadsFromObserver("/order/f", bytes);
  }
}
