/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.izs.namenode.LevelManager;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.GuardedEcPlacementPolicy;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster with DataNodes of RAIDP and stock ones: replicas with parity lie on the former,
 * erasure-coded blocks on all, and {@code hdfs izs -apply} moves files between both forms.
 */
@Tag("full")
@Timeout(1200)
class RaidpBesideCodeTest {
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(10, 2, 1, 2, 8L << 20, 1 << 16, MiniLevels.BLOCK_BYTES);

  private static final int STOCK_NODES = 2 * MiniLevels.K;

  private static final org.apache.hadoop.fs.Path OLD = new org.apache.hadoop.fs.Path("/old");
  private static final int OLD_BYTES = 3 * MiniLevels.BLOCK_BYTES + 17;

  /** Files of two plain replicas; nothing protects the work folder of -apply itself. */
  private static final Set<String> PLAIN = Set.of(OLD.toString(), MiniApply.WORK + "/lock");

  private static final int[] LENGTHS = {2 * MiniLevels.GROUP_BYTES + 54_321, 777, 0};

  @Test
  void filesMoveBetweenCodeAndPairs(@TempDir Path root) throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", "0");
    extra.set(
        DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY,
        GuardedEcPlacementPolicy.class.getName());
    MiniApply.configure(extra, root, "IZS", LevelManager.class);
    // So that what is written to a file goes to its nodes at once, and not by the block.
    extra.setInt(HdfsClientConfigKeys.DFS_CLIENT_WRITE_PACKET_SIZE_KEY, 4096);
    // From then on what has not reported is none of RAIDP's.
    extra.set("dfs.parity.raidp.node.dead.timeout", "30s");
    extra.set(SuiteKey.FEATURES.key(), "raidp,izs");
    try (MiniRaidp raidp = MiniRaidp.startBeforeRaidp(root, SHAPE, extra, STOCK_NODES);
        MiniApply apply = MiniApply.on(raidp.dfs(), raidp.conf())) {
      DistributedFileSystem fs = raidp.fs();
      writeOnStock(raidp);
      raidp.switchOn();
      MiniLevels.addPolicies(fs, "izs");
      MiniLevels.makeDirectory(fs, "/archive", MiniLevels.policy("izs", 1));
      writeWhileAnotherIsOpen(raidp);
      raidp.write("/pairs", MiniLevels.bytes(100_000, 9));
      assertPlaced(raidp, "/pairs", Form.PAIR);
      // Copies are made elsewhere, and are protected as the files whose places they take.
      assertThat(raidp.admin("-unprotect", "/").exitCode()).isZero();
      assertMarkedIsRefused(raidp, apply, "/archive/1");
      raidp.protect("/archive");
      decorate(fs, new org.apache.hadoop.fs.Path("/archive/0"));
      List<String> attributes = attributes(fs);
      assertForms(raidp, apply, "ec IZS-4-1-16k", Form.CODE);

      assertChanged(apply, "strong", "SET_LEVEL");
      for (int i = 0; i < LENGTHS.length; i++) {
        MiniLevels.awaitUnits(fs, "/archive/" + i, 2);
      }
      assertForms(raidp, apply, "ec IZS-4-2-16k", Form.CODE);

      assertChanged(apply, "pair", "REWRITE");
      assertForms(raidp, apply, "replication 2", Form.PAIR);
      assertThat(attributes(fs)).isEqualTo(attributes);
      Soundness.assertSound(raidp, PLAIN);
      MiniApply.Run again = apply.apply("/archive");
      assertThat(again.code()).as("%s", again.doc()).isZero();
      assertThat(again.doc().at("/summary/left/KEEP").asInt()).isEqualTo(LENGTHS.length);

      assertChanged(apply, "code", "REWRITE");
      assertForms(raidp, apply, "ec IZS-4-1-16k", Form.CODE);
      assertThat(attributes(fs)).isEqualTo(attributes);
      assertThat(apply.leftovers()).isEmpty();
      Soundness.assertSound(raidp, PLAIN);
      assertThat(raidp.read(OLD.toString())).isEqualTo(MiniLevels.bytes(OLD_BYTES, 5));
    }
  }

  /** A file that is protected itself, and not its directory. */
  private static void assertMarkedIsRefused(MiniRaidp raidp, MiniApply apply, String path)
      throws Exception {
    raidp.protect(path);
    apply.want(path, "copies");
    MiniApply.Run run = apply.apply(path);
    assertThat(run.refusals("own-mark")).as("%s %s", run.doc(), run.err()).isEqualTo(1);
    assertThat(run.doc().toString()).contains("hdfs raidp -unprotect");
    assertThat(apply.form(path)).isEqualTo("ec IZS-4-1-16k");
    assertThat(raidp.admin("-unprotect", path).exitCode()).isZero();
    assertThat(apply.apply(path, "-dryRun").refusals("own-mark")).isZero();
    raidp.fs().removeXAttr(new org.apache.hadoop.fs.Path(path), "user.parity.importance");
  }

  private static void writeWhileAnotherIsOpen(MiniRaidp raidp) throws Exception {
    // A group, and a little more than a stripe of the next, so that all units of that are open.
    byte[] most =
        MiniLevels.bytes(
            MiniLevels.GROUP_BYTES + MiniLevels.BLOCK_BYTES + MiniLevels.CELL_BYTES / 2, 99);
    MiniLevels.makeDirectory(raidp.fs(), "/open", MiniLevels.policy("izs", 1));
    try (FSDataOutputStream open = raidp.fs().create(new org.apache.hadoop.fs.Path("/open/f"))) {
      open.write(most);
      MiniRaidp.await("load of the open file").until(() -> busyNodes(raidp) > MiniLevels.K);
      for (int i = 0; i < LENGTHS.length; i++) {
        MiniLevels.write(raidp.fs(), "/archive/" + i, MiniLevels.bytes(LENGTHS[i], i));
      }
    }
    assertThat(MiniLevels.read(raidp.fs(), "/open/f", most.length)).isEqualTo(most);
  }

  private static long busyNodes(MiniRaidp raidp) throws Exception {
    return Arrays.stream(raidp.fs().getDataNodeStats(DatanodeReportType.LIVE))
        .filter(node -> node.getXceiverCount() > 0)
        .count();
  }

  /** A file from before there were pairs: it stays plain. */
  private static void writeOnStock(MiniRaidp raidp) throws Exception {
    InetSocketAddress[] where =
        stock(raidp).subList(0, 2).stream()
            .map(DataNode::getXferAddress)
            .toArray(InetSocketAddress[]::new);
    try (OutputStream out =
        raidp
            .fs()
            .create(
                OLD,
                FsPermission.getFileDefault(),
                true,
                4096,
                (short) 2,
                MiniLevels.BLOCK_BYTES,
                null,
                where)) {
      out.write(MiniLevels.bytes(OLD_BYTES, 5));
    }
    // The end of a file waits for one replica's report only.
    MiniRaidp.await("reports of both replicas").until(() -> outside(raidp) == 2);
  }

  private static List<DataNode> stock(MiniRaidp raidp) {
    List<DataNode> nodes = raidp.dfs().getDataNodes();
    return nodes.subList(SHAPE.nodes(), nodes.size());
  }

  /** Fewest replicas of a block of the old file. */
  private static int outside(MiniRaidp raidp) throws Exception {
    return raidp
        .fs()
        .getClient()
        .getLocatedBlocks(OLD.toString(), 0, Long.MAX_VALUE)
        .getLocatedBlocks()
        .stream()
        .mapToInt(block -> block.getLocations().length)
        .min()
        .orElseThrow();
  }

  private enum Form {
    PAIR,
    CODE
  }

  private static void assertChanged(MiniApply apply, String form, String verdict) throws Exception {
    apply.want("/archive", form);
    MiniApply.Run run = apply.apply("/archive");
    assertThat(run.code()).as("%s %s", run.doc(), run.err()).isZero();
    assertThat(run.changed(verdict)).as("%s", run.doc()).isEqualTo(LENGTHS.length);
  }

  private static void assertForms(MiniRaidp raidp, MiniApply apply, String name, Form form)
      throws Exception {
    for (int i = 0; i < LENGTHS.length; i++) {
      String path = "/archive/" + i;
      assertThat(apply.form(path)).isEqualTo(name);
      assertPlaced(raidp, path, form);
      apply.assertBytes(path, MiniLevels.bytes(LENGTHS[i], i));
    }
    // Reading has moved it, as anybody's reading does.
    raidp.fs().setTimes(new org.apache.hadoop.fs.Path("/archive/0"), -1, 1_600_000_000_000L);
  }

  private static void assertPlaced(MiniRaidp raidp, String path, Form form) throws Exception {
    for (LocatedBlock block :
        raidp.fs().getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks()) {
      assertThat(block.isStriped()).as(path).isEqualTo(form == Form.CODE);
    }
  }

  private static void decorate(DistributedFileSystem fs, org.apache.hadoop.fs.Path path)
      throws Exception {
    fs.setOwner(path, "mary", "accounts");
    fs.setPermission(path, new FsPermission((short) 0640));
    fs.modifyAclEntries(path, AclEntry.parseAclSpec("user:paul:rw-", true));
    fs.setXAttr(path, "user.project", "x".getBytes(StandardCharsets.UTF_8));
    fs.setTimes(path, 1_500_000_000_000L, 1_600_000_000_000L);
  }

  private static List<String> attributes(DistributedFileSystem fs) throws Exception {
    List<String> all = new ArrayList<>();
    for (FileStatus each : fs.listStatus(new org.apache.hadoop.fs.Path("/archive"))) {
      all.add(
          String.join(
              " ",
              each.getPath().getName(),
              each.getOwner(),
              each.getGroup(),
              each.getPermission().toString(),
              "" + each.getModificationTime(),
              fs.getAclStatus(each.getPath()).toString(),
              fs.getXAttrs(each.getPath()).keySet().toString()));
    }
    return all;
  }
}
