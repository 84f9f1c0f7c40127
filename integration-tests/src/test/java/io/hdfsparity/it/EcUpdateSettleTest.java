/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.admin.EcUpdateAdmin;
import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.updater.DegradedReader;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What programs that were killed have left behind is settled, and HDFS heals their file again. */
@Tag("full")
@Timeout(1200)
class EcUpdateSettleTest {
  private static final String FILE = "/settled";
  private static final int FILE_BYTES = 8 * MiniUpdates.CELL_BYTES + 12_345;
  private static final int RECORD_BYTES = 5000;
  private static final int RECORDS = FILE_BYTES / RECORD_BYTES;
  private static final int ACKS = 40;
  private static final int PAUSE_MS = 50;

  @TempDir static java.nio.file.Path root;
  private static MiniUpdates cluster;
  private static java.nio.file.Path site;

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> more = UpdateKeys.sessionsWithoutTokens("2s");
    more.putAll(UpdateKeys.lease("6s"));
    more.put(StorageKey.SNAPSHOT_AGE.key(), "1s");
    more.put("dfs.client.retry.window.base", "50");
    more.put("dfs.namenode.reconstruction.pending.timeout-sec", "5");
    // One that is started again must not be taken for dead.
    more.put("dfs.namenode.heartbeat.recheck-interval", "60000");
    cluster = new MiniUpdates(root, 6, more);
    site = root.resolve("client-site.xml");
    cluster.writeSite(site);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  /** The program that is killed: writes records, and says which have been acknowledged. */
  public static final class Program {
    private Program() {}

    public static void main(String[] args) throws IOException {
      Configuration conf = new Configuration(false);
      conf.addResource(new Path(args[0]));
      FileSystem fs = FileSystem.get(URI.create(conf.get("fs.defaultFS")), conf);
      StripedFileUpdater updater = KilledProgram.open(fs, new Path(FILE));
      for (int version = Integer.parseInt(args[1]); ; version++) {
        int record = version % RECORDS;
        updater =
            KilledProgram.write(
                updater, fs, new Path(FILE), (long) record * RECORD_BYTES, record(version));
        System.out.println("ack " + version + " .");
      }
    }
  }

  private static byte[] record(int version) {
    byte[] bytes = new byte[RECORD_BYTES];
    new Random(version).nextBytes(bytes);
    return bytes;
  }

  /** Has a program killed in the middle of writes; returns the last version acknowledged. */
  private static int killWriter(byte[] twin, int firstVersion) throws Exception {
    int last = firstVersion - 1;
    try (KilledProgram program =
        new KilledProgram(Program.class, site.toString(), Integer.toString(firstVersion))) {
      for (String[] words = program.next(); words != null; words = program.next()) {
        last = Integer.parseInt(words[1]);
        System.arraycopy(record(last), 0, twin, last % RECORDS * RECORD_BYTES, RECORD_BYTES);
        if (last == firstVersion + ACKS) {
          program.kill();
        }
      }
      assertThat(last)
          .as("acknowledged; the program said: %s", program.errors())
          .isGreaterThanOrEqualTo(firstVersion + ACKS);
    }
    return last;
  }

  private static StripedFileUpdater open() {
    return cluster.openAtLast(FILE);
  }

  /** As hdfs ecupdate -recover does, until all sessions that were killed are known to be over. */
  private static void settle() {
    int[] settled = new int[1];
    await("dead sessions are over, and settled")
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              try (StripedFileUpdater updater = open()) {
                StripedFileUpdater.Settled done = updater.settle(PAUSE_MS, bytes -> {});
                settled[0] += done.settled().size();
                return done.left().isEmpty();
              }
            });
    assertThat(settled[0]).isPositive();
  }

  private static String status() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new EcUpdateAdmin(
            cluster.fs().getConf(),
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8))
        .run(new String[] {"-status", FILE});
    return out.toString(StandardCharsets.UTF_8);
  }

  /** What the record that was under way is: old or new, byte by byte. */
  private static void takeOver(byte[] twin, int begun) throws IOException {
    byte[] ours = new byte[FILE_BYTES];
    try (StripedFileUpdater updater = open()) {
      assertThat(updater.read(0, ByteBuffer.wrap(ours))).isEqualTo(FILE_BYTES);
    }
    assertAcknowledged(ours, twin, begun);
    System.arraycopy(ours, 0, twin, 0, FILE_BYTES);
  }

  private static void assertAcknowledged(byte[] read, byte[] twin, int begun) {
    byte[] may = twin.clone();
    System.arraycopy(record(begun), 0, may, begun % RECORDS * RECORD_BYTES, RECORD_BYTES);
    for (int at = 0; at < FILE_BYTES; at++) {
      assertThat(read[at] == twin[at] || read[at] == may[at]).as("byte %d", at).isTrue();
    }
  }

  /** As hdfs ecupdate -read -degraded does. */
  private static byte[] readDegraded() {
    ByteBuffer all = ByteBuffer.allocate(FILE_BYTES);
    await("units are known to be missing")
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              try (DegradedReader reader = FileUpdates.openDegraded(cluster.fs(), new Path(FILE))) {
                reader.read(0, all.clear());
                return true;
              }
            });
    return all.array();
  }

  @Test
  void afterItsDeadWritersAreSettledAFileIsDecodedAndHealed() throws Exception {
    byte[] twin = new byte[FILE_BYTES];
    new Random(4).nextBytes(twin);
    cluster.write(FILE, twin);
    open().close(); // the program does not wait for DataNodes that have not reported yet

    // A session that is open is left alone, and nobody decodes beside it.
    int version = 1;
    try (StripedFileUpdater alive = open()) {
      alive.write(0, ByteBuffer.wrap(Arrays.copyOf(twin, 10)));
      try (StripedFileUpdater other = open()) {
        StripedFileUpdater.Settled done = other.settle(PAUSE_MS, bytes -> {});
        assertThat(done.settled()).isEmpty();
        assertThat(done.left()).containsExactly(0);
      }
      alive.write(0, ByteBuffer.wrap(Arrays.copyOf(twin, 10)));
      version = killWriter(twin, version) + 1;
    }

    // Nobody decodes while its session is noted, a DataNode started again or not.
    MiniUpdates.Group group = cluster.group(FILE);
    byte[] before = twin.clone();
    int begun = version;
    cluster.restart(group.nodes()[0], () -> assertThat(decodes(before, begun)).isFalse());
    // The next one, as a recoverer that dies in the middle would, leaves its own session.
    takeOver(twin, version);
    version = killWriter(twin, version) + 1;
    // A DataNode dies with its writer: what was acknowledged can be read nevertheless.
    DatanodeID dead = cluster.node(group.nodes()[2]).getDatanodeId();
    byte[] acknowledged = twin.clone();
    int begunLast = version;
    cluster.restart(
        group.nodes()[2],
        () -> {
          cluster.cluster().setDataNodeDead(dead);
          assertThat(decodes(acknowledged, begunLast)).isFalse();
          assertAcknowledged(readDegraded(), acknowledged, begunLast);
        });
    cluster.cluster().restartNameNode(true);
    cluster.restart(group.nodes()[4], () -> {});
    await("the administrator is told")
        .until(() -> status().contains("until hdfs ecupdate -recover " + FILE + "\n"));
    settle();
    takeOver(twin, version);
    await("nothing is left to be recovered")
        .until(
            () ->
                status().contains(", 5 DataNodes\n")
                    && !status().contains("ended without leaving"));
    cluster.verify(group);

    // With a unit missing nothing is settled, and the file not opened.
    DatanodeID lost = cluster.node(group.nodes()[1]).getDatanodeId();
    cluster.stop(group.nodes()[1]);
    await("a degraded read").until(() -> WholeFile.isReadable(cluster.fs(), FILE, twin));
    await("the DataNode that is away is noticed")
        .untilAsserted(
            () ->
                assertThatThrownBy(
                        () ->
                            FileUpdates.open(
                                    cluster.fs(), new Path(FILE), UpdaterOptions.standard())
                                .close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no-capability"));
    cluster.cluster().setDataNodeDead(lost);
    await("another node has the lost unit")
        .until(
            () ->
                cluster.located(FILE).getLocations().length == 5
                    && Arrays.stream(cluster.located(FILE).getLocations())
                        .noneMatch(at -> at.getDatanodeUuid().equals(lost.getDatanodeUuid())));
    assertThat(WholeFile.isReadable(cluster.fs(), FILE, twin)).isTrue();
    assertThat(cluster.corruptReplicas()).isZero();
  }

  /** Whether a stock client decodes: nobody knows yet whether the last record was written. */
  private static boolean decodes(byte[] twin, int begun) {
    byte[] read;
    try {
      read = WholeFile.read(cluster.fs(), FILE);
    } catch (IOException | RuntimeException e) {
      return false;
    }
    throw new AssertionError("decoded " + read.length + " of " + twin.length + " in " + begun);
  }
}
