/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.caso.admin.CasoAdmin;
import io.hdfsparity.core.check.FreePorts;
import io.hdfsparity.raidp.admin.RaidpAdmin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.util.ToolRunner;
import org.awaitility.Awaitility;

/** The samples of {@code conf/}, with places, ports, and sizes that suit a test. */
final class SampleSite {
  private static final int DISKS = 2;
  private static final int FRAMES = 2;
  private static final int MAX_PROPERTIES = 12;

  private SampleSite() {}

  /** Keys of a sample. */
  static Map<String, String> sample(String file) throws IOException {
    Configuration keys = new Configuration(false);
    keys.addResource(Path.of("..", "conf", file).toUri().toURL());
    assertThat(keys.size()).as(file).isBetween(1, MAX_PROPERTIES);
    Map<String, String> sample = new TreeMap<>();
    keys.forEach(each -> sample.put(each.getKey(), each.getValue()));
    return sample;
  }

  /** Where things are, and how large. */
  static Configuration places(Map<String, String> sample) throws IOException {
    Configuration conf = new HdfsConfiguration();
    sample.forEach(conf::set);
    conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + FreePorts.next());
    conf.set(SuiteKey.DATANODE_RPC_ADDRESS.key(), "127.0.0.1:0");
    conf.set("dfs.parity.ecupdate.datanode.address", "127.0.0.1:0");
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, MiniLevels.BLOCK_BYTES);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 1024);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    return conf;
  }

  /** For a DataNode with its disks, and Lstors beside them. */
  static Configuration pairNode(Path root, int node) throws IOException {
    Configuration conf = DataNodeAddresses.overlay();
    List<String> data = new ArrayList<>();
    List<String> lstors = new ArrayList<>();
    for (int disk = 0; disk < DISKS; disk++) {
      Path place = root.resolve("pair" + node).resolve("disk" + disk);
      Path lstor = root.resolve("lstor").resolve("pair" + node + "-disk" + disk);
      lstors.add(Files.createDirectories(lstor).toString());
      data.add("file:" + Files.createDirectories(place.resolve("hdfs")));
    }
    conf.set(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, String.join(",", data));
    conf.setInt("dfs.parity.raidp.frames.per.volume", FRAMES);
    conf.set("dfs.parity.raidp.lstor.dirs", String.join(",", lstors));
    return conf;
  }

  /** Superchunks and journals of RAIDP, small. */
  static Configuration smallFrames(Configuration conf) {
    conf.set("dfs.parity.raidp.frame.size", "8m");
    conf.set("dfs.parity.raidp.unit.size", "64k");
    conf.set("dfs.parity.raidp.max.block.size", Long.toString(MiniLevels.BLOCK_BYTES));
    conf.set("dfs.parity.raidp.journal.size", "8m");
    conf.set("dfs.parity.raidp.layout.recovery.room.disks", "0");
    conf.set("dfs.parity.raidp.layout.spare.share", "0");
    return conf;
  }

  /**
   * Lays superchunks out and protects /pair.
   *
   * @param conf of an administrator
   */
  static void layOut(DistributedFileSystem fs, Configuration conf) {
    Awaitility.await("superchunks are laid out")
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(
            () -> {
              ByteArrayOutputStream said = new ByteArrayOutputStream();
              PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
              RaidpAdmin admin = new RaidpAdmin(new Configuration(conf), out, out);
              int code = ToolRunner.run(admin, new String[] {"-layout", "-apply"});
              assertThat(code).as(said.toString(StandardCharsets.UTF_8)).isZero();
              fs.mkdirs(new org.apache.hadoop.fs.Path("/pair"));
              int marked = ToolRunner.run(admin, new String[] {"-protect", "/pair"});
              assertThat(marked).as(said.toString(StandardCharsets.UTF_8)).isZero();
              MiniLevels.write(fs, "/pair/first", new byte[1]);
            });
  }

  /**
   * Runs "hdfs caso" to a good end; waits while the NameNode cannot know yet which programs update
   * files.
   */
  static void caso(Configuration conf, String... args) {
    Awaitility.await("hdfs caso " + String.join(" ", args))
        .until(
            () -> {
              ByteArrayOutputStream said = new ByteArrayOutputStream();
              PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
              int code = new CasoAdmin(new Configuration(conf), out, out).run(args);
              String text = said.toString(StandardCharsets.UTF_8);
              if (code != 0) {
                assertThat(text).contains("updateSessions=unknown");
              }
              return code == 0;
            });
  }
}
