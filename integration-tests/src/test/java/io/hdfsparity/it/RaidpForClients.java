/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** A cluster of RAIDP for tests in other packages. */
public final class RaidpForClients implements AutoCloseable {
  private static final int NODES = 4;

  private final MiniRaidp raidp;

  private RaidpForClients(MiniRaidp raidp) {
    this.raidp = raidp;
  }

  /** Starts it with all superchunks usable. */
  public static RaidpForClients start(Path root, Configuration extra) throws Exception {
    MiniRaidp.Shape shape = new MiniRaidp.Shape(NODES, 2, 1, 4, 64L << 20, 1 << 16, 1 << 20);
    return new RaidpForClients(MiniRaidp.start(root, shape, extra));
  }

  /** The cluster of HDFS. */
  public MiniDFSCluster dfs() {
    return raidp.dfs();
  }

  /** Waits until a DataNode that was stopped gets no new blocks. */
  public void awaitSilentNode() {
    MiniRaidp.await("a node is silent")
        .until(
            () ->
                raidp.admin("-status", "-json").json().findValuesAsText("silence").stream()
                    .anyMatch(silence -> !silence.equals("NONE")));
  }

  @Override
  public void close() throws Exception {
    raidp.close();
  }
}
