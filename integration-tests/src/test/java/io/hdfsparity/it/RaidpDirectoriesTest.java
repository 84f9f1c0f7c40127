/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.FsVolumeReferences;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory.DirOp;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files with parity beside files with three replicas and erasure-coded files, on the same disks:
 * protection is chosen by directory. Everything is done by stock clients that ask for three
 * replicas.
 */
@Tag("full")
@Timeout(900)
class RaidpDirectoriesTest {
  private static final int BLOCK = 256 << 10;

  /** Every two disks share a superchunk, nearly: storages say nothing about a block. */
  private static final MiniRaidp.Shape DENSE = shape(8);

  /** Three superchunks a disk, and two spare frames: lost disks can be made up for. */
  private static final MiniRaidp.Shape SPARSE = shape(5);

  private static MiniRaidp.Shape shape(int frames) {
    return new MiniRaidp.Shape(8, 1, 1, frames, 8L << 20, 1 << 16, BLOCK);
  }

  @TempDir Path root;

  private MiniRaidp dense(String... more) throws Exception {
    return start(DENSE, "0.25", more);
  }

  private MiniRaidp sparse() throws Exception {
    return start(SPARSE, "0.4");
  }

  private MiniRaidp start(MiniRaidp.Shape shape, String spareShare, String... more)
      throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", spareShare);
    for (int i = 0; i < more.length; i += 2) {
      extra.set(more[i], more[i + 1]);
    }
    return MixedFiles.start(root, shape, extra);
  }

  @Test
  void eachFileHasWhatItsDirectoryAsksFor() throws Exception {
    try (MiniRaidp raidp = dense()) {
      MixedFiles files = new MixedFiles(raidp, 1);
      files.protect();
      files.fill(MixedFiles.PLAIN, 12);
      files.fill(MixedFiles.PROTECTED, 12);
      Set<String> striped = writeStriped(raidp.fs());
      files.assertAsTheyShouldBe();

      // What a block is goes with it, wherever its file goes, and whatever is done to it.
      String covered = first(files, MixedFiles.PROTECTED);
      String plain = first(files, MixedFiles.PLAIN);
      files.rename(covered, MixedFiles.PLAIN + "/was-protected");
      files.rename(plain, MixedFiles.PROTECTED + "/was-plain");
      files.append(first(files, MixedFiles.PROTECTED + "/1"), BLOCK / 3);
      files.append(first(files, MixedFiles.PLAIN + "/1"), BLOCK / 3);
      files.truncate(first(files, MixedFiles.PROTECTED + "/2"), 1);
      files.truncate(first(files, MixedFiles.PLAIN + "/2"), 1);
      files.assertAsTheyShouldBe();
      for (String path : striped) {
        assertThat(raidp.read(path)).as(path).isEqualTo(MiniRaidp.bytes(path.hashCode(), 700_001));
      }

      raidp.dfs().restartDataNodes();
      raidp.dfs().restartNameNode();
      raidp.dfs().waitActive();
      files.assertAsTheyShouldBe();

      for (String path : List.copyOf(files.paths())) {
        files.delete(path);
      }
      MiniRaidp.await("no row of a deleted block")
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(Soundness.coveredBytes(raidp)).isEmpty());
    }
  }

  private static String first(MixedFiles files, String prefix) {
    return files.paths().stream()
        .filter(path -> path.startsWith(prefix))
        .sorted()
        .findFirst()
        .orElseThrow();
  }

  private static Set<String> writeStriped(DistributedFileSystem fs) throws IOException {
    org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path("/striped");
    fs.mkdirs(directory);
    fs.enableErasureCodingPolicy("RS-3-2-1024k");
    fs.setErasureCodingPolicy(directory, "RS-3-2-1024k");
    Set<String> paths = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      String path = "/striped/" + i;
      try (FSDataOutputStream out =
          fs.createFile(new org.apache.hadoop.fs.Path(path)).blockSize(1 << 20).build()) {
        out.write(MiniRaidp.bytes(path.hashCode(), 700_001));
      }
      paths.add(path);
    }
    return paths;
  }

  /** The next active NameNode has to know of it: files may be written with two replicas at once. */
  @Test
  void aMarkIsDurableBeforeItIsAnswered() throws Exception {
    try (MiniRaidp raidp = dense()) {
      raidp.fs().mkdirs(new org.apache.hadoop.fs.Path("/later"));
      FSNamesystem namesystem = raidp.dfs().getNamesystem();
      StalledJournal journal = StalledJournal.stall(namesystem);
      try {
        CompletableFuture<MiniRaidp.Printed> marked =
            RaidpBalanceTest.admin(raidp, "-protect", "/later");
        MiniRaidp.await("memory has the mark")
            .until(
                () ->
                    namesystem.getFSDirectory().getINode("/later", DirOp.READ).getXAttrFeature()
                        != null);
        assertThatThrownBy(() -> marked.get(700, TimeUnit.MILLISECONDS))
            .isInstanceOf(TimeoutException.class);
        journal.letGo();
        assertThat(marked.get(1, TimeUnit.MINUTES).exitCode()).isZero();
      } finally {
        journal.letGo();
      }
    }
  }

  @Test
  void disksFail() throws Exception {
    try (MiniRaidp raidp = sparse()) {
      Daemons.startLstors(raidp);
      MixedFiles files = new MixedFiles(raidp, 2);
      files.protect();
      files.fill(MixedFiles.PLAIN, 25);
      files.fill(MixedFiles.PROTECTED, 25);
      files.assertAsTheyShouldBe();
      Set<Integer> pair = sharing(raidp).iterator().next();
      fail(raidp, pair);
      MiniRaidp.Printed recovered = raidp.admin("-recover", "-progress", "-json");
      assertThat(recovered.exitCode()).as(recovered.toString()).isZero();
      files.assertAsTheyShouldBe();
    }
  }

  private static Set<Set<Integer>> sharing(MiniRaidp raidp) throws Exception {
    Set<Set<Integer>> pairs = new HashSet<>();
    for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
      JsonNode sides = chunk.path("replicas");
      pairs.add(Set.of(FailedDisks.nodeIndex(sides.path(0)), FailedDisks.nodeIndex(sides.path(1))));
    }
    return pairs;
  }

  private static void fail(MiniRaidp raidp, Set<Integer> nodes) throws Exception {
    Set<String> hit = FailedDisks.superchunksOf(raidp, nodes);
    for (int node : nodes) {
      raidp.failDisk(node, 0);
    }
    MiniRaidp.await("failures noticed")
        .untilAsserted(
            () -> {
              for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
                if (hit.contains(chunk.path("id").asText())) {
                  assertThat(chunk.path("state").asText()).isNotEqualTo("ACTIVE");
                }
              }
            });
  }

  /** HDFS copies what is plain elsewhere and drops it again; what is covered waits for its node. */
  @Test
  void aNodeIsAwayForAWhile() throws Exception {
    try (MiniRaidp raidp = dense("dfs.parity.raidp.recovery.auto", "false")) {
      MixedFiles files = new MixedFiles(raidp, 3);
      files.protect();
      files.fill(MixedFiles.PLAIN, 20);
      files.fill(MixedFiles.PROTECTED, 20);
      files.assertAsTheyShouldBe();
      MiniDFSCluster.DataNodeProperties away = raidp.dfs().stopDataNode(3);
      MiniRaidp.await("plain blocks have three replicas again")
          .untilAsserted(
              () -> {
                for (String path : files.plain()) {
                  assertThat(Soundness.blocksOf(raidp, path))
                      .as(path)
                      .allMatch(block -> block.getLocations().length == 3);
                }
              });
      files.assertReadable();
      files.fill(MixedFiles.PLAIN, 3);
      files.fill(MixedFiles.PROTECTED, 3);
      assertThat(raidp.dfs().restartDataNode(away, true)).isTrue();
      files.assertAsTheyShouldBe();
    }
  }

  /** As {@link #aNodeIsAwayForAWhile}, seen by a NameNode that has answered no question. */
  @Test
  void anotherNameNodeKnowsWhatEachBlockIs() throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", "0.25");
    try (MiniRaidp raidp =
        MiniRaidp.startHighlyAvailable(
            root, DENSE, MixedFiles.configured(extra), MiniRaidp.Protected.NOTHING)) {
      MixedFiles files = new MixedFiles(raidp, 4);
      files.protect();
      files.fill(MixedFiles.PLAIN, 15);
      files.fill(MixedFiles.PROTECTED, 15);
      files.assertAsTheyShouldBe();
      raidp.dfs().transitionToStandby(0);
      raidp.dfs().transitionToActive(1);
      files.fill(MixedFiles.PLAIN, 5);
      files.fill(MixedFiles.PROTECTED, 5);
      MiniDFSCluster.DataNodeProperties away = raidp.dfs().stopDataNode(5);
      MiniRaidp.await("plain blocks have three replicas again")
          .untilAsserted(
              () -> {
                for (String path : files.plain()) {
                  assertThat(Soundness.blocksOf(raidp, path))
                      .as(path)
                      .allMatch(block -> block.getLocations().length == 3);
                }
              });
      assertThat(raidp.dfs().restartDataNode(away, true)).isTrue();
      files.assertAsTheyShouldBe();
    }
  }

  /** A client that asks for three wants another DataNode when one of two has failed. */
  @Test
  void writesGoOnWhenADataNodeFails() throws Exception {
    try (MiniRaidp raidp = dense()) {
      MixedFiles files = new MixedFiles(raidp, 5);
      files.protect();
      byte[] bytes = MiniRaidp.bytes(5, 2 * BLOCK + 12_345);
      for (String directory : List.of(MixedFiles.PLAIN, MixedFiles.PROTECTED)) {
        org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(directory + "/open");
        MiniDFSCluster.DataNodeProperties stopped;
        try (FSDataOutputStream out = raidp.fs().create(path)) {
          out.write(bytes, 0, 10_000);
          out.hflush();
          LocatedBlock block = Soundness.blocksOf(raidp, path.toString()).get(0);
          stopped = raidp.dfs().stopDataNode(block.getLocations()[0].getXferAddr());
          assertThat(stopped).isNotNull();
          out.write(bytes, 10_000, bytes.length - 10_000);
        }
        assertThat(raidp.read(path.toString())).as(directory).isEqualTo(bytes);
        assertThat(raidp.dfs().restartDataNode(stopped, true)).isTrue();
        raidp.dfs().waitActive();
        assertThat(raidp.read(path.toString())).as(directory).isEqualTo(bytes);
      }
      int replicas = 3;
      MiniRaidp.await("plain file")
          .untilAsserted(
              () ->
                  assertThat(Soundness.blocksOf(raidp, MixedFiles.PLAIN + "/open"))
                      .allMatch(block -> block.getLocations().length == replicas));
    }
  }

  /** Data with three replicas is taken into superchunks where it lies; then three disks fail. */
  @Test
  void adoptedInPlace() throws Exception {
    try (MiniRaidp raidp = sparse()) {
      Daemons.startLstors(raidp);
      MixedFiles files = new MixedFiles(raidp, 6);
      files.fill("/warehouse", 25);
      files.fill(MixedFiles.PLAIN, 10);
      files.assertAsTheyShouldBe();
      MiniRaidp.Printed adopted =
          raidp.admin("-protect", "/warehouse", "-adopt", "-progress", "-json");
      assertThat(adopted.exitCode()).as(adopted.toString()).isZero();
      files.adopted("/warehouse");
      files.assertAsTheyShouldBe();
      fail(raidp, sharing(raidp).iterator().next());
      MiniRaidp.Printed recovered = raidp.admin("-recover", "-progress", "-json");
      assertThat(recovered.exitCode()).as(recovered.toString()).isZero();
      files.assertAsTheyShouldBe();
    }
  }

  /** RAIDP comes to a cluster with data: nothing is moved, nothing lost, and new files have it. */
  @Test
  void comesToAClusterThatHasData() throws Exception {
    Configuration extra = new Configuration(false);
    extra.setInt("dfs.replication", 3);
    Map<String, byte[]> old = new TreeMap<>();
    try (MiniDFSCluster stock = MiniRaidp.startStock(root, DENSE, extra)) {
      for (int i = 0; i < 20; i++) {
        byte[] content = MiniRaidp.bytes(i, 1 + i * 30_011);
        String path = MixedFiles.PLAIN + "/old-" + i;
        try (FSDataOutputStream out =
            stock.getFileSystem().create(new org.apache.hadoop.fs.Path(path))) {
          out.write(content);
        }
        old.put(path, content);
      }
    }
    extra.set("dfs.parity.raidp.layout.spare.share", "0.25");
    try (MiniRaidp raidp = MiniRaidp.startOnStock(root, DENSE, MixedFiles.configured(extra))) {
      MixedFiles files = new MixedFiles(raidp, 8, old);
      files.protect();
      files.fill(MixedFiles.PLAIN, 5);
      files.fill(MixedFiles.PROTECTED, 10);
      files.assertAsTheyShouldBe();
    }
  }

  /** The stock Balancer moves plain replicas; those with parity stay where they are. */
  @Test
  void balancerRunsBeside() throws Exception {
    try (MiniRaidp raidp = dense(DFSConfigKeys.DFS_BALANCER_GETBLOCKS_MIN_BLOCK_SIZE_KEY, "1")) {
      MixedFiles files = new MixedFiles(raidp, 7);
      files.protect();
      files.fill(MixedFiles.PLAIN, 20);
      files.fill(MixedFiles.PROTECTED, 20);
      files.assertAsTheyShouldBe();
      Map<String, Set<String>> covered = places(raidp, MixedFiles.PROTECTED);
      Map<String, Set<String>> plain = places(raidp, MixedFiles.PLAIN);
      limitCapacities(raidp);
      balance(raidp);
      assertThat(places(raidp, MixedFiles.PROTECTED)).isEqualTo(covered);
      assertThat(places(raidp, MixedFiles.PLAIN)).isNotEqualTo(plain);
      files.assertAsTheyShouldBe();
    }
  }

  /** One node has much room, the others little. */
  private static void limitCapacities(MiniRaidp raidp) throws IOException {
    long sum = 0;
    for (DataNode node : raidp.dfs().getDataNodes()) {
      try (FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
        for (FsVolumeSpi volume : volumes) {
          long capacity = sum == 0 ? 1L << 30 : 64L << 20;
          ((FsVolumeImpl) volume).setCapacityForTesting(capacity);
          sum += capacity;
        }
      }
    }
    long expected = sum;
    MiniRaidp.await("the NameNode knows the capacities")
        .until(
            () ->
                Arrays.stream(raidp.fs().getDataNodeStats())
                        .mapToLong(DatanodeInfo::getCapacity)
                        .sum()
                    == expected);
  }

  /** As {@code hdfs balancer}; its main method would end this process. */
  private static void balance(MiniRaidp raidp) throws Exception {
    Configuration conf = new Configuration(raidp.conf());
    conf.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, raidp.fs().getUri().toString());
    conf.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
        BlockPlacementPolicyDefault.class.getName());
    System.out.println("hdfs balancer: " + HdfsBalancer.run(conf, 2));
  }

  private static Map<String, Set<String>> places(MiniRaidp raidp, String directory)
      throws IOException {
    Map<String, Set<String>> places = new TreeMap<>();
    var found = raidp.fs().listFiles(new org.apache.hadoop.fs.Path(directory), true);
    while (found.hasNext()) {
      String path = found.next().getPath().toUri().getPath();
      for (LocatedBlock block : Soundness.blocksOf(raidp, path)) {
        places.put(block.getBlock().toString(), Soundness.storages(block));
      }
    }
    return places;
  }
}
