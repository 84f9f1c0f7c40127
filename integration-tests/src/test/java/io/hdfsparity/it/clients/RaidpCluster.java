/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import io.hdfsparity.it.RaidpForClients;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** A small cluster of RAIDP. */
final class RaidpCluster implements ClientsCluster {
  private static final int READ_BYTES = (2 << 20) + 300_001;
  private static final int APPEND_BYTES = 300_001;

  private final RaidpForClients raidp;
  private final DistributedFileSystem fs;
  private final String lostNode;
  private final TestFile read;
  private final List<TestFile> appends = new ArrayList<>();

  RaidpCluster(Path root, int appended) throws Exception {
    Configuration extra = new Configuration(false);
    Gateways.allow(extra);
    StaleNodes.avoid(extra);
    extra.setInt("dfs.namenode.heartbeat.recheck-interval", 300_000);
    extra.set("dfs.parity.raidp.node.stale.timeout", "3s");
    extra.set("hadoop.tmp.dir", System.getProperty("java.io.tmpdir"));
    raidp = RaidpForClients.start(root, extra);
    String directory = FileKind.RAIDP.directory();
    read = ClientsCluster.write(conf(), directory + "/read-0", READ_BYTES);
    fs = dfs().getFileSystem();
    lostNode =
        fs.getClient().getLocatedBlocks(read.path(), 0).get(0).getLocations()[0].getDatanodeUuid();
    for (int i = 0; appends.size() < appended; i++) {
      TestFile file = ClientsCluster.write(conf(), directory + "/append-" + i, APPEND_BYTES);
      if (Replicas.isAt(fs, file.path(), lostNode)) {
        appends.add(file);
      }
    }
  }

  @Override
  public List<FileKind> kinds() {
    return List.of(FileKind.RAIDP);
  }

  @Override
  public MiniDFSCluster dfs() {
    return raidp.dfs();
  }

  @Override
  public Configuration conf() {
    return raidp.dfs().getConfiguration(0);
  }

  @Override
  public TestFile read(FileKind kind) {
    return read;
  }

  @Override
  public TestFile append(FileKind kind, int number) {
    return appends.get(number);
  }

  @Override
  public void loseNode() {
    StaleNodes.stop(dfs(), lostNode);
    raidp.awaitSilentNode();
  }

  @Override
  public void close() throws Exception {
    raidp.close();
  }
}
