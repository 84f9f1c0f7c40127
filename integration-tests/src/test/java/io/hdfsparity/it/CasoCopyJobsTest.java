/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.ParityNameNodePlugin;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.caso.admin.CasoAdmin;
import io.hdfsparity.caso.config.CasoKey;
import io.hdfsparity.caso.fs.FileRewrite;
import io.hdfsparity.caso.fs.OrderedFiles;
import io.hdfsparity.caso.fs.PartPlan;
import io.hdfsparity.caso.fs.PartRunner;
import io.hdfsparity.caso.fs.PartTasks;
import io.hdfsparity.caso.fs.RewritePoints;
import io.hdfsparity.caso.fs.RewritePoints.Point;
import io.hdfsparity.caso.layout.LayoutPointer;
import io.hdfsparity.caso.layout.StoredOrder;
import io.hdfsparity.caso.mapreduce.CopyJobs;
import io.hdfsparity.caso.placement.ParityForecast;
import io.hdfsparity.caso.wire.LayoutNameNodes;
import io.hdfsparity.core.check.FreePorts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies in parts: by Hadoop's job runner for one process, on one cluster. */
@Tag("full")
class CasoCopyJobsTest {
  private static final int K = 3;
  private static final int M = 2;
  private static final int CELL_BYTES = 4096;
  private static final String POLICY = "RS-3-2-4k";
  private static final int BLOCK_BYTES = 12 * CELL_BYTES;
  private static final int GROUP_BYTES = K * BLOCK_BYTES;

  /** 160 whole cells and a part of one, in 5 groups and 3 parts. */
  private static final int LENGTH = 160 * CELL_BYTES + 1234;

  private static final int PARTS = 3;

  @TempDir static java.nio.file.Path root;

  private static MiniDFSCluster cluster;
  private static Configuration conf;
  private static DistributedFileSystem stock;
  private static FileSystem caso;
  private static String trace;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** Ends a run as a crash does: nothing catches it. */
  private static final class Crash extends Error {
    private static final long serialVersionUID = 1;
  }

  @BeforeAll
  static void start() throws IOException {
    conf = new HdfsConfiguration();
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK_BYTES);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 1024);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, ParityNameNodePlugin.class.getName());
    conf.set(SuiteKey.FEATURES.key(), "caso");
    conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + FreePorts.next());
    conf.set(CasoKey.LAYOUT_MAPREDUCE_MIN.key(), "1");
    conf.set(CasoKey.LAYOUT_MAPREDUCE_PART.key(), String.valueOf(2 * GROUP_BYTES + 1));
    // A slow machine has not reported all units for long.
    conf.set(CasoKey.LAYOUT_SETTLE_TIMEOUT.key(), "5m");
    cluster =
        new MiniDFSCluster.Builder(conf, root.resolve("dfs").toFile()).numDataNodes(K + M).build();
    cluster.waitActive();
    stock = cluster.getFileSystem();
    AddErasureCodingPolicyResponse[] added =
        stock.addErasureCodingPolicies(
            new ErasureCodingPolicy[] {
              new ErasureCodingPolicy(new ECSchema("rs", K, M), CELL_BYTES)
            });
    assertThat(added[0].isSucceed()).as(added[0].getErrorMsg()).isTrue();
    stock.enableErasureCodingPolicy(POLICY);
    conf.set("mapreduce.framework.name", "local");
    conf.set("hadoop.tmp.dir", root.resolve("tmp").toString());
    conf.setInt("mapreduce.client.completion.pollinterval", 50);
    conf.setInt("mapreduce.local.map.tasks.maximum", 2);
    Configuration client = new Configuration(conf);
    client.set("fs.hdfs.impl", ParityFileSystem.class.getName());
    caso = FileSystem.newInstance(URI.create(stock.getUri().toString()), client);
    trace = Files.writeString(root.resolve("t.csv"), patterns()).toString();
  }

  @AfterAll
  static void stop() throws IOException {
    caso.close();
    cluster.shutdown();
  }

  /** Five triples of cells far apart, written in turn, a window each. */
  private static String patterns() {
    StringBuilder text = new StringBuilder();
    for (int window = 0; window < 60; window++) {
      long pattern = window % 5;
      for (long cell : new long[] {pattern, 60 + 7 * pattern, 120 + 9 * pattern}) {
        text.append(window * 10_000L + 3).append(",h,0,Write,").append(CELL_BYTES * cell);
        text.append(",4096,0\n");
      }
    }
    return text.toString();
  }

  private static byte[] make(String path, long seed) throws IOException {
    byte[] bytes = MiniLevels.bytes(LENGTH, seed);
    Path file = new Path(path);
    stock.mkdirs(file.getParent());
    stock.setErasureCodingPolicy(file.getParent(), POLICY);
    MiniLevels.write(stock, path, bytes);
    return bytes;
  }

  private int run(String... args) {
    out.reset();
    err.reset();
    return new CasoAdmin(
            conf,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8))
        .run(args);
  }

  private static List<String> leftovers() throws IOException {
    return names("/.caso/work");
  }

  private static List<String> indexes() throws IOException {
    return names("/.caso/index");
  }

  private static List<String> names(String directory) throws IOException {
    List<String> names = new ArrayList<>();
    for (FileStatus each : stock.listStatus(new Path(directory))) {
      names.add(each.getPath().getName());
    }
    return names;
  }

  private static long inode(String path) throws IOException {
    return stock.getClient().getFileInfo(path).getFileId();
  }

  private static boolean isOrdered(String path) throws IOException {
    return stock.getXAttrs(new Path(path)).containsKey(LayoutPointer.XATTR);
  }

  private static List<LocatedBlock> blocks(String path) throws IOException {
    return StoredBytes.blocks(stock, path);
  }

  @Test
  void theCopyIsTheOneThatOneWriterMakes() throws Exception {
    byte[] bytes = make("/one/f", 1);
    make("/jobs/f", 1);
    Path file = new Path("/jobs/f");
    stock.setPermission(file, new FsPermission((short) 0640));
    stock.setOwner(file, "somebody", "some");
    stock.setXAttr(file, "user.mine", new byte[] {1, 2});
    stock.setTimes(file, 1_000_000_000_000L, 1_000_000_001_000L);
    FileStatus before = stock.getFileStatus(file);
    // Room for the file alone: the copy is made elsewhere, and takes its place.
    stock.setQuota(
        new Path("/jobs"), 2, stock.getContentSummary(new Path("/jobs")).getSpaceConsumed());
    assertThat(run("-organize", "/one/f", "-trace", trace)).as("%s", err).isZero();
    assertThat(run("-organize", "/jobs/f", "-trace", trace, "-mapreduce")).as("%s", err).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("Stored:");
    byte[] stored = StoredBytes.read(stock, "/one/f");
    assertThat(stored).isNotEqualTo(bytes);
    assertThat(StoredBytes.read(stock, "/jobs/f")).isEqualTo(stored);
    assertThat(WholeFile.read(caso, "/jobs/f")).isEqualTo(bytes);
    assertThat(blocks("/jobs/f").stream().map(LocatedBlock::getBlockSize))
        .isEqualTo(blocks("/one/f").stream().map(LocatedBlock::getBlockSize).toList())
        .hasSize(5);
    FileStatus after = stock.getFileStatus(file);
    assertThat(after.getLen()).isEqualTo(before.getLen());
    assertThat(after.getBlockSize()).isEqualTo(before.getBlockSize());
    assertThat(after.getPermission()).isEqualTo(before.getPermission());
    assertThat(after.getOwner() + after.getGroup()).isEqualTo("somebodysome");
    assertThat(after.getModificationTime()).isEqualTo(before.getModificationTime());
    assertThat(stock.getErasureCodingPolicy(file).getName()).isEqualTo(POLICY);
    assertThat(stock.getXAttrs(file)).containsOnlyKeys("user.mine", LayoutPointer.XATTR);
    assertThat(leftovers()).isEmpty();
    assertThat(indexes()).contains("" + inode("/jobs/f"));
    assertThat(run("-repair", "/jobs/f")).as("%s", err).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("Index:    sound", "Copy:     sound");
    assertUsage("/jobs");
    assertThat(run("-restore", "/jobs/f", "-mapreduce")).as("%s", err).isZero();
    assertThat(WholeFile.read(stock, "/jobs/f")).isEqualTo(bytes);
    assertThat(leftovers()).isEmpty();
    assertThat(stock.getXAttrs(file)).containsOnlyKeys("user.mine");
    assertUsage("/jobs");
  }

  /** What the NameNode counts as it goes is what it finds when it looks at all files. */
  private static void assertUsage(String directory) throws IOException {
    QuotaUsage counted = stock.getQuotaUsage(new Path(directory));
    ContentSummary found = stock.getContentSummary(new Path(directory));
    assertThat(counted.getSpaceConsumed()).isEqualTo(found.getSpaceConsumed()).isPositive();
    assertThat(counted.getFileAndDirectoryCount())
        .isEqualTo(found.getFileCount() + found.getDirectoryCount());
  }

  /** What is asked of tasks, done in another way by a test. */
  private abstract static class Runner implements PartRunner {
    final PartRunner jobs = new CopyJobs(conf);
    final List<Integer> asked = new ArrayList<>();

    @Override
    public void write(PartPlan plan, List<PartTask> tasks, LongConsumer wentBy) throws IOException {
      tasks.forEach(task -> asked.add(task.part()));
      writeParts(plan, tasks, wentBy);
    }

    abstract void writeParts(PartPlan plan, List<PartTask> tasks, LongConsumer wentBy)
        throws IOException;

    @Override
    public void compare(PartPlan plan, FileIdentity copy, LongConsumer wentBy) throws IOException {
      jobs.compare(plan, copy, wentBy);
    }
  }

  private static final class ByJobs extends Runner {
    @Override
    void writeParts(PartPlan plan, List<PartTask> tasks, LongConsumer wentBy) throws IOException {
      jobs.write(plan, tasks, wentBy);
    }
  }

  private static FileRewrite rewrite(PartRunner runner, RewritePoints points) throws IOException {
    return new FileRewrite(
        stock,
        "/.caso",
        new LayoutNameNodes(conf, stock.getUri()),
        300_000,
        points,
        count -> {},
        Optional.of(new FileRewrite.InParts(runner, 1, 2 * GROUP_BYTES)));
  }

  private static void organize(String path, PartRunner runner) throws IOException {
    organize(path, runner, RewritePoints.NONE);
  }

  /** The first half of the whole cells behind the other one. */
  private static void organize(String path, PartRunner runner, RewritePoints points)
      throws IOException {
    StoredOrder order = new StoredOrder(new long[] {80, 0, 160}, new long[] {80, 80, 1}, 161);
    long fileId = stock.getClient().getFileInfo(path).getFileId();
    ParityForecast forecast = new ParityForecast(new long[] {1, 2, 3, 4, 5});
    rewrite(runner, points)
        .organize(path, new FileRewrite.NewOrder(fileId, order, "by hand", forecast));
  }

  private static void assertOrganized(String path, byte[] bytes) throws IOException {
    assertThat(isOrdered(path)).isTrue();
    assertThat(WholeFile.read(caso, path)).isEqualTo(bytes);
    byte[] stored = StoredBytes.read(stock, path);
    int half = 80 * CELL_BYTES;
    assertThat(Arrays.copyOf(stored, half)).isEqualTo(Arrays.copyOfRange(bytes, half, 2 * half));
    assertThat(OrderedFiles.index(stock, stock.getClient().getFileInfo(path), path)).isPresent();
    assertThat(indexes()).contains("" + inode(path));
    assertThat(leftovers()).isEmpty();
  }

  /** Attempts that fail, that are late, and two that end: the part is one of them. */
  @Test
  void anyAttemptsOfAPartMakeOnePart() throws Exception {
    byte[] bytes = make("/t/f", 2);
    Runner runner =
        new Runner() {
          @Override
          void writeParts(PartPlan plan, List<PartTask> tasks, LongConsumer wentBy)
              throws IOException {
            PartTasks work = new PartTasks(stock, plan, count -> {});
            PartTask task = tasks.get(1);
            long from = plan.parts().from(1);
            long to = plan.parts().to(1);
            try (PartTasks.Writer failed = work.writer(task, "a")) {
              failed.write(from + CELL_BYTES);
              assertThatThrownBy(failed::commit).isInstanceOf(IllegalStateException.class);
            }
            try (PartTasks.Writer first = work.writer(task, "b");
                PartTasks.Writer second = new PartTasks(stock, plan, n -> {}).writer(task, "c")) {
              first.write(to);
              second.write(from + 5 * CELL_BYTES);
              first.commit();
              second.write(to);
              second.commit();
            }
            // As a task of a job that runs again.
            jobs.write(plan, tasks, wentBy);
          }
        };
    organize("/t/f", runner);
    assertThat(runner.asked).hasSize(PARTS);
    assertOrganized("/t/f", bytes);
  }

  @Test
  void aRunThatIsKilledIsGoneOnWith() throws Exception {
    byte[] bytes = make("/k/f", 3);
    List<Long> kept = new ArrayList<>();
    Runner killed =
        new Runner() {
          @Override
          void writeParts(PartPlan plan, List<PartTask> tasks, LongConsumer wentBy)
              throws IOException {
            jobs.write(plan, List.of(tasks.get(0), tasks.get(2)), wentBy);
            // An attempt that goes on while its client is gone, and a part that is not whole.
            new PartTasks(stock, plan, count -> {}).writer(tasks.get(1), "late");
            try (OutputStream cut = stock.create(new Path(plan.folder(), "part-1"))) {
              cut.write(1);
            }
            for (int part : new int[] {0, 2}) {
              blocks(plan.folder() + "/part-" + part)
                  .forEach(block -> kept.add(block.getBlock().getBlockId()));
            }
            throw new Crash();
          }
        };
    assertThatThrownBy(() -> organize("/k/f", killed)).isInstanceOf(Crash.class);
    assertThat(isOrdered("/k/f")).isFalse();
    assertThat(WholeFile.read(caso, "/k/f")).isEqualTo(bytes);
    Runner next = new ByJobs();
    // Another crash, with all blocks in the copy.
    RewritePoints crash =
        at -> {
          if (at == Point.COPIED) {
            throw new Crash();
          }
        };
    assertThatThrownBy(() -> organize("/k/f", next, crash)).isInstanceOf(Crash.class);
    assertThat(next.asked).containsExactly(1);
    assertThat(isOrdered("/k/f")).isFalse();
    assertThat(WholeFile.read(caso, "/k/f")).isEqualTo(bytes);
    Runner last = new ByJobs();
    organize("/k/f", last);
    assertThat(last.asked).isEmpty();
    assertOrganized("/k/f", bytes);
    assertThat(kept).hasSize(3);
    assertThat(blocks("/k/f").stream().map(block -> block.getBlock().getBlockId()))
        .containsAll(kept);
  }

  @Test
  void whatARunLeavesIsDeletedByAnyOther() throws Exception {
    byte[] bytes = make("/x/f", 4);
    RewritePoints crash =
        at -> {
          if (at == Point.WRITING) {
            throw new Crash();
          }
        };
    assertThatThrownBy(() -> organize("/x/f", new ByJobs(), crash)).isInstanceOf(Crash.class);
    assertThat(leftovers()).hasSize(1);
    assertThat(run("-restore", "/x/f")).as("%s", err).isZero();
    assertThat(leftovers()).isEmpty();
    assertThatThrownBy(() -> organize("/x/f", new ByJobs(), crash)).isInstanceOf(Crash.class);
    // Another order, by jobs.
    assertThat(run("-organize", "/x/f", "-trace", trace, "-mapreduce")).as("%s", err).isZero();
    assertThat(leftovers()).isEmpty();
    assertThat(WholeFile.read(caso, "/x/f")).isEqualTo(bytes);
  }

  @Test
  void anInterruptLeavesWhatIsDoneForTheNextRun() throws Exception {
    byte[] bytes = make("/i/f", 5);
    RewritePoints interrupt =
        at -> {
          if (at == Point.COPIED) {
            Thread.currentThread().interrupt();
          }
        };
    assertThatThrownBy(() -> organize("/i/f", new ByJobs(), interrupt))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("run it again");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(isOrdered("/i/f")).isFalse();
    Runner last = new ByJobs();
    organize("/i/f", last);
    assertThat(last.asked).isEmpty();
    assertOrganized("/i/f", bytes);
  }

  @Test
  void aFileThatChangesMeanwhileIsNotReplaced() throws Exception {
    byte[] bytes = make("/l/f", 6);
    Runner append =
        new Runner() {
          @Override
          void writeParts(PartPlan plan, List<PartTask> tasks, LongConsumer wentBy)
              throws IOException {
            try (OutputStream more = stock.appendFile(new Path("/l/f")).newBlock().build()) {
              more.write(7);
            }
            jobs.write(plan, tasks, wentBy);
          }
        };
    assertThatThrownBy(() -> organize("/l/f", append))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot change the order of a file")
        .hasMessageContaining("/l/f");
    byte[] longer = Arrays.copyOf(bytes, LENGTH + 1);
    longer[LENGTH] = 7;
    assertThat(WholeFile.read(stock, "/l/f")).isEqualTo(longer);
    assertThat(leftovers()).isEmpty();
  }

  @Test
  void aPartWithAnotherByteIsFound() throws Exception {
    byte[] bytes = make("/d/f", 7);
    Runner tampers =
        new Runner() {
          @Override
          void writeParts(PartPlan plan, List<PartTask> tasks, LongConsumer wentBy)
              throws IOException {
            jobs.write(plan, tasks, wentBy);
            Path part = new Path(plan.folder(), "part-1");
            byte[] other = WholeFile.read(stock, part.toString());
            other[other.length - 5] ^= 1;
            try (OutputStream to =
                stock.createFile(part).overwrite(true).ecPolicyName(POLICY).build()) {
              to.write(other);
            }
          }
        };
    assertThatThrownBy(() -> organize("/d/f", tampers))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another byte");
    assertThat(isOrdered("/d/f")).isFalse();
    assertThat(WholeFile.read(stock, "/d/f")).isEqualTo(bytes);
    assertThat(leftovers()).isEmpty();
  }
}
