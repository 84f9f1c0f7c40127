/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.it.RepairCluster.Group;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Units of IZS files that are lost in a cluster whose DataNodes run the repair plugin. */
@Tag("full")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class IzsRepairTest {
  private static final int MIB = 1 << 20;
  private static final int SMALL_CELL = 64 * 1024;
  private static final int READ_TIMEOUT_MS = 6000;
  private static final int ONLINE_GROUPS = Integer.getInteger("izs.repair.online.groups", 12);
  private static final String LOOPBACK = "127.0.0.1";

  private static RepairCluster cluster;
  private static org.apache.hadoop.fs.Path izs42;
  private static org.apache.hadoop.fs.Path izs42Small;
  private static org.apache.hadoop.fs.Path izs63Small;
  private static org.apache.hadoop.fs.Path rs42;

  @BeforeAll
  static void start(@TempDir Path root) throws IOException {
    Configuration conf = RepairCluster.withPlugin(RepairCluster.conf());
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, 8L * MIB);
    conf.setInt(
        DFSConfigKeys.DFS_DN_EC_RECONSTRUCTION_STRIPED_READ_TIMEOUT_MILLIS_KEY, READ_TIMEOUT_MS);
    conf.setBoolean(DFSConfigKeys.DFS_DN_EC_RECONSTRUCTION_VALIDATION_KEY, true);
    cluster = RepairCluster.start(root, conf, 11);
    izs42 = cluster.directory("izs", 4, 2, MIB);
    izs42Small = cluster.directory("izs", 4, 2, SMALL_CELL);
    izs63Small = cluster.directory("izs", 6, 3, SMALL_CELL);
    rs42 = cluster.directory("rs", 4, 2, MIB);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void removeFaults() {
    DataNodeFaultInjector.set(new DataNodeFaultInjector());
  }

  private record Asked(long requests, long connections) {}

  /** What has been read so far, as each side counts it. */
  private record Reads(long sent, long accounted, long read, long saved, long half, Asked asked) {
    static Reads now() {
      return new Reads(
          cluster.nodeMetric("BytesRead"),
          cluster.nodeMetric("EcReconstructionBytesRead"),
          cluster.repairMetric("BytesRead"),
          cluster.repairMetric("BytesSaved"),
          cluster.repairMetric("HalfReadRepairs"),
          new Asked(cluster.repairMetric("ReadRequests"), cluster.repairMetric("Connections")));
    }

    Reads since(Reads before) {
      return new Reads(
          sent - before.sent,
          accounted - before.accounted,
          read - before.read,
          saved - before.saved,
          half - before.half,
          new Asked(
              asked.requests - before.asked.requests,
              asked.connections - before.asked.connections));
    }
  }

  /** What a DataNode counts as read for so many bytes of whole chunks (BlockSender.sendBlock). */
  private static long withChecksums(long bytes) {
    return bytes + bytes / 512 * 4;
  }

  private static void assertReads(Reads before, Reads expected) {
    // Counters of either side are brought up to date a moment after the bytes have passed.
    Awaitility.await()
        .untilAsserted(() -> assertThat(Reads.now().since(before)).isEqualTo(expected));
  }

  /** First, since other tests leave reads behind that are still being given up. */
  @Test
  @Order(1)
  void oneLostDataUnitIsReadToFiveEighths() throws IOException {
    int stripes = 3;
    long ofRs = 4L * stripes * MIB;
    long ofIzs = ofRs * 5 / 8;
    Group rs = cluster.write(rs42, "rs", stripes * 4 * MIB);
    Reads before = Reads.now();
    rs.lose(1);
    rs.awaitRebuilt(1);
    assertReads(before, new Reads(withChecksums(ofRs), ofRs, 0, 0, 0, new Asked(0, 0)));
    int[] runsOfCell = {3, 4, 2, 1};
    for (int unit = 0; unit < 4; unit++) {
      Group group = cluster.write(izs42, "lost-" + unit, stripes * 4 * MIB);
      before = Reads.now();
      group.lose(unit);
      group.awaitRebuilt(unit);
      // Every run is a request of its own, over the one connection of its helper.
      Asked asked = new Asked((long) runsOfCell[unit] * stripes * 5, 5);
      // To compare the helpers: of 5 units, 4 KiB of each of 8 rows of 3 stripes.
      long compared = 5L * 4096 * 8 * 3;
      long sent = withChecksums(ofIzs + compared);
      assertReads(before, new Reads(sent, ofIzs + compared, ofIzs, ofRs - ofIzs, 1, asked));
      group.assertAsWritten();
    }
  }

  /** Cells of one unit lie next to each other, so that all stripes of a helper are one request. */
  @Test
  @Order(2)
  void unitsThatAreReadWholeAreOneRequestEach() throws IOException {
    long ofRs = 3L * 4 * MIB;
    Group group = cluster.write(izs42, "whole", (int) ofRs);
    Reads before = Reads.now();
    group.lose(5);
    group.awaitRebuilt(5);
    assertReads(before, new Reads(withChecksums(ofRs), ofRs, ofRs, 0, 0, new Asked(4, 4)));
    group.assertAsWritten();
  }

  @Test
  void anyOneOrTwoLostUnitsComeBack() throws IOException {
    List<Group> groups = new ArrayList<>();
    List<int[]> losses = new ArrayList<>();
    int full = 3 * 4 * SMALL_CELL;
    int[] sizes = {full, full + 2 * SMALL_CELL + 777, SMALL_CELL / 3, 2 * SMALL_CELL + 1};
    for (int size : sizes) {
      for (int first = 0; first < 6; first++) {
        for (int second = first; second < 6; second++) {
          Group group = cluster.write(izs42Small, size + "-" + first + "-" + second, size);
          if (group.written().containsKey(first) && group.written().containsKey(second)) {
            groups.add(group);
            losses.add(first == second ? new int[] {first} : new int[] {first, second});
          }
        }
      }
    }
    checkAll(groups, losses);
  }

  @Test
  void upToThreeLostUnitsOfNineComeBack() throws IOException {
    List<Group> groups = new ArrayList<>();
    List<int[]> losses = new ArrayList<>();
    int[][] chosen = {
      {0}, {2}, {5}, {6}, {7}, {8}, {0, 7}, {1, 2}, {0, 1, 2}, {3, 6, 7}, {6, 7, 8}
    };
    for (int[] units : chosen) {
      String name = java.util.Arrays.toString(units).replace(" ", "");
      groups.add(cluster.write(izs63Small, name, 2 * 6 * SMALL_CELL + 3 * SMALL_CELL + 11));
      losses.add(units);
    }
    checkAll(groups, losses);
  }

  @Test
  void unitsOfWiderCodesComeBack() throws IOException {
    List<Group> groups = new ArrayList<>();
    List<int[]> losses = List.of(new int[] {0}, new int[] {5}, new int[] {9}, new int[] {2, 8});
    org.apache.hadoop.fs.Path eight = cluster.directory("izs", 8, 2, SMALL_CELL);
    for (int i = 0; i < losses.size(); i++) {
      groups.add(cluster.write(eight, "wide-" + i, 3 * 8 * SMALL_CELL + 5 * SMALL_CELL + 3));
    }
    long half = cluster.repairMetric("HalfReadRepairs") + cluster.repairMetric("MixedRepairs");
    checkAll(groups, losses);
    assertThat(cluster.repairMetric("HalfReadRepairs") + cluster.repairMetric("MixedRepairs"))
        .as("of those that lost one data unit")
        .isGreaterThan(half);
    org.apache.hadoop.fs.Path ten = cluster.directory("izs", 10, 1, SMALL_CELL);
    checkAll(
        List.of(cluster.write(ten, "wide-ten", 2 * 10 * SMALL_CELL + 7)), List.of(new int[] {4}));
  }

  private static void checkAll(List<Group> groups, List<int[]> losses) throws IOException {
    long failures = cluster.repairMetric("FailedRepairs");
    long stockFailures = cluster.nodeMetric("EcFailedReconstructionTasks");
    for (int i = 0; i < groups.size(); i++) {
      for (int unit : losses.get(i)) {
        groups.get(i).lose(unit);
      }
    }
    for (int i = 0; i < groups.size(); i++) {
      groups.get(i).awaitAsWritten();
    }
    assertThat(cluster.repairMetric("FailedRepairs")).isEqualTo(failures);
    assertThat(cluster.nodeMetric("EcFailedReconstructionTasks")).isEqualTo(stockFailures);
    Awaitility.await()
        .until(
            () ->
                cluster.cluster().getDataNodes().stream()
                    .allMatch(node -> node.getXmitsInProgress() == 0));
  }

  /** How a repair is begun, and how HDFS's counters tell that it went on with other helpers. */
  private enum Begun {
    HALF_READ(0, "MixedRepairs"),
    FULL_READ(5, "FullReadRepairs");

    private final int lost;
    private final String endedAs;

    Begun(int lost, String endedAs) {
      this.lost = lost;
      this.endedAs = endedAs;
    }
  }

  /** Counters that a test expects to grow. */
  private static final class Growth {
    private final Map<String, Long> before = new TreeMap<>();

    Growth(String... names) {
      for (String name : names) {
        before.put(name, cluster.repairMetric(name));
      }
    }

    void assertGrown() {
      // Once, or more often where the machine is so slow that other helpers are replaced, too.
      Awaitility.await()
          .untilAsserted(
              () ->
                  before.forEach(
                      (name, was) ->
                          assertThat(cluster.repairMetric(name)).as(name).isGreaterThan(was)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void corruptHelperIsReplacedAndReported(Begun begun) throws IOException {
    Group group = cluster.write(izs42Small, "corrupt-" + begun, 8 * 4 * SMALL_CELL);
    // In a stripe in which helpers are not compared.
    group.corrupt(2, 4L * SMALL_CELL, SMALL_CELL);
    Growth growth = new Growth("CorruptHelpers", begun.endedAs);
    loseAndCheckRebuilt(group, begun.lost);
    growth.assertGrown();
    // The NameNode was told, so that the damaged unit is rebuilt, too.
    group.awaitAsWritten();
  }

  private static void loseAndCheckRebuilt(Group group, int unit) throws IOException {
    group.lose(unit);
    group.awaitRebuilt(unit);
    assertThat(group.stored(unit, group.nodes().get(unit)).data())
        .isEqualTo(group.written().get(unit).data());
  }

  @ParameterizedTest
  @EnumSource
  void helperThatDiesInTheMiddleIsReplaced(Begun begun) throws IOException {
    Group group = cluster.write(izs42Small, "dies-" + begun, 16 * 4 * SMALL_CELL);
    DataNode victim = group.written().get(3).node();
    AtomicInteger stripes = new AtomicInteger();
    List<org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties> stopped = new ArrayList<>();
    DataNodeFaultInjector.set(
        new DataNodeFaultInjector() {
          @Override
          public void stripedBlockReconstruction() {
            if (stripes.incrementAndGet() == 5) {
              stopped.add(cluster.cluster().stopDataNode(victim.getDatanodeId().getXferAddr()));
            }
          }
        });
    loseAndCheckRebuilt(group, begun.lost);
    assertThat(stopped).hasSize(1);
    removeFaults();
    cluster.cluster().restartDataNode(stopped.get(0), true);
    cluster.cluster().waitActive();
    group.awaitAsWritten();
  }

  @ParameterizedTest
  @EnumSource
  void slowHelperIsReplaced(Begun begun) throws Exception {
    Group group = cluster.write(izs42Small, "slow-" + begun, 8 * 4 * SMALL_CELL);
    DataNode slow = group.written().get(2).node();
    String key = DFSConfigKeys.DFS_DATANODE_DATA_READ_BANDWIDTHPERSEC_KEY;
    Growth growth = new Growth("SlowHelpers");
    slow.reconfigureProperty(key, "1000");
    try {
      loseAndCheckRebuilt(group, begun.lost);
    } finally {
      slow.reconfigureProperty(key, "0");
    }
    growth.assertGrown();
    group.awaitAsWritten();
  }

  /** A node that has as many readers as it may have closes the connections of others. */
  @ParameterizedTest
  @EnumSource
  void busyHelperIsReplaced(Begun begun) throws Exception {
    Group group = cluster.write(izs42Small, "busy-" + begun, 8 * 4 * SMALL_CELL);
    DataNode busy = group.written().get(2).node();
    String key = DFSConfigKeys.DFS_DATANODE_MAX_RECEIVER_THREADS_KEY;
    Growth growth = new Growth("FailedHelpers", "FullReadRepairs");
    try (Socket one = new Socket(LOOPBACK, busy.getXferPort());
        Socket two = new Socket(LOOPBACK, busy.getXferPort())) {
      assertThat(List.of(one, two)).allMatch(Socket::isConnected);
      // Connections that others have kept may go meanwhile; these two stay.
      Awaitility.await().until(() -> busy.getXceiverCount() >= 2);
      busy.reconfigureProperty(key, "1");
      loseAndCheckRebuilt(group, begun.lost);
    } finally {
      busy.reconfigureProperty(key, null);
    }
    growth.assertGrown();
    group.awaitAsWritten();
  }

  /** Readers and a writer go on while unit after unit is lost and rebuilt. */
  @Test
  void repairsGoOnWhileFilesAreReadAndWritten() throws Exception {
    List<Group> groups = new ArrayList<>();
    for (int i = 0; i < ONLINE_GROUPS; i++) {
      groups.add(cluster.write(izs42Small, "online-" + i, 16 * 4 * SMALL_CELL + 100 * i));
    }
    try (OnlineLoad load = new OnlineLoad(cluster, izs42Small, groups)) {
      for (int i = 0; i < ONLINE_GROUPS; i++) {
        groups.get(i).lose(i % 6);
      }
      for (Group group : groups) {
        group.awaitAsWritten();
      }
      load.finish();
    }
  }

  @Test
  void badDecodingIsFoundBeforeItIsSent() throws Exception {
    Group group = cluster.write(izs42Small, "bad-decoding", 8 * 4 * SMALL_CELL);
    long invalid = cluster.nodeMetric("EcInvalidReconstructionTasks");
    long failed = cluster.repairMetric("FailedRepairs");
    AtomicInteger stripes = new AtomicInteger();
    DataNodeFaultInjector.set(
        new DataNodeFaultInjector() {
          @Override
          public void badDecoding(ByteBuffer[] outputs) {
            if (stripes.incrementAndGet() == 3) {
              outputs[0].put(77, (byte) ~outputs[0].get(77));
            }
          }
        });
    // The NameNode orders the repair again.
    cluster.orderAgainAfter(5);
    try {
      loseAndCheckRebuilt(group, 2);
    } finally {
      cluster.orderAgainAfter(RepairCluster.AGAIN_SECONDS);
    }
    assertThat(cluster.nodeMetric("EcInvalidReconstructionTasks")).isEqualTo(invalid + 1);
    assertThat(cluster.repairMetric("FailedRepairs")).isEqualTo(failed + 1);
    group.awaitAsWritten();
  }
}
