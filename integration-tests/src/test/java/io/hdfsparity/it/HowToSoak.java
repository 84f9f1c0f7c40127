/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.localcluster.AdminCommand;
import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.ClusterStatus;
import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.LocalClusterBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages of docs/how-to that restart whole clusters, as {@link HowToTest} executes the others. */
@Tag("soak")
class HowToSoak {
  static final List<String> PAGES =
      List.of("decommission", "restore-namenode", "switch-off-raidp", "upgrade");

  private static final int NODES = 7;
  private static final int BYTES = 3 << 20;
  private static final int LEAVING = 2;
  private static final Path CACHE = Path.of(System.getProperty("hdfsparity.cache"));

  @TempDir Path dir;

  private final Map<String, byte[]> files = new TreeMap<>();
  private HowToShell shell;
  private DistributedFileSystem fs;

  private LocalClusterBuilder described() {
    return LocalCluster.builder(dir.resolve("c"))
        .mode(ClusterMode.RAIDP)
        .nodes(NODES)
        .racks(1)
        .disksPerNode(1)
        .framesPerDisk(6)
        .frameBytes(64L << 20)
        .unitBytes(64L << 10)
        .blockBytes(1L << 20)
        .replication(3)
        .cacheDir(CACHE)
        .conf("dfs.parity.raidp.layout.spare.share", "0.4")
        .conf("dfs.namenode.decommission.interval", "1")
        .conf("dfs.hosts.exclude", dir.resolve("excluded").toString());
  }

  private HowToRun page(String name) throws IOException {
    return new HowToRun(name, shell);
  }

  private void write(String path) throws IOException {
    byte[] content = new byte[BYTES];
    new Random(path.hashCode()).nextBytes(content);
    try (var out = fs.create(new org.apache.hadoop.fs.Path(path))) {
      out.write(content);
    }
    files.put(path, content);
  }

  private void assertReadable() throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      try (var in = fs.open(new org.apache.hadoop.fs.Path(file.getKey()))) {
        assertThat(in.readAllBytes()).as(file.getKey()).isEqualTo(file.getValue());
      }
    }
  }

  /** Runs the work on a cluster that protects /data, and deletes the cluster. */
  private void on(LocalCluster cluster, Work work) throws Exception {
    Files.writeString(dir.resolve("excluded"), "");
    try (cluster) {
      cluster.start();
      cluster.applyLayout();
      try (HowToShell own = new HowToShell(cluster, dir);
          DistributedFileSystem client =
              (DistributedFileSystem) FileSystem.newInstance(own.conf())) {
        shell = own;
        fs = client;
        fs.mkdirs(new org.apache.hadoop.fs.Path("/data"));
        cluster.protect("/data");
        write("/data/first");
        work.run();
      }
    } finally {
      cluster.purge();
    }
  }

  /** What is done on a cluster. */
  private interface Work {
    void run() throws Exception;
  }

  @Test
  void nodesLeaveAndMetadataIsLostAndRaidpGoes() throws Exception {
    on(
        described().build(),
        () -> {
          decommission();
          restoreNameNode();
          switchOff();
        });
  }

  @Test
  void theSuiteIsUpgraded() throws Exception {
    on(described().nodes(4).highlyAvailable().build(), this::upgrade);
  }

  private void decommission() throws Exception {
    shell.onHostsOf(node(LEAVING));
    HowToRun decommission = page("decommission").upTo("-refreshNodes");
    exclude(Daemon.nodeHost(LEAVING));
    decommission.upTo("--daemon");
    awaitState(DatanodeInfo.AdminStates.DECOMMISSIONED);
    decommission.rest();
    assertReadable();

    exclude("");
    assertThat(shell.run(List.of("hdfs", "dfsadmin", "-refreshNodes"))).isZero();
    shell.cluster().restart(List.of("dn" + LEAVING, "lstor" + LEAVING));
    awaitState(DatanodeInfo.AdminStates.NORMAL);
    shell.cluster().applyLayout();
  }

  private void exclude(String host) throws IOException {
    Files.writeString(dir.resolve("excluded"), host + "\n");
  }

  private void awaitState(DatanodeInfo.AdminStates state) {
    MiniRaidp.await("node " + LEAVING + " is " + state)
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(
            () ->
                assertThat(fs.getDataNodeStats(DatanodeReportType.ALL))
                    .filteredOn(each -> each.getIpAddr().equals(Daemon.nodeHost(LEAVING)))
                    .extracting(DatanodeInfo::getAdminState)
                    .containsExactly(state));
  }

  private static Map<String, List<String>> node(int node) {
    return Map.of("datanode", List.of("dn" + node), "lstor", List.of("lstor" + node));
  }

  private void restoreNameNode() throws Exception {
    Path metadata =
        new ClusterPaths(shell.cluster().dir())
            .metadataDir(Daemon.nameNodes(shell.cluster().spec()).get(0));
    Path image = dir.resolve("image");
    fs.mkdirs(new org.apache.hadoop.fs.Path("/marked"));
    for (String step : List.of("-safemode enter", "-saveNamespace", "-safemode leave")) {
      if (step.endsWith("leave")) {
        FileUtils.copyDirectory(metadata.toFile(), image.toFile());
      }
      assertThat(shell.run(Arrays.asList(("hdfs dfsadmin " + step).split(" ")))).isZero();
    }
    Map<String, byte[]> old = new TreeMap<>(files);
    fs.mkdirs(new org.apache.hadoop.fs.Path("/later"));
    shell.cluster().protect("/later");
    shell.cluster().protect("/marked");
    write("/later/second");
    files.clear();
    files.putAll(old);

    shell.onHostsOf(allOf("datanode", "namenode", "lstor"));
    HowToRun restore = page("restore-namenode").repeating("-fsck").with("PATH", "/marked");
    restore.upTo("start");
    FileUtils.deleteDirectory(metadata.toFile());
    FileUtils.copyDirectory(image.toFile(), metadata.toFile());
    restore.upTo("-safemode");
    CompletableFuture<Void> started = shell.startInBackground();
    awaitAllLive();
    restore.upTo("-triggerBlockReport");
    started.get(5, TimeUnit.MINUTES);
    restore.each("HOST:IPC_PORT", ipcAddresses()).rest();
    assertThat(fs.exists(new org.apache.hadoop.fs.Path("/later"))).isFalse();
    assertReadable();
  }

  /** Names of all daemons of the cluster by what {@code hdfs --daemon} calls them. */
  private Map<String, List<String>> allOf(String... roles) throws IOException {
    Map<String, String> prefixes = Map.of("datanode", "dn", "namenode", "nn", "lstor", "lstor");
    List<String> names =
        shell.cluster().status().processes().stream()
            .map(ClusterStatus.ProcessStatus::name)
            .toList();
    Map<String, List<String>> result = new TreeMap<>();
    for (String role : roles) {
      result.put(
          role,
          names.stream().filter(name -> name.matches(prefixes.get(role) + "[0-9]*")).toList());
    }
    return result;
  }

  private List<String> ipcAddresses() throws IOException {
    List<String> addresses = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      addresses.add(new HowToNode(shell.cluster(), node).ipcAddress());
    }
    return addresses;
  }

  private void awaitAllLive() {
    MiniRaidp.await("all DataNodes")
        .atMost(Duration.ofMinutes(3))
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> fs.getDataNodeStats(DatanodeReportType.LIVE).length == NODES);
  }

  /** The DataNodes and the NameNode are started without RAIDP, one after the other. */
  private void switchOff() throws Exception {
    LocalCluster raidp = shell.cluster();
    shell.onHostsOf(allOf("lstor"));
    HowToRun switchOff = page("switch-off-raidp").repeating("-release").upTo("fsck");
    assertThat(new AdminCommand(raidp.conf()).run(line -> {}, "raidp -status").out())
        .contains("Covered: nothing; RAIDP can be taken out");
    LocalCluster plain = withoutRaidp(raidp);
    for (int node = 0; node < NODES; node++) {
      plain.restart("dn" + node);
    }
    plain.restart("nn");
    switchOff.rest();
    for (int node = 0; node < NODES; node++) {
      Path root = new ClusterPaths(plain.dir()).diskRoot(node, 0);
      for (String name : List.of("raidp-disk", "raidp-frame", "raidp-limbo")) {
        FileUtils.deleteQuietly(root.resolve(name).toFile());
      }
    }
    shell.describedAs(plain);
    assertReadable();
    write("/data/plain");
    assertReadable();
    plain.stop();
  }

  /** The cluster of the same processes and files, described as one of stock HDFS. */
  private LocalCluster withoutRaidp(LocalCluster raidp) throws IOException {
    Path description = new ClusterPaths(raidp.dir()).specFile();
    String text = Files.readString(description);
    assertThat(text).contains("mode=raidp");
    Files.writeString(description, text.replace("mode=raidp", "mode=stock"));
    return LocalCluster.builder(raidp.dir()).cacheDir(CACHE).build();
  }

  private void upgrade() throws Exception {
    shell.onHostsOf(Map.of("namenode", List.of("nn1")));
    HowToRun upgrade = page("upgrade").upTo("haadmin");
    shell.onHostsOf(Map.of("namenode", List.of("nn0")));
    upgrade.upTo("datanode");
    assertThat(shell.cluster().activeNameNode()).contains("nn1");
    List<Map<String, List<String>>> hosts = new ArrayList<>();
    for (int node = 0; node < shell.cluster().spec().nodes(); node++) {
      hosts.add(node(node));
    }
    upgrade.onEach(hosts, "doctor");
    upgrade.rest();
    assertReadable();
  }
}
