/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.ParityNameNodePlugin;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.caso.admin.CasoAdmin;
import io.hdfsparity.caso.config.CasoKey;
import io.hdfsparity.caso.fs.RewritePoints;
import io.hdfsparity.core.check.FreePorts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.io.erasurecode.ECSchema;

/**
 * Two clusters behind one Router: all paths lead to the first, but those below {@link #MOUNTED},
 * which lead to the second. Its files have ids that the first one's files have, too.
 */
final class TwoNamespaces implements AutoCloseable {
  static final int CELL_BYTES = 4096;

  /** 160 whole cells and a part of one: 18 block groups, more than one call locates. */
  static final int LENGTH = 160 * CELL_BYTES + 1234;

  static final String POLICY = "RS-3-2-4k";
  static final String OTHER_POLICY = "XOR-2-1-4k";

  /** Where files of the second cluster are. */
  static final String MOUNTED = "/b";

  /** Where the second cluster has its indexes, which the Router finds there, too. */
  private static final String INDEXES = "/.caso-b";

  /** By so many inodes the second namespace is ahead of the first, which can follow then. */
  private static final int AHEAD = 20;

  private static final int NODES = 5;
  private static final int BLOCK_BYTES = 3 * CELL_BYTES;

  private final Path root;
  private final Configuration secondConf = conf();
  private final MiniDFSCluster first;
  private final MiniDFSCluster second;
  private final RouterServer router;

  TwoNamespaces(Path root) throws Exception {
    this.root = root;
    secondConf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, ParityNameNodePlugin.class.getName());
    secondConf.set(SuiteKey.FEATURES.key(), "caso");
    secondConf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + FreePorts.next());
    secondConf.set(CasoKey.LAYOUT_FOLDER.key(), INDEXES);
    Configuration firstConf = conf();
    first = start(firstConf, "first");
    second = start(secondConf, "second");
    for (int i = 0; i < AHEAD; i++) {
      second().mkdirs(new org.apache.hadoop.fs.Path("/ahead/" + i));
    }
    Map<String, Configuration> services = new LinkedHashMap<>();
    services.put("first", firstConf);
    services.put("second", secondConf);
    router = new RouterServer(Files.createDirectories(root.resolve("router")), "first", services);
    router.mount(MOUNTED, "second");
    router.mount(INDEXES, "second");
  }

  private static Configuration conf() {
    Configuration conf = new HdfsConfiguration();
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK_BYTES);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 1024);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    return conf;
  }

  private MiniDFSCluster start(Configuration conf, String name) throws IOException {
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, root.resolve(name).toFile()).numDataNodes(NODES).build();
    cluster.waitActive();
    DistributedFileSystem fs = cluster.getFileSystem();
    for (ECSchema schema : new ECSchema[] {new ECSchema("rs", 3, 2), new ECSchema("xor", 2, 1)}) {
      ErasureCodingPolicy policy = new ErasureCodingPolicy(schema, CELL_BYTES);
      assertThat(fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {policy})[0].isSucceed())
          .isTrue();
    }
    fs.enableErasureCodingPolicy(POLICY);
    fs.enableErasureCodingPolicy(OTHER_POLICY);
    fs.mkdirs(new org.apache.hadoop.fs.Path(MOUNTED));
    return cluster;
  }

  DistributedFileSystem first() throws IOException {
    return first.getFileSystem();
  }

  DistributedFileSystem second() throws IOException {
    return second.getFileSystem();
  }

  /** Of a client of the Router, which knows the NameNode of the second cluster. */
  Configuration routedConf() {
    Configuration conf = new Configuration(secondConf);
    conf.set("fs.hdfs.impl", ParityFileSystem.class.getName());
    conf.set("fs.defaultFS", router.address().toString());
    return conf;
  }

  /** The suite's client of the Router. */
  DistributedFileSystem routed() throws IOException {
    return (DistributedFileSystem) FileSystem.newInstance(router.address(), routedConf());
  }

  /** Writes a file by a stock client at its NameNode. */
  static TestFile write(DistributedFileSystem fs, String path, String policy, String content)
      throws IOException {
    TestFile file = new TestFile(path, TestFile.content(content, LENGTH));
    try (FSDataOutputStream out =
        fs.createFile(new org.apache.hadoop.fs.Path(path)).ecPolicyName(policy).build()) {
      out.write(file.bytes());
    }
    return file;
  }

  static long inode(DistributedFileSystem fs, String path) throws IOException {
    return fs.getClient().getFileInfo(path).getFileId();
  }

  /** Makes directories in the first namespace until the next thing made there has that inode. */
  void advanceTo(long inodeId) throws IOException {
    long last = 0;
    for (int i = 0; last < inodeId - 1; i++) {
      String path = "/filler/" + inodeId + "-" + i;
      first().mkdirs(new org.apache.hadoop.fs.Path(path));
      last = inode(first(), path);
    }
    assertThat(last).isEqualTo(inodeId - 1);
  }

  /** Stores a file of the second cluster in another order. */
  void organize(String path) throws IOException {
    Configuration conf = new Configuration(secondConf);
    conf.set("fs.defaultFS", second().getUri().toString());
    assertThat(organize(conf, path)).contains("Stored:");
  }

  /** What {@code hdfs caso -organize} says. */
  String organize(Configuration conf, String path) throws IOException {
    StringBuilder trace = new StringBuilder();
    for (int window = 0; window < 60; window++) {
      int pattern = window % 5;
      for (int cell : new int[] {pattern, 60 + 7 * pattern, 120 + 9 * pattern}) {
        trace.append(window * 10_000L + 3).append(",h,0,Write,").append(CELL_BYTES * cell);
        trace.append(",4096,0\n");
      }
    }
    String csv = Files.writeString(root.resolve("trace.csv"), trace).toString();
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    new CasoAdmin(conf, out, out, RewritePoints.NONE)
        .run(new String[] {"-organize", path, "-trace", csv});
    return said.toString(StandardCharsets.UTF_8);
  }

  /** Stops a DataNode of the second cluster. */
  MiniDFSCluster.DataNodeProperties stopDataNode() {
    return second.stopDataNode(0);
  }

  void startAgain(MiniDFSCluster.DataNodeProperties stopped) throws IOException {
    second.restartDataNode(stopped);
    second.waitActive();
  }

  @Override
  public void close() throws InterruptedException {
    router.close();
    second.shutdown();
    first.shutdown();
  }
}
