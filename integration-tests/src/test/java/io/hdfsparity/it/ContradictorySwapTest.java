/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.level.CrashPoints;
import io.hdfsparity.bridge.level.ParityDoubts.Doubt;
import io.hdfsparity.bridge.swap.SwapPoints;
import io.hdfsparity.caso.admin.CasoAdmin;
import io.hdfsparity.it.ForeignCoders.Kind;
import io.hdfsparity.it.RepairCluster.Group;
import io.hdfsparity.izs.config.VerifyKey;
import io.hdfsparity.izs.level.VerifyStatus;
import io.hdfsparity.izs.namenode.LevelManager;
import io.hdfsparity.izs.verify.ProgressFormat;
import io.hdfsparity.izs.verify.VerifyProgress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file in which verification suspects a data unit is not replaced by a copy of its data: the copy
 * would have parity that fits wrong bytes, and the parity that tells the right ones would be
 * deleted.
 */
@Tag("full")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ContradictorySwapTest {
  private static final int LENGTH =
      3 * VerifyingCluster.DATA_UNITS * VerifyingCluster.CELL_BYTES - 999;

  private static final int NODES = 7;
  private static final String ATTRIBUTE = "trusted.parity.izs.verified";
  private static final org.apache.hadoop.fs.Path ROOT = new org.apache.hadoop.fs.Path("/");
  private static final AtomicReference<Callable<?>> AFTER_JUDGEMENT = new AtomicReference<>();
  private static final AtomicReference<LateManager> RUNNING = new AtomicReference<>();

  private static VerifyingCluster verifying;
  private static RepairCluster cluster;
  private static Configuration client;

  /** A level manager that does what the test says when a swap is judged. */
  public static final class LateManager extends LevelManager {
    public LateManager() {
      super(CrashPoints.NONE, (SwapPoints) LateManager::reached);
      RUNNING.set(this);
    }

    private static void reached(SwapPoints.Point point) {
      Callable<?> meanwhile =
          point == SwapPoints.Point.JUDGED ? AFTER_JUDGEMENT.getAndSet(null) : null;
      if (meanwhile != null) {
        try {
          meanwhile.call();
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  @BeforeAll
  static void start(@TempDir Path root) throws IOException {
    Configuration keys = new Configuration(/* loadDefaults= */ false);
    MiniApply.configure(keys, root, "IZS", LateManager.class);
    // What is rebuilt from data fits it: nothing would be suspected any more.
    MiniLevels.rebuildNothingBeforeAllHaveReported(keys, NODES);
    // A client finds out that a connection is none any more when it calls: none outlives a restart.
    keys.setInt("ipc.client.connection.maxidletime", 500);
    Map<String, String> more = new HashMap<>();
    keys.forEach(each -> more.put(each.getKey(), each.getValue()));
    more.put(SuiteKey.FEATURES.key(), "izs,caso," + LateManager.class.getName());
    verifying = VerifyingCluster.start(root.resolve("dfs"), NODES, more);
    cluster = verifying.repair();
    client = new Configuration(cluster.cluster().getConfiguration(0));
  }

  @AfterAll
  static void stop() throws IOException {
    verifying.close();
  }

  private record Ran(int exit, String printed) {}

  private static Ran rewrite(org.apache.hadoop.fs.Path file) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    int exit =
        new CasoAdmin(client, print, print).run(new String[] {"-rewrite", file.toUri().getPath()});
    return new Ran(exit, out.toString(StandardCharsets.UTF_8));
  }

  @Test
  @Order(1)
  void noCopyTakesThePlaceOfAFileWhoseDataIsSuspected() throws Exception {
    VerifyStatus before = verifying.status();
    org.apache.hadoop.fs.Path directory = verifying.directory("izs", 2);
    Group sound = cluster.write(directory, "sound", LENGTH);
    VerifyStatus verified = verifying.awaitVerified(before, 1);
    org.apache.hadoop.fs.Path suspected = new org.apache.hadoop.fs.Path(directory, "suspected");
    verifying.writeForeign(Kind.OTHER_DATA, suspected, sound.content());
    await("data is suspected")
        .untilAsserted(
            () ->
                assertThat(verifying.status().results().suspectedData())
                    .isEqualTo(verified.results().suspectedData() + 1));
    Group group = cluster.new Group(suspected, sound.content());

    assertThat(rewrite(sound.file()).exit()).as("a file that is sound").isZero();
    Ran refused = rewrite(suspected);
    assertThat(refused.printed())
        .contains("Cannot replace a file by a copy of it: parityFits=false", "hdfs izs -verify");
    assertThat(refused.exit()).isEqualTo(-1);

    MiniApply apply = MiniApply.on(cluster.cluster(), client);
    String path = directory.toUri().getPath();
    apply.want(path, "copies");
    MiniApply.Run run = apply.apply(path);
    assertThat(run.changed("REWRITE")).as("%s %s", run.doc(), run.err()).isEqualTo(1);
    assertThat(run.refusals("contradiction")).as("%s %s", run.doc(), run.err()).isEqualTo(1);
    assertThat(apply.form(path + "/sound")).isEqualTo("replication 2");
    assertThat(apply.form(path + "/suspected")).startsWith("ec IZS-4-2-");
    group.assertAsWritten();
  }

  /**
   * Between the read lock, under which two files are judged, and the write lock. The doubt is
   * hidden from a NameNode that is started again, and found once more when all is verified again.
   */
  @Test
  @Order(2)
  void aDoubtThatArisesAfterTheJudgementIsSeen() throws Exception {
    org.apache.hadoop.fs.Path directory =
        new org.apache.hadoop.fs.Path(verifying.directory("izs", 2), "late");
    cluster.fs().mkdirs(directory);
    Group sound = cluster.write(directory, "sound", LENGTH);
    org.apache.hadoop.fs.Path suspected = new org.apache.hadoop.fs.Path(directory, "suspected");
    verifying.writeForeign(Kind.OTHER_DATA, suspected, sound.content());
    final Group group = cluster.new Group(suspected, sound.content());
    awaitSuspected(group);
    cluster.fs().delete(sound.file(), false);
    restartKnowing(/* areDoubtsDropped= */ false);
    assertThat(RUNNING.get().doubt("izs", group.block(0).getBlockId())).isEqualTo(Doubt.NONE);
    MiniApply apply = MiniApply.on(cluster.cluster(), client);
    String path = directory.toUri().getPath();
    apply.want(path, "copies");
    AFTER_JUDGEMENT.set(
        () -> {
          cluster.fs().removeXAttr(ROOT, ATTRIBUTE);
          // So that there is something to save, and the NameNode sees that the attribute is gone.
          cluster.write(verifying.directory("izs", 2), "another", LENGTH);
          awaitSuspected(group);
          return null;
        });
    MiniApply.Run run = apply.apply(path);
    assertThat(AFTER_JUDGEMENT.get()).as("has run").isNull();
    assertThat(run.refusals("contradiction")).as("%s %s", run.doc(), run.err()).isEqualTo(1);
    assertThat(apply.form(path + "/suspected")).startsWith("ec IZS-4-2-");
    group.assertAsWritten();
  }

  /**
   * Starts the NameNode again, with no contradictory group listed.
   *
   * @param areDoubtsDropped there were some that are not listed
   */
  private static void restartKnowing(boolean areDoubtsDropped) throws IOException {
    byte[][] saved = new byte[1][];
    await("nothing more is saved")
        .ignoreExceptionsInstanceOf(IOException.class)
        .pollDelay(Duration.ofMillis(500))
        .until(
            () -> {
              byte[] last = saved[0];
              saved[0] = cluster.fs().getXAttr(ROOT, ATTRIBUTE);
              return Arrays.equals(last, saved[0]);
            });
    String pool = cluster.cluster().getNamesystem().getBlockPoolId();
    VerifyProgress known = ProgressFormat.decode(saved[0], pool, ATTRIBUTE);
    VerifyProgress next =
        new VerifyProgress(known.nextId(), areDoubtsDropped, List.of(), List.of());
    cluster.fs().setXAttr(ROOT, ATTRIBUTE, ProgressFormat.encode(next, pool, 4096));
    cluster.cluster().restartNameNode(0);
    cluster.cluster().waitActive();
    await("verification runs")
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> verifying.status().isRunning());
  }

  private static void awaitSuspected(Group group) throws IOException {
    long id = group.block(0).getBlockId();
    await("data is suspected")
        .untilAsserted(() -> assertThat(RUNNING.get().doubt("izs", id)).isEqualTo(Doubt.FOUND));
  }

  /** Who cannot use a group otherwise is refused for as long as HDFS's own rebuilds are. */
  @Test
  @Order(3)
  void groupsThatAreNotListedAreRebuiltAfterAWhile() throws Exception {
    Group sound = cluster.write(verifying.directory("izs", 2), "not-listed", LENGTH);
    long id = sound.block(0).getBlockId();
    Configuration conf = cluster.cluster().getConfiguration(0);
    conf.set(VerifyKey.REBUILD_WAIT.key(), "10m");
    restartKnowing(/* areDoubtsDropped= */ true);
    LateManager manager = RUNNING.get();
    assertThat(manager.doubt("izs", id)).isEqualTo(Doubt.UNLISTED);
    assertThat(manager.doubtOfRebuild("izs", id)).isEqualTo(Doubt.UNLISTED);
    assertThat(manager.doubtOfRebuild("rs", id)).isEqualTo(Doubt.NONE);
    conf.set(VerifyKey.REBUILD_WAIT.key(), "100ms");
    restartKnowing(/* areDoubtsDropped= */ true);
    LateManager next = RUNNING.get();
    await("rebuilds believe parity")
        .untilAsserted(() -> assertThat(next.doubtOfRebuild("izs", id)).isEqualTo(Doubt.NONE));
    assertThat(next.doubt("izs", id)).isEqualTo(Doubt.UNLISTED);
    cluster.fs().removeXAttr(ROOT, ATTRIBUTE);
    await("all is verified again")
        .untilAsserted(() -> assertThat(next.doubt("izs", id)).isEqualTo(Doubt.NONE));
  }

  /** One mistyped key on the NameNode that takes over. Last: that key stays. */
  @Test
  @Order(4)
  void nothingIsKnownWhereTheLevelManagerHasFailed() throws Exception {
    org.apache.hadoop.fs.Path file =
        new org.apache.hadoop.fs.Path(verifying.directory("izs", 2), "after-restart");
    byte[] content = cluster.write(file.getParent(), "for-after-restart", LENGTH).content();
    verifying.writeForeign(Kind.OTHER_DATA, file, content);
    final Group group = cluster.new Group(file, content);
    awaitSuspected(group);
    cluster.cluster().getConfiguration(0).set("dfs.parity.izs.level.mistyped", "1");
    cluster.cluster().restartNameNode(0);
    cluster.cluster().waitActive();
    await("all units are reported").until(() -> group.nodes().size() == 6);
    assertThat(Metrics.value("ParityFeatures", "IzsFailedClosed")).isEqualTo(1);
    assertThat(Metrics.value("ParityFeatures", "CasoInService")).isEqualTo(1);
    Ran refused = rewrite(file);
    assertThat(refused.printed())
        .contains("Cannot replace a file by a copy of it: contradictoryGroups=not loaded");
    assertThat(refused.exit()).isEqualTo(-1);
    group.assertAsWritten();
  }
}
