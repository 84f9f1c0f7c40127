/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.bridge.level.CrashPoints.Point;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.izs.config.LevelKey;
import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.LocalClusterBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The active NameNode is killed with -9 while {@code hdfs izs -setLevel -R} changes a tree of
 * codecs rs and izs, at random instants and at points of a change; alone, and with a second
 * NameNode that takes over by a quorum journal. Afterwards every file has one of the two levels
 * with exactly its units, the command run again finishes the rest, and every byte is there with as
 * many DataNodes dead as the level promises.
 *
 * <p>{@code -Dlevel.crash.rounds=N} with N > 1 kills N times at random, at every point of a change
 * in both tests, and checks all of this in both; with 1, what takes long in one of them only.
 * {@code -Dlevel.crash.files=N} sets the files of each codec, {@code -Dseed=N} repeats a run.
 */
@Tag("full")
class LevelProcessCrashTest {
  private static final int NODES = MiniLevels.K + 3;
  private static final int ROUNDS = Integer.getInteger("level.crash.rounds", 1);
  private static final int FILES = Integer.getInteger("level.crash.files", 12);
  private static final String HOLDER = "__hdfsparity_level__";

  @TempDir Path dir;
  private final Random random = new Random(seed());
  private final ExecutorService command = Executors.newSingleThreadExecutor();
  private LocalCluster cluster;
  private LevelTree tree;
  private Future<LevelTree.Answer> running;
  private int level = 1;

  private static long seed() {
    long seed = Long.getLong("seed", SeededRuns.isFresh() ? System.nanoTime() : 0);
    System.out.println("level crash test: -Dseed=" + seed + " -Dlevel.crash.rounds=" + ROUNDS);
    return seed;
  }

  private LocalClusterBuilder described() {
    return LocalCluster.builder(dir.resolve("c"))
        .mode(ClusterMode.IZS)
        .nodes(NODES)
        .racks(1)
        .disksPerNode(1)
        .blockBytes(1 << 20)
        .cacheDir(Path.of(System.getProperty("hdfsparity.cache")))
        .conf("dfs.parity.features", "izs," + HeldLevelManager.class.getName())
        .conf("dfs.namenode.audit.loggers", "default")
        .conf("dfs.parity.cluster.jvm.options.namenode", "-Dlevel.hold=" + holdFile())
        .conf("hadoop.prometheus.endpoint.enabled", "true")
        // Slow enough to be killed in the middle.
        .conf(LevelKey.BATCH_FILES.key(), "2")
        .conf(LevelKey.GROUPS_PER_SECOND.key(), String.valueOf(Math.max(10, FILES)))
        .conf("dfs.client.failover.sleep.max.millis", "1000")
        // A standby knows nothing of a change before it takes over.
        .conf("dfs.ha.log-roll.period", "1h");
  }

  private Path holdFile() {
    return dir.resolve("hold");
  }

  @Test
  void oneNameNode() throws Exception {
    try {
      start(described());
      for (int round = 0; round < ROUNDS; round++) {
        int wanted = otherLevel();
        killInTheMiddle("nn", wanted);
        cluster.restart("nn");
        settle(wanted);
      }
      assertMetrics();
      LevelTree large = tree;
      int levelOfLarge = level;
      // Few files, since each point costs a start of the NameNode anyway.
      grow("/points", 1);
      for (Point point : MiniLevels.POINTS) {
        int wanted = otherLevel();
        killAt(point, "nn", wanted);
        cluster.restart("nn");
        settle(wanted);
        assertInterruptedChangesCompleted(point);
      }
      if (ROUNDS > 1) {
        tree.assertBytesWithout(level, random);
      }
      tree.saveImage();
      cluster.restart("nn");
      tree.awaitWhole(Set.of(level));
      tree.assertBytes("from the image");
      large.awaitWhole(Set.of(levelOfLarge));
      large.assertBytes("from the image");
    } finally {
      end();
    }
  }

  @Test
  void theOtherNameNodeTakesOver() throws Exception {
    try {
      start(described().highlyAvailable());
      for (int round = 0; round < ROUNDS; round++) {
        int wanted = otherLevel();
        killInTheMiddle(active(), wanted);
        takeOver();
        settle(wanted);
      }
      // Right after the last answer, before the standby has read anything of it.
      int wanted = otherLevel();
      tree.finish(wanted);
      cluster.kill(active());
      takeOver();
      assertThat(tree.count(wanted)).isEqualTo(tree.size());
      settle(wanted);
      for (Point point : ROUNDS > 1 ? List.copyOf(MiniLevels.POINTS) : List.of(Point.OPENED)) {
        int next = otherLevel();
        killAt(point, active(), next);
        takeOver();
        settle(next);
        assertInterruptedChangesCompleted(point);
      }
      tree.assertBytesWithout(level, random);
      if (ROUNDS > 1) {
        failOverInTheMiddle();
        tree.saveImage();
        cluster.restart(List.of("nn0", "nn1"));
        cluster.failOver("nn0");
        tree.awaitWhole(Set.of(level));
        tree.assertBytes("from the image");
      }
    } finally {
      end();
    }
  }

  private void start(LocalClusterBuilder described) throws Exception {
    cluster = described.build();
    cluster.start();
    LevelTree.addPolicies(cluster);
    grow("/t", FILES);
  }

  /** Writes the tree whose levels are changed from now on. */
  private void grow(String root, int perCodec) throws IOException {
    tree = new LevelTree(cluster, root, perCodec, random);
    level = 1;
    tree.awaitWhole(Set.of(level));
  }

  private void end() throws Exception {
    command.shutdownNow();
    // The command has left it in the cache, where another cluster would find it.
    FileSystem.get(cluster.conf()).close();
    cluster.purge();
    assertThat(command.awaitTermination(120, TimeUnit.SECONDS)).isTrue();
  }

  private int otherLevel() {
    return 1 + (level + random.nextInt(2)) % 3;
  }

  private String active() throws IOException {
    return cluster.activeNameNode().orElseThrow();
  }

  /** Begins a change and kills the NameNode when some files are changed and others are not. */
  private void killInTheMiddle(String nameNode, int wanted) throws IOException {
    running = command.submit(() -> tree.setLevel(wanted));
    int enough = 1 + random.nextInt(tree.size() / 2);
    LevelTree.await("some files are changed")
        .pollInterval(5, TimeUnit.MILLISECONDS)
        .until(() -> tree.count(wanted) >= enough || running.isDone());
    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(50_000)));
    boolean isCut = !running.isDone();
    cluster.kill(nameNode);
    System.out.println("level crash test: killed after " + enough + " files, cut=" + isCut);
  }

  /** Begins a change and kills the NameNode at a point of the change of the first file. */
  private void killAt(Point point, String nameNode, int wanted) throws IOException {
    long holders = holders(nameNode);
    Files.writeString(holdFile(), point.name());
    Path reached = HeldLevelManager.reachedFile(holdFile());
    AtomicBoolean held = new AtomicBoolean();
    // What the change before has left to be done may have the first attempts refused.
    running =
        command.submit(
            () -> {
              LevelTree.Answer answer = tree.setLevel(wanted);
              while (!held.get() && !Thread.currentThread().isInterrupted()) {
                // Lowering after a failover is refused until all nodes have reported in full.
                tree.reportBlocks();
                answer = tree.setLevel(wanted);
              }
              return answer;
            });
    LevelTree.await("at " + point).until(() -> Files.exists(reached));
    if (point == Point.OPENED) {
      LevelTree.await("OP_ADD is in the edits").until(() -> holders(nameNode) > holders);
    }
    held.set(true);
    Files.delete(holdFile());
    Files.delete(reached);
    cluster.kill(nameNode);
    System.out.println("level crash test: killed at " + point);
  }

  /** How often the reserved lease holder stands in the edits of a NameNode and its journals. */
  private long holders(String nameNode) throws IOException {
    ClusterPaths paths = new ClusterPaths(cluster.dir());
    long count = holders(paths.metadataDir(Daemon.byName(cluster.spec(), nameNode)));
    for (Daemon journal : Daemon.journalNodes(cluster.spec())) {
      count = Math.min(count, holders(paths.metadataDir(journal)));
    }
    return count;
  }

  private static long holders(Path metadata) throws IOException {
    long count = 0;
    try (Stream<Path> files = Files.walk(metadata)) {
      for (Path file : files.filter(LevelProcessCrashTest::isEdits).toList()) {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        for (int at = text.indexOf(HOLDER); at >= 0; at = text.indexOf(HOLDER, at + 1)) {
          count++;
        }
      }
    }
    return count;
  }

  private static boolean isEdits(Path file) {
    return file.getFileName().toString().startsWith("edits_");
  }

  /** The standby becomes active, and the NameNode that was killed comes back as a standby. */
  private void takeOver() throws Exception {
    String standby = cluster.status().process("nn0").orElseThrow().pid() == 0 ? "nn1" : "nn0";
    cluster.failOver(standby);
    cluster.restart(standby.equals("nn0") ? "nn1" : "nn0");
  }

  private void failOverInTheMiddle() throws Exception {
    int wanted = otherLevel();
    running = command.submit(() -> tree.setLevel(wanted));
    LevelTree.await("some files are changed").until(() -> tree.count(wanted) > 0);
    cluster.failOver(active().equals("nn0") ? "nn1" : "nn0");
    settle(wanted);
  }

  /**
   * Every file is at the level before or at the wanted one; when the command is run again, all are
   * at the wanted one.
   */
  private void settle(int wanted) throws Exception {
    // With two NameNodes it may have waited for the other to take over, and gone on.
    running.get(240, TimeUnit.SECONDS);
    tree.awaitWhole(Set.of(level, wanted));
    tree.finish(wanted);
    tree.awaitWhole(Set.of(wanted));
    tree.assertBytes("at level " + wanted);
    level = wanted;
  }

  private void assertMetrics() throws IOException {
    JsonNode bean = levelMetrics();
    assertThat(bean.path("InService").asInt()).isEqualTo(1);
    assertThat(bean.path("Guarded").asInt()).isEqualTo(1);
    assertThat(bean.path("QueuedDeletes").isNumber()).isTrue();
    LevelTree.await("a period of the metrics")
        .untilAsserted(
            () ->
                assertThat(get(webAddress() + "/prom"))
                    .contains("izs_levels_files_changed{", "izs_levels_queued_deletes{"));
  }

  private void assertInterruptedChangesCompleted(Point killedAt) throws IOException {
    assertThat(levelMetrics().path("InterruptedChangesCompleted").asInt())
        .as("%s", killedAt)
        .isEqualTo(killedAt == Point.OPENED ? 1 : 0);
  }

  private String webAddress() throws IOException {
    return "http://" + cluster.status().webAddress();
  }

  /** Of the active NameNode, since its start. */
  private JsonNode levelMetrics() throws IOException {
    return new ObjectMapper()
        .readTree(get(webAddress() + "/jmx?qry=Hadoop:service=NameNode,name=IzsLevels"))
        .at("/beans/0");
  }

  private static String get(String address) throws IOException {
    try (var in = URI.create(address).toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
