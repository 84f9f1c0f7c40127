/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.BridgeCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Inodes by number, as another thread changes the namespace. */
@Timeout(300)
class LiveInodesTest {
  @Test
  void waitsForWhoChangesTheNamespace(@TempDir Path root) throws Exception {
    try (BridgeCluster cluster = BridgeCluster.start(BridgeCluster.conf(null, root), 0)) {
      cluster.fs.mkdirs(new org.apache.hadoop.fs.Path("/a/b"));
      long id = cluster.fs.getClient().getFileInfo("/a/b").getFileId();
      NameNode nameNode = cluster.cluster.getNameNode();
      FSNamesystem namesystem = nameNode.getNamesystem();
      LiveInodes inodes = new LiveInodes(nameNode);
      FutureTask<Map<Long, String>> looked =
          new FutureTask<>(() -> inodes.paths(List.of(id, id + 1000)));
      Thread looking = new Thread(looked, "looking");
      NameNodeLock.ALL.writeLock(namesystem);
      try {
        looking.start();
        await("it waits for the lock").until(() -> looking.getState() == Thread.State.WAITING);
        assertThat(looked.isDone()).isFalse();
      } finally {
        NameNodeLock.ALL.writeUnlock(namesystem, "test");
      }
      assertThat(looked.get(60, TimeUnit.SECONDS)).isEqualTo(Map.of(id, "/a/b"));
    }
  }
}
