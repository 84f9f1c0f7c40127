/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.hdfsparity.izs.apply.MovePoints;
import io.hdfsparity.izs.apply.MovePoints.Point;
import io.hdfsparity.izs.config.ApplyKey;
import io.hdfsparity.izs.namenode.LevelManager;
import io.hdfsparity.izs.transfer.WorkFolder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClientAdapter;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.apache.hadoop.security.UserGroupInformation;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files move between copies and code, are refused, and are begun anew after an interruption. */
@Tag("full")
class IzsApplyTest {
  private static final int BYTES = MiniApply.BYTES;

  /** A hundred times what a file takes. */
  private static final Duration MAX_RUN = Duration.ofMinutes(2);

  /** As HDFS has it. */
  private static final long HARD_LEASE_MS = 20 * 60_000;

  @TempDir static java.nio.file.Path root;
  private static MiniApply apply;
  private static DistributedFileSystem fs;

  /** The process is killed. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  @BeforeAll
  static void start() throws IOException {
    apply = MiniApply.start(root, LevelManager.class);
    fs = apply.fs();
  }

  @AfterAll
  static void stop() {
    apply.close();
  }

  /** All that a user sees of a file but its form and number. */
  private static Map<String, String> attributes(Path path) throws IOException {
    HdfsFileStatus status = (HdfsFileStatus) fs.getFileStatus(path);
    Map<String, String> all = new LinkedHashMap<>();
    all.put("length", "" + status.getLen());
    all.put("owner", status.getOwner() + ":" + status.getGroup());
    all.put("mode", status.getPermission() + " " + status.getPermission().toShort());
    all.put("times", status.getModificationTime() + " " + status.getAccessTime());
    all.put("storage policy", "" + status.getStoragePolicy());
    all.put("block size", "" + status.getBlockSize());
    all.put("acl", fs.getAclStatus(path).toString());
    Map<String, String> xattrs = new TreeMap<>();
    fs.getXAttrs(path).forEach((k, v) -> xattrs.put(k, new String(v, StandardCharsets.UTF_8)));
    all.put("xattrs", xattrs.toString());
    return all;
  }

  private static void decorate(Path path) throws IOException {
    fs.setOwner(path, "mary", "accounts");
    fs.setPermission(path, new FsPermission((short) 01640));
    fs.modifyAclEntries(path, AclEntry.parseAclSpec("user:paul:rw-,group:audit:r--", true));
    fs.setXAttr(path, "user.project", "x".getBytes(StandardCharsets.UTF_8));
    fs.setXAttr(path, "trusted.label", "secret".getBytes(StandardCharsets.UTF_8));
    fs.setStoragePolicy(path, HdfsConstants.HOT_STORAGE_POLICY_NAME);
    fs.setTimes(path, 1_500_000_000_000L, 1_600_000_000_000L);
  }

  @Test
  void everythingButTheFormStays() throws Exception {
    Path plain = new Path("/all/plain");
    Path rich = new Path("/all/rich");
    Path empty = new Path("/all/empty");
    byte[] bytes = apply.write("/all/plain", 3, 1);
    byte[] others = apply.write("/all/rich", 3, 2);
    fs.create(empty).close();
    // A created file would inherit this.
    fs.setAcl(
        new Path("/all"),
        AclEntry.parseAclSpec(
            "user::rwx,group::r-x,other::r-x,default:user:eve:rwx,default:user::rwx,"
                + "default:group::r-x,default:other::---",
            true));
    fs.setTimes(plain, 1_400_000_000_000L, 1_450_000_000_000L);
    decorate(rich);
    apply.want("/all", "code");
    List<Path> paths = List.of(plain, rich, empty);
    List<Map<String, String>> before = new ArrayList<>();
    for (Path path : paths) {
      before.add(attributes(path));
    }
    long directoryMs = fs.getFileStatus(new Path("/all")).getModificationTime();

    MiniApply.Run dry = apply.apply("/all", "-dryRun");
    assertThat(dry.code()).as(dry.err()).isZero();
    assertThat(dry.result("/all/rich")).startsWith("would change");
    assertThat(apply.form("/all/rich")).isEqualTo("replication 3");
    for (String[] step :
        new String[][] {
          {"code", "ec RS-4-1-16k", "REWRITE"},
          {"strong", "ec RS-4-2-16k", "SET_LEVEL"},
          {"copies", "replication 2", "REWRITE"}
        }) {
      apply.want("/all", step[0]);
      final long forced = Metrics.forcedBlocks(apply.levels().cluster());
      MiniApply.Run run = apply.apply("/all", "-R");
      assertThat(run.code()).as("%s %s", run.doc(), run.err()).isZero();
      if (step[2].equals("REWRITE")) {
        assertThat(Metrics.forcedBlocks(apply.levels().cluster()) - forced)
            .as("replicas of copies that were forced before the others were given up")
            .isGreaterThan(3);
      }
      assertThat(run.changed(step[2])).isEqualTo(3);
      for (int i = 0; i < paths.size(); i++) {
        assertThat(attributes(paths.get(i))).as("%s", paths.get(i)).isEqualTo(before.get(i));
        assertThat(apply.form(paths.get(i).toUri().getPath())).isEqualTo(step[1]);
      }
      apply.assertBytes("/all/plain", bytes);
      apply.assertBytes("/all/rich", others);
      // Reading has moved the access times, as anybody's reading does.
      fs.setTimes(plain, -1, 1_450_000_000_000L);
      fs.setTimes(rich, -1, 1_600_000_000_000L);
    }
    assertThat(fs.getFileStatus(new Path("/all")).getModificationTime()).isEqualTo(directoryMs);
    assertThat(apply.leftovers()).isEmpty();
    assertThat(apply.apply("/all").doc().at("/summary/left/KEEP").asInt()).isEqualTo(3);
  }

  @Test
  void refusalsHaveReasonAndRemedyAndChangeNothing() throws Exception {
    byte[] open = apply.write("/refused/open", 2, 3);
    apply.write("/refused/snap/held", 2, 4);
    apply.write("/refused/pair", 3, 5);
    apply.write("/refused/two", 2, 16);
    apply.write("/refused/absent", 2, 6);
    byte[] quota = apply.write("/refused/quota/full", 2, 7);
    apply.want("/refused", "code");
    apply.want("/refused/pair", "pair");
    // As many copies as RAIDP keeps are not RAIDP.
    apply.want("/refused/two", "pair");
    assertThat(apply.apply("/refused/two", "-dryRun").refusals("no-raidp")).isEqualTo(1);
    apply.want("/refused/absent", "absent");
    fs.allowSnapshot(new Path("/refused/snap"));
    fs.createSnapshot(new Path("/refused/snap"), "s");
    assertThat(apply.apply("/refused/quota").code()).isZero();
    apply.want("/refused/quota", "copies");
    fs.setQuota(new Path("/refused/quota"), HdfsConstants.QUOTA_DONT_SET, BYTES * 3L / 2);
    try (FSDataOutputStream writer = fs.append(new Path("/refused/open"))) {
      writer.write(1);
      ((HdfsDataOutputStream) writer).hsync();
      MiniApply.Run run = apply.apply("/refused", "-R");
      assertThat(run.code()).isEqualTo(-1);
      assertThat(run.refusals("open")).as("%s", run.doc()).isEqualTo(1);
      assertThat(run.refusals("snapshot")).as("%s", run.doc()).isEqualTo(1);
      assertThat(run.refusals("no-raidp")).as("%s", run.doc()).isEqualTo(2);
      assertThat(run.refusals("failed")).as("%s", run.doc()).isEqualTo(1);
      assertThat(run.refusals("quota")).as("%s", run.doc()).isEqualTo(1);
      assertThat(run.result("/refused/absent")).contains("XOR-2-1-1024k");
    }
    apply.assertBytes("/refused/open", Arrays.copyOf(MiniApply.append(open, 1), BYTES + 1));
    apply.assertBytes("/refused/quota/full", quota);
    assertThat(apply.form("/refused/quota/full")).isEqualTo("ec RS-4-1-16k");
    assertThat(apply.leftovers()).isEmpty();
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    apply.run(apply.conf(), MovePoints.NONE, text, "-apply", "/refused/snap", "-dryRun");
    assertThat(text.toString(StandardCharsets.UTF_8))
        .contains("refused /refused/snap/held: replication 2 -> ec RS-4-1-16k")
        .contains("remedy: delete the snapshots");
    // A snapshot that is taken while the file is copied is noticed, too.
    fs.deleteSnapshot(new Path("/refused/snap"), "s");
    MiniApply.Run late =
        apply.apply(
            apply.conf(),
            MiniApply.at(Point.DRESSED, () -> fs.createSnapshot(new Path("/refused/snap"), "late")),
            "/refused/snap");
    assertThat(late.refusals("snapshot")).as("%s", late.doc()).isEqualTo(1);
    fs.deleteSnapshot(new Path("/refused/snap"), "late");
    assertThat(apply.apply("/refused/snap").code()).isZero();
  }

  @Test
  void aKilledRunIsTakenUpByTheNext() throws Exception {
    byte[] bytes = apply.write("/killed/f", 2, 8);
    apply.want("/killed", "code");
    decorate(new Path("/killed/f"));
    Map<String, String> before = attributes(new Path("/killed/f"));
    boolean code = true;
    for (Point point : Point.values()) {
      apply.want("/killed", code ? "code" : "copies");
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try {
        apply.run(apply.conf(), killAt(point), out, "-apply", "/killed", "-acceptStaleReaders");
        throw new AssertionError("not killed at " + point);
      } catch (Killed expected) {
        apply.assertBytes("/killed/f", bytes);
      }
      boolean left = EnumSet.range(Point.WRITING, Point.DRESSED).contains(point);
      assertThat(apply.leftovers()).as("%s", point).hasSize(left ? 1 : 0);
      MiniApply.Run next = apply.apply("/killed");
      assertThat(next.code()).as("%s %s", next.doc(), next.err()).isZero();
      assertThat(next.changed("REWRITE")).isEqualTo(point == Point.SWAPPED ? 0 : 1);
      assertThat(next.err().contains("an earlier run left behind")).isEqualTo(left);
      assertThat(apply.leftovers()).isEmpty();
      assertThat(apply.form("/killed/f")).isEqualTo(code ? "ec RS-4-1-16k" : "replication 2");
      apply.assertBytes("/killed/f", bytes);
      fs.setTimes(new Path("/killed/f"), -1, 1_600_000_000_000L);
      assertThat(attributes(new Path("/killed/f"))).as("%s", point).isEqualTo(before);
      code = !code;
    }
  }

  private static MovePoints killAt(Point wanted) {
    return point -> {
      if (point == wanted) {
        throw new Killed();
      }
    };
  }

  @Test
  void oneRunAtATime() throws Exception {
    apply.write("/alone/f", 2, 9);
    apply.want("/alone", "code");
    try (WorkFolder other = WorkFolder.open(fs, MiniApply.WORK)) {
      // Another process has another client, hence another lease.
      Configuration conf = new Configuration(apply.conf());
      conf.setBoolean("fs.hdfs.impl.disable.cache", true);
      MiniApply.Run run = apply.apply(conf, MovePoints.NONE, "/alone");
      assertThat(run.code()).isEqualTo(-1);
      assertThat(run.err())
          .contains("Cannot begin: lock=")
          .contains("since 2")
          .contains("hdfs dfs -rm -skipTrash " + MiniApply.WORK + "/lock");
      assertThat(apply.form("/alone/f")).isEqualTo("replication 2");
      assertThat(other).isNotNull();
    }
    assertThat(apply.apply("/alone").code()).isZero();
  }

  /** The maps of the first one's job join the folder meanwhile. */
  @Test
  void whoeverRunsItTheFolderBelongsToTheOwnerOfTheRoot() throws Exception {
    UserGroupInformation second =
        UserGroupInformation.createUserForTesting("second", new String[] {"supergroup"});
    apply.write("/second/f", 2, 42);
    apply.want("/second", "code");
    try (WorkFolder first = WorkFolder.open(fs, MiniApply.WORK)) {
      MiniApply.Run run =
          second.doAs((PrivilegedExceptionAction<MiniApply.Run>) () -> apply.apply("/second"));
      assertThat(run.err()).contains("Cannot begin: lock=");
      assertThat(fs.getFileStatus(new Path(MiniApply.WORK)).getOwner())
          .isEqualTo(UserGroupInformation.getCurrentUser().getShortUserName());
      assertThat(first).isNotNull();
      WorkFolder.join(fs, MiniApply.WORK).close();
    }
    MiniApply.Run run =
        second.doAs((PrivilegedExceptionAction<MiniApply.Run>) () -> apply.apply("/second"));
    assertThat(run.code()).as("%s %s", run.doc(), run.err()).isZero();
    assertThat(apply.form("/second/f")).isEqualTo("ec RS-4-1-16k");
    // Not the second one's, who may be no superuser tomorrow; its maps join the folder all the
    // same.
    assertThat(fs.getFileStatus(new Path(MiniApply.WORK)).getOwner())
        .isEqualTo(fs.getFileStatus(new Path("/")).getOwner());
    second.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (DistributedFileSystem theirs =
                  (DistributedFileSystem) FileSystem.newInstance(apply.conf())) {
                WorkFolder.join(theirs, MiniApply.WORK).close();
              }
              return null;
            });
  }

  /** As kill -9 leaves it: the lock and a copy open, and nobody who renews the lease. */
  @Test
  void aRunThatWasKilledLosesItsLock() throws Exception {
    byte[] bytes = apply.write("/dead/f", 2, 18);
    apply.want("/dead", "code");
    DistributedFileSystem dead = (DistributedFileSystem) FileSystem.newInstance(apply.conf());
    WorkFolder lost = WorkFolder.open(dead, MiniApply.WORK);
    FSDataOutputStream copy = dead.create(new Path(MiniApply.WORK, "copy-1-0123456789abcdef"));
    copy.write(1);
    copy.hflush();
    assertThat(apply.apply("/dead").err()).contains("expected no other run");
    DFSClientAdapter.stopLeaseRenewer(dead);
    MiniDFSCluster cluster = apply.levels().cluster();
    cluster.setLeasePeriod(1_000, HARD_LEASE_MS);
    try {
      Awaitility.await("the next run has the lock").until(() -> apply.apply("/dead").code() == 0);
    } finally {
      cluster.setLeasePeriod(HdfsConstants.LEASE_SOFTLIMIT_PERIOD, HARD_LEASE_MS);
    }
    assertThat(apply.leftovers()).isEmpty();
    assertThat(apply.form("/dead/f")).isEqualTo("ec RS-4-1-16k");
    apply.assertBytes("/dead/f", bytes);
    // The dead one comes to life again and can do no harm.
    assertThatThrownBy(copy::close).isInstanceOf(IOException.class);
    assertThatThrownBy(lost::close).isInstanceOf(IOException.class);
    dead.close();
  }

  /** It is nobody's lock that keeps the run from beginning. */
  @Test
  void aNameNodeInSafeModeIsCalledSo() throws Exception {
    apply.write("/safe/f", 2, 19);
    apply.want("/safe", "code");
    WorkFolder.open(fs, MiniApply.WORK).close();
    fs.setSafeMode(SafeModeAction.ENTER);
    try {
      MiniApply.Run run = apply.apply("/safe");
      assertThat(run.code()).isEqualTo(-1);
      assertThat(run.err()).contains("Cannot begin: safeMode=on").doesNotContain("lock=");
    } finally {
      fs.setSafeMode(SafeModeAction.LEAVE);
    }
    assertThat(apply.apply("/safe").code()).isZero();
  }

  private LocatedBlock lastBlock(Path file) throws IOException {
    return fs.getClient().getLocatedBlocks(file.toString(), 0).getLastLocatedBlock();
  }

  /** Else every later run would be told to wait. */
  @Test
  void aLockThatHasLostItsBlockIsMadeAnew() throws Exception {
    byte[] bytes = apply.write("/lost/f", 2, 17);
    apply.want("/lost", "code");
    WorkFolder.open(fs, MiniApply.WORK).close();
    Path lock = new Path(MiniApply.WORK, "lock");
    // A replica that is reported later would be a good one.
    int replicas = fs.getFileStatus(lock).getReplication();
    Awaitility.await("all replicas of the lock")
        .until(() -> lastBlock(lock).getLocations().length == replicas);
    LocatedBlock block = lastBlock(lock);
    FSNamesystem namesystem = apply.levels().cluster().getNamesystem();
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      for (DatanodeInfoWithStorage place : block.getLocations()) {
        namesystem
            .getBlockManager()
            .findAndMarkBlockAsCorrupt(block.getBlock(), place, place.getStorageID(), "test");
      }
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, "test");
    }
    assertThatThrownBy(() -> fs.append(lock).close()).isInstanceOf(IOException.class);
    MiniApply.Run run = apply.apply("/lost");
    assertThat(run.code()).as("%s %s", run.doc(), run.err()).isZero();
    assertThat(apply.form("/lost/f")).isEqualTo("ec RS-4-1-16k");
    apply.assertBytes("/lost/f", bytes);
  }

  @Test
  void aFolderThatIsNotOursIsLeftAlone() throws Exception {
    byte[] bytes = apply.write("/data/copy-1-0123456789abcdef", 2, 10);
    Configuration conf = new Configuration(apply.conf());
    conf.set(ApplyKey.WORK_FOLDER.key(), "/data");
    MiniApply.Run run = apply.apply(conf, MovePoints.NONE, "/data");
    assertThat(run.code()).isEqualTo(-1);
    assertThat(run.err())
        .contains("Cannot use the folder that dfs.parity.izs.apply.work.folder names");
    apply.assertBytes("/data/copy-1-0123456789abcdef", bytes);
    // Who owns a directory above may put another folder in the place of this one.
    fs.mkdirs(new Path("/alice/tmp"));
    fs.setOwner(new Path("/alice"), "alice", "users");
    conf.set(ApplyKey.WORK_FOLDER.key(), "/alice/tmp/work");
    run = apply.apply(conf, MovePoints.NONE, "/data");
    assertThat(run.code()).isEqualTo(-1);
    assertThat(run.err()).contains("directory above=/alice alice rwxr-xr-x");
    assertThat(fs.exists(new Path("/alice/tmp/work"))).isFalse();
  }

  @Test
  void aJobMovesALargeTree() throws Exception {
    int files = 7;
    List<byte[]> contents = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      contents.add(apply.write("/job/d" + i % 2 + "/f " + i + "\n", 2, 20 + i));
    }
    apply.want("/job", "code");
    Configuration conf = new Configuration(apply.conf());
    conf.set("mapreduce.framework.name", "local");
    conf.set("hadoop.tmp.dir", root.resolve("tmp").toString());
    conf.set("mapreduce.cluster.local.dir", root.resolve("mapred").toString());
    FSDataOutputStream writer = fs.append(new Path("/job/d0/f 0\n"));
    MiniApply.Run run =
        apply.apply(conf, MovePoints.NONE, "/job", "-R", "-mapreduce", "-maps", "3");
    writer.close();
    assertThat(run.changed("REWRITE")).as("%s %s", run.doc(), run.err()).isEqualTo(files - 1);
    assertThat(run.refusals("open")).isEqualTo(1);
    assertThat(run.code()).isEqualTo(-1);
    assertThat(run.doc().at("/summary/copiedBytes").asLong()).isEqualTo((files - 1L) * BYTES);
    for (int i = 0; i < files; i++) {
      String path = "/job/d" + i % 2 + "/f " + i + "\n";
      assertThat(apply.form(path)).isEqualTo(i == 0 ? "replication 2" : "ec RS-4-1-16k");
      apply.assertBytes(path, contents.get(i));
    }
    assertThat(apply.leftovers()).isEmpty();
    // Enough files for a job, by the configuration; then too few.
    apply.want("/job", "copies");
    conf.set(ApplyKey.MAPREDUCE_FILES.key(), "3");
    MiniApply.Run back = apply.apply(conf, MovePoints.NONE, "/job", "-R");
    assertThat(back.changed("REWRITE")).as("%s %s", back.doc(), back.err()).isEqualTo(files - 1);
    apply.want("/job/d0", "code");
    apply.want("/job/d1", "copies");
    conf.set(ApplyKey.MAPREDUCE_FILES.key(), "100");
    assertThat(apply.apply(conf, MovePoints.NONE, "/job", "-R").changed("REWRITE")).isEqualTo(4);
    for (int i = 0; i < files; i++) {
      apply.assertBytes("/job/d" + i % 2 + "/f " + i + "\n", contents.get(i));
    }
  }

  /** Hadoop's writer of coded files waits for ever where a block group ends within a cell. */
  @Test
  void aBlockSizeThatIsNoMultipleOfACellIsRoundedUp() throws Exception {
    int blockBytes = MiniLevels.CELL_BYTES + 512;
    byte[] bytes = MiniLevels.bytes(2 * MiniLevels.K * blockBytes + 100, 43);
    Path file = new Path("/odd/f");
    try (FSDataOutputStream out =
        fs.createFile(file).recursive().replication((short) 2).blockSize(blockBytes).build()) {
      out.write(bytes);
    }
    apply.want("/odd", "code");
    MiniApply.Run run = assertTimeoutPreemptively(MAX_RUN, () -> apply.apply("/odd"));
    assertThat(run.code()).as("%s %s", run.doc(), run.err()).isZero();
    assertThat(apply.form("/odd/f")).isEqualTo("ec RS-4-1-16k");
    apply.assertBytes("/odd/f", bytes);
    assertThat(fs.getFileStatus(file).getBlockSize()).isEqualTo(2 * MiniLevels.CELL_BYTES);
    assertThat(apply.leftovers()).isEmpty();
  }

  /** An index has as many replicas as the losses that its file survives. */
  @Test
  void indexesOfStoredOrdersStayAsTheyAre() throws Exception {
    apply.write("/orders/f", 2, 40);
    apply.write("/orders/.caso/index/16400", 3, 41);
    fs.setXAttr(new Path("/orders/.caso"), "trusted.parity.caso", new byte[] {'1'});
    apply.want("/orders", "code");
    MiniApply.Run run = apply.apply("/orders", "-R");
    assertThat(run.code()).as("%s %s", run.doc(), run.err()).isZero();
    assertThat(apply.form("/orders/f")).isEqualTo("ec RS-4-1-16k");
    assertThat(apply.form("/orders/.caso/index/16400")).isEqualTo("replication 3");
  }
}
