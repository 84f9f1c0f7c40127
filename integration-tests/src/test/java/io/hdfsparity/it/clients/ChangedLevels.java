/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.izs.level.FileOutcome;
import io.hdfsparity.izs.wire.LevelClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.net.NetUtils;

/** Changes the level of files in place, and waits until their groups have the units of it. */
final class ChangedLevels {
  private static final int CALL_MS = 120_000;

  private final Configuration conf;
  private final DistributedFileSystem fs;

  /**
   * @param conf names the level manager
   * @param fs may locate the blocks of the files
   */
  ChangedLevels(Configuration conf, DistributedFileSystem fs) {
    this.conf = conf;
    this.fs = fs;
  }

  void change(int level, List<String> paths) throws IOException {
    try (LevelClient client =
        new LevelClient(
            NetUtils.createSocketAddr(conf.get(SuiteKey.NAMENODE_RPC_ADDRESS.key())),
            conf,
            CALL_MS)) {
      await("level " + level)
          .untilAsserted(
              () -> {
                List<String> refused = new ArrayList<>();
                for (FileOutcome outcome : client.setLevel(level, paths)) {
                  outcome.refusal().ifPresent(why -> refused.add(why.toString()));
                }
                assertThat(refused).isEmpty();
              });
    }
    await("units of level " + level).until(() -> hasUnits(level, paths));
  }

  private boolean hasUnits(int level, List<String> paths) throws IOException {
    for (String path : paths) {
      int units = fs.getErasureCodingPolicy(new Path(path)).getNumDataUnits() + level;
      for (LocatedBlock group :
          fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks()) {
        if (group.getLocations().length != units) {
          return false;
        }
      }
    }
    return true;
  }
}
