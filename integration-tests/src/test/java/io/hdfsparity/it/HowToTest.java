/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.FreePorts;
import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The marked commands of docs/how-to, executed in their order on one cluster of processes with all
 * features. Pages that take longer: {@link HowToSoak}.
 */
@Tag("full")
class HowToTest {
  /** In the order in which they are executed. */
  static final List<String> PAGES =
      List.of(
          "set-up-raidp",
          "monitor",
          "add-disks",
          "store-izs",
          "change-level",
          "choose-scheme",
          "update-in-place",
          "organize",
          "block-device",
          "adopt",
          "recover",
          "replace-disk");

  private static final int NODES = 8;
  private static final int BYTES = 3 << 20;

  /** The node with two disks, once its page has been followed. */
  private static final int GROWN = 1;

  @TempDir Path dir;

  private final byte[] bytes = random(1, BYTES);
  private final byte[] piece = random(2, 4096);
  private LocalCluster cluster;
  private DistributedFileSystem fs;
  private HowToShell shell;

  private static byte[] random(long seed, int length) {
    byte[] random = new byte[length];
    new Random(seed).nextBytes(random);
    return random;
  }

  private LocalCluster described() throws IOException {
    return LocalCluster.builder(dir.resolve("c"))
        .mode(ClusterMode.ALL)
        .nodes(NODES)
        .racks(NODES)
        .disksPerNode(1)
        .framesPerDisk(6)
        .frameBytes(64L << 20)
        .unitBytes(64L << 10)
        .blockBytes(1L << 20)
        .replication(3)
        .cacheDir(Path.of(System.getProperty("hdfsparity.cache")))
        .conf("dfs.parity.raidp.layout.spare.share", "0.3")
        .conf("hadoop.prometheus.endpoint.enabled", "true")
        .conf("dfs.parity.izs.mapping.file", ruleTable().toString())
        .build();
  }

  /** A copy of the sample that was changed: the access frequency of dear files does not matter. */
  private Path ruleTable() throws IOException {
    String sample = Files.readString(Path.of("..", "conf", "izs-mapping.conf"));
    String changed =
        sample.replaceAll("(?m)^rule very-important.*\\R?", "")
            + "rule very-important any RS(k+2,k) -> ec IZS-4-2-1024k\n";
    return Files.writeString(dir.resolve("izs-mapping.conf"), changed);
  }

  private HowToRun page(String name) throws IOException {
    return new HowToRun(name, shell);
  }

  private void write(String path, byte[] content) throws IOException {
    try (var out = fs.create(new org.apache.hadoop.fs.Path(path))) {
      out.write(content);
    }
  }

  private byte[] read(String path) throws IOException {
    try (var in = fs.open(new org.apache.hadoop.fs.Path(path))) {
      return in.readAllBytes();
    }
  }

  private String policy(String path) throws IOException {
    return fs.getErasureCodingPolicy(new org.apache.hadoop.fs.Path(path)).getName();
  }

  @Test
  void theCommandsOfThePagesWork() throws Exception {
    Files.write(local("piece"), piece);
    LocalCluster made = described();
    cluster = made;
    try (made) {
      cluster.start();
      try (HowToShell own = new HowToShell(cluster, dir);
          DistributedFileSystem client =
              (DistributedFileSystem) FileSystem.newInstance(cluster.conf())) {
        shell = own;
        fs = client;
        fill();
        setUpAndMonitor();
        addDisks();
        store();
        updateInPlace();
        organize();
        useAsBlockDevice();
        recover();
        replaceDisk();
      }
    } finally {
      cluster.purge();
    }
  }

  private Path local(String name) {
    return dir.resolve(name);
  }

  private void fill() throws IOException {
    write("/data/file", bytes);
    fs.mkdirs(new org.apache.hadoop.fs.Path("/vol"));
    fs.enableErasureCodingPolicy("RS-3-2-1024k");
    fs.setErasureCodingPolicy(new org.apache.hadoop.fs.Path("/vol"), "RS-3-2-1024k");
    write("/vol/image", bytes);
    fs.mkdirs(new org.apache.hadoop.fs.Path("/new"));
  }

  private void setUpAndMonitor() throws Exception {
    HowToRun setUp = page("set-up-raidp").with("PATH", "/new").upTo("-protect");
    shell.awaitUsableSuperchunks();
    setUp.rest();
    write("/new/file", bytes);
    page("monitor").rest();
    assertMetricsOfTheAlertRules();
  }

  /** What the page says of /prom and of conf/prometheus-alerts.yml. */
  private void assertMetricsOfTheAlertRules() throws IOException {
    Set<String> wanted =
        Pattern.compile("\\b(raidp|izs|ec_update|parity|fs_namesystem)_[a-z_]+")
            .matcher(
                Files.readString(Path.of("..", "conf", "prometheus-alerts.yml"))
                    .replaceAll("(?m)^(?! +expr:).*$", ""))
            .results()
            .map(MatchResult::group)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(wanted).hasSizeGreaterThan(20);
    List<String> daemons =
        List.of(cluster.status().webAddress(), new HowToNode(cluster, 0).httpAddress());
    MiniRaidp.await("metrics of the alert rules")
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              Set<String> served = new TreeSet<>();
              for (String daemon : daemons) {
                served.addAll(metrics(daemon));
              }
              assertThat(served).containsAll(wanted);
            });
  }

  private static List<String> metrics(String address) throws IOException {
    try (InputStream in = URI.create("http://" + address + "/prom").toURL().openStream()) {
      return Pattern.compile("(?m)^[a-z_]+")
          .matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .results()
          .map(MatchResult::group)
          .toList();
    }
  }

  private void addDisks() throws Exception {
    cluster.addDataNode();
    HowToNode node = new HowToNode(cluster, GROWN);
    HowToRun add =
        page("add-disks")
            .with("HOST:PORT", node.ipcAddress())
            .repeating("doctor")
            .upTo("-reconfig");
    node.appendDisk(1);
    add.rest();
    node.awaitDisk(1, "USABLE");
    assertThat(read("/new/file")).isEqualTo(bytes);
  }

  private void store() throws Exception {
    page("store-izs").withLocal("piece").rest();
    // At first the NameNode does not know which files are being updated.
    page("change-level").repeating("-setLevel").rest();
    assertThat(policy("/archive/first")).isEqualTo("IZS-4-3-1024k");
    try (var out =
        fs.createFile(new org.apache.hadoop.fs.Path("/archive/copies")).replicate().build()) {
      out.write(bytes);
    }
    // Storages may be stale, so that the level of a file cannot be lowered: a refusal says what
    // helps.
    LevelTree.reportBlocks(cluster.conf(), fs);
    page("choose-scheme").repeating("-progress").rest();
    assertThat(policy("/archive/first")).isEqualTo("IZS-4-2-1024k");
    assertThat(policy("/archive/copies")).isEqualTo("IZS-4-2-1024k");
    assertThat(read("/archive/first")).isEqualTo(piece);
    assertThat(read("/archive/copies")).isEqualTo(bytes);
  }

  private void updateInPlace() throws Exception {
    page("update-in-place").withLocal("piece").withLocal("back").withLocal("whole").rest();
    byte[] updated = bytes.clone();
    System.arraycopy(piece, 0, updated, 64 << 10, piece.length);
    assertThat(Files.readAllBytes(local("back"))).isEqualTo(piece);
    assertThat(Files.readAllBytes(local("whole"))).isEqualTo(updated);
  }

  private void organize() throws Exception {
    byte[] content = random(3, 8 * BYTES);
    write("/vol/apart", content);
    Files.writeString(local("trace.csv"), trace(0));
    Files.writeString(local("newer.csv"), trace(1));
    HowToRun organize =
        page("organize")
            .with("/vol/image", "/vol/apart")
            .with("NEWER", local("newer.csv").toString())
            .with("TRACE", local("trace.csv").toString())
            .upTo("-restore");
    assertThat(read("/vol/apart")).as("in another order").isEqualTo(content);
    organize.rest();
    assertThat(read("/vol/apart")).isEqualTo(content);
  }

  /** Triples of cells that lie in three stripes, written in turn, a window each. */
  private static String trace(int shift) {
    int stripes = 8;
    StringBuilder text = new StringBuilder();
    for (int window = 0; window < 10 * stripes; window++) {
      int pattern = window % stripes;
      for (int third = 0; third < 3; third++) {
        long cell = third * stripes + (pattern + third * shift) % stripes;
        text.append(window * 10_000L + 3).append(",h,0,Write,").append(cell << 20);
        text.append(",4096,0\n");
      }
    }
    return text.toString();
  }

  private void useAsBlockDevice() throws Exception {
    byte[] image = new byte[4 << 20];
    new Random(7).nextBytes(image);
    Files.write(local("image.raw"), image);
    assertThat(
            shell.run(
                List.of(
                    "qemu-img", "convert", "-f", "raw", "-O", "qcow2", "image.raw", "image.qcow2")))
        .isZero();
    page("block-device")
        .with("20G", "4M")
        .with("RS-6-3-1024k", "RS-3-2-1024k")
        .with("10809", String.valueOf(FreePorts.next()))
        .with("--size=1G", "--size=256k")
        .rest();
    assertThat(Files.readAllBytes(local("copy.raw"))).isEqualTo(image);
    assertThat(read("/vol/disk")).hasSize(4 << 20);
  }

  private void recover() throws Exception {
    page("adopt").rest();
    cluster.failDisk(0, 0);
    cluster.awaitDiskFailureKnown(0, 0);
    page("recover").rest();
    assertThat(read("/data/file")).isEqualTo(bytes);
  }

  private void replaceDisk() throws Exception {
    HowToNode node = new HowToNode(cluster, GROWN);
    String dead = node.awaitDisk(0, "USABLE");
    HowToRun replace =
        page("replace-disk")
            .with("HOST:PORT", node.ipcAddress())
            .with("DISK", dead)
            .upTo("-reconfig");
    node.mountEmpty(0);
    replace.upTo("-status");
    assertThat(node.awaitDisk(0, "USABLE")).isNotEqualTo(dead);

    replace.upTo("-reconfig");
    String leaving = node.awaitDisk(1, "USABLE");
    node.removeDisk(1);
    replace.upTo("-recover");
    node.awaitDisk(1, "DEAD");
    replace.upTo("-lstor");
    node.awaitForgotten(leaving);
    assertThat(node.lstorFiles(1)).contains("unneeded-lstor-" + leaving);

    replaceLstor(replace);
    assertThat(read("/new/file")).isEqualTo(bytes);
    assertThat(read("/data/file")).isEqualTo(bytes);
  }

  private void replaceLstor(HowToRun replace) throws Exception {
    HowToNode node = new HowToNode(cluster, 2);
    replace.with("DISK", node.awaitDisk(0, "USABLE"));
    shell.onHostsOf(Map.of("datanode", List.of("dn2"), "lstor", List.of("lstor2")));
    replace.repeating("-rebuild").upTo("start");
    node.mountEmptyLstor(0);
    replace.upTo("-rebuild");
    // The DataNode has its frames back only when their parity is computed.
    CompletableFuture<Void> started = shell.startInBackground();
    replace.rest();
    started.get(5, TimeUnit.MINUTES);
  }
}
