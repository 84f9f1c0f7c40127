/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.izs.apply.MovePoints.Point;
import io.hdfsparity.izs.config.VerifyKey;
import io.hdfsparity.izs.namenode.LevelManager;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A NameNode that is started again when a copy is ready: the copy may have taken hours. */
@Tag("full")
@Timeout(600)
class ApplyRestartTest {
  /** In safe mode nothing is known of parity that contradicts data. */
  @Test
  void aCopyWaitsForTheEndOfSafeMode(@TempDir Path root) throws Exception {
    Map<String, String> keys = Map.of(VerifyKey.RS.key(), "true");
    try (MiniApply apply = MiniApply.start(root, LevelManager.class, keys)) {
      byte[] bytes = apply.write("/f/f", 3, 1);
      apply.want("/f", "strong");
      assertThat(apply.apply("/f").code()).as(apply.err()).isZero();
      apply.want("/f", "copies");
      MiniDFSCluster cluster = apply.levels().cluster();
      AtomicBoolean wasInSafeMode = new AtomicBoolean();
      MiniApply.Run run =
          apply.apply(
              apply.conf(),
              MiniApply.at(
                  Point.DRESSED,
                  () -> {
                    cluster
                        .getConfiguration(0)
                        .setInt(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_EXTENSION_KEY, 5_000);
                    cluster.restartNameNode(/* waitActive= */ false);
                    wasInSafeMode.set(cluster.getNamesystem().isInSafeMode());
                  }),
              "/f");
      assertThat(wasInSafeMode).isTrue();
      // What the command does afterwards may fail: connections from before the restart do, once.
      assertThat(run.refusals("doubts-unknown")).as("%s %s", run.doc(), run.err()).isZero();
      assertThat(apply.form("/f/f")).as("%s %s", run.doc(), run.err()).isEqualTo("replication 2");
      apply.assertBytes("/f/f", bytes);
    }
  }
}
