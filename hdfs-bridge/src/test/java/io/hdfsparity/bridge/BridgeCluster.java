/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge;

import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.RecordingHooks.Script;
import io.hdfsparity.bridge.datanode.DatasetHooks;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ParityDatasetFactory;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.StorageIdVolumeChoosingPolicy;

/** A MiniDFSCluster whose DataNodes have the bridge's dataset. */
public final class BridgeCluster implements AutoCloseable {
  public static final int BLOCK_BYTES = 1 << 20;
  public final MiniDFSCluster cluster;
  public final DistributedFileSystem fs;
  public final Script script;

  private BridgeCluster(MiniDFSCluster cluster, Script script) throws IOException {
    this.cluster = cluster;
    this.fs = cluster.getFileSystem();
    this.script = script;
  }

  /** Configuration with the bridge and, where {@code script} is not null, recording hooks. */
  public static HdfsConfiguration conf(String script, Path dir) {
    HdfsConfiguration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.toString());
    conf.set("dfs.datanode.fsdataset.factory", ParityDatasetFactory.class.getName());
    conf.setLong("dfs.blocksize", BLOCK_BYTES);
    conf.setInt("dfs.replication", 2);
    conf.setLong("dfs.namenode.fs-limits.min-block-size", 0);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", 1000);
    conf.setInt("dfs.namenode.reconstruction.pending.timeout-sec", 5);
    conf.setInt("dfs.datanode.failed.volumes.tolerated", -1);
    conf.setInt("dfs.datanode.disk.check.min.gap", 0);
    conf.set("dfs.datanode.directoryscan.interval", "3600");
    conf.setBoolean("dfs.client.block.write.replace-datanode-on-failure.enable", false);
    if (script != null) {
      conf.set(DatasetHooks.CLASSES_KEY, RecordingHooks.class.getName());
      conf.set(RecordingHooks.TEST_KEY, script);
      conf.set(
          "dfs.datanode.fsdataset.volume.choosing.policy",
          StorageIdVolumeChoosingPolicy.class.getName());
    }
    return conf;
  }

  public static BridgeCluster start(HdfsConfiguration conf, int dataNodes) throws IOException {
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf).numDataNodes(dataNodes).storagesPerDatanode(2).build();
    cluster.waitActive();
    return new BridgeCluster(
        cluster, RecordingHooks.script(conf.get(RecordingHooks.TEST_KEY, "none")));
  }

  public static byte[] bytes(int length, long seed) {
    byte[] data = new byte[length];
    new Random(seed).nextBytes(data);
    return data;
  }

  public org.apache.hadoop.fs.Path write(String path, byte[] data, int replicas) throws Exception {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
    try (OutputStream out = fs.create(file, true, 4096, (short) replicas, BLOCK_BYTES)) {
      out.write(data);
    }
    awaitReplicas(path, replicas);
    return file;
  }

  public void awaitReplicas(String path, int replicas) {
    await().until(() -> located(path).stream().allMatch(b -> b.getLocations().length == replicas));
  }

  public byte[] read(String path) throws IOException {
    try (FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(path))) {
      return in.readAllBytes();
    }
  }

  public List<LocatedBlock> located(String path) throws IOException {
    return fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks();
  }

  public LocatedBlock first(String path) throws IOException {
    return located(path).get(0);
  }

  public ExtendedBlock block(String path) throws IOException {
    return first(path).getBlock();
  }

  public long id(String path) throws IOException {
    return block(path).getBlockId();
  }

  public List<String> storages(String path) throws IOException {
    return Arrays.asList(first(path).getStorageIDs());
  }

  public void awaitEvents(long blockId, String kind, int count) {
    await()
        .until(
            () -> script.of(blockId).stream().filter(e -> e.kind().equals(kind)).count() >= count);
  }

  public void waitReplication(String path, int replicas) throws Exception {
    DFSTestUtil.waitReplication(fs, new org.apache.hadoop.fs.Path(path), (short) replicas);
  }

  @Override
  public void close() {
    cluster.shutdown(true);
  }
}
