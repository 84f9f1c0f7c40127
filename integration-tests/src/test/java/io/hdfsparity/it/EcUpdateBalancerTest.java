/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.ParityNameNodePlugin;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.core.check.FreePorts;
import io.hdfsparity.ecupdate.admin.EcUpdateAdmin;
import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.config.SessionKey;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * HDFS moves replicas, by its own tools, while programs update a file: what is updated stays where
 * it is and right, all else is moved.
 */
@Tag("full")
@Timeout(1200)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EcUpdateBalancerTest {
  private static final int FILE_BYTES = 10 * MiniUpdates.CELL_BYTES + 30_001;
  private static final long CAPACITY_BYTES = 32L << 20;
  private static final int PLAIN_FILES = 12;
  private static final String STILL = "/still";

  @TempDir static java.nio.file.Path root;
  private static java.nio.file.Path excludes;
  private static MiniUpdates cluster;

  @BeforeAll
  static void start() throws IOException {
    excludes = Files.createFile(root.resolve("excludes"));
    Map<String, String> more = new HashMap<>();
    more.put(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, ParityNameNodePlugin.class.getName());
    more.put(SuiteKey.FEATURES.key(), "ecupdate");
    more.put(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, "true");
    more.put(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + FreePorts.next());
    more.put(SessionKey.NODE_REPORT.key(), "200ms");
    more.put(SessionKey.SWEEP_INTERVAL.key(), "100ms");
    more.put(StorageKey.SNAPSHOT_AGE.key(), "1s");
    more.put("dfs.client.retry.window.base", "50");
    more.put("dfs.namenode.heartbeat.recheck-interval", "60000");
    more.put("dfs.namenode.decommission.interval", "1");
    more.put("dfs.namenode.reconstruction.pending.timeout-sec", "5");
    more.put(DFSConfigKeys.DFS_HOSTS_EXCLUDE, excludes.toString());
    more.put(DFSConfigKeys.DFS_BALANCER_GETBLOCKS_MIN_BLOCK_SIZE_KEY, "1");
    cluster = new MiniUpdates(root, 5, more);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  /** Opens a file; what hinders it for a moment only is waited for. */
  private static StripedFileUpdater open(String path) {
    StripedFileUpdater[] opened = new StripedFileUpdater[1];
    await("open " + path)
        .ignoreExceptionsMatching(
            e ->
                Stream.of("no-capability", "rebuilding", "superfluous")
                    .anyMatch(String.valueOf(e.getMessage())::contains))
        .until(
            () -> {
              opened[0] = FileUpdates.open(cluster.fs(), new Path(path), UpdaterOptions.standard());
              return true;
            });
    return opened[0];
  }

  private static byte[] random(String path, int length) {
    byte[] bytes = new byte[length];
    new Random(path.hashCode()).nextBytes(bytes);
    return bytes;
  }

  private static byte[] read(String path) throws IOException {
    try (FSDataInputStream in = cluster.fs().open(new Path(path))) {
      return in.readAllBytes();
    }
  }

  /** DataNodes that have something of a file. */
  private static Set<String> places(String path) throws IOException {
    Set<String> places = new HashSet<>();
    for (LocatedBlock block :
        cluster.fs().getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks()) {
      Arrays.stream(block.getLocations()).forEach(at -> places.add(at.getDatanodeUuid()));
    }
    return places;
  }

  /** Two programs that update a file, and a stock client that reads it, until it is closed. */
  private static final class Load {
    private final String path;
    private final RegisterFile history;
    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger acks = new AtomicInteger();
    private final AtomicInteger reads = new AtomicInteger();
    private final ExecutorService pool = Executors.newCachedThreadPool();
    private final List<Future<Void>> parts = new ArrayList<>();
    private volatile boolean isOver;

    Load(String path, byte[] initial) {
      this.path = path;
      history = new RegisterFile(initial);
      for (int i = 0; i < 2; i++) {
        Random random = new Random(i);
        begin(() -> write(random));
      }
      begin(this::readOn);
    }

    private void begin(Callable<Void> part) {
      parts.add(pool.submit(part));
    }

    private Void write(Random random) throws IOException {
      try (StripedFileUpdater updater = open(path)) {
        while (!isOver) {
          byte[] bytes = new byte[1 + random.nextInt(4096)];
          random.nextBytes(bytes);
          int position = random.nextInt(FILE_BYTES - bytes.length + 1);
          long write = history.begin(position, bytes, now.incrementAndGet());
          updater.write(position, ByteBuffer.wrap(bytes));
          history.end(write, now.incrementAndGet());
          acks.incrementAndGet();
        }
      }
      return null;
    }

    private Void readOn() {
      while (!isOver) {
        long began = now.incrementAndGet();
        byte[] bytes;
        try {
          bytes = read(path);
        } catch (IOException e) {
          continue; // it took longer than a snapshot may
        }
        check(bytes, began);
        reads.incrementAndGet();
      }
      return null;
    }

    private void check(byte[] read, long began) {
      assertThat(history.wrong(0, read, began, now.incrementAndGet())).as(path).isEmpty();
    }

    /** Waits until more was acknowledged and read. */
    void awaitMore() {
      int acksBefore = acks.get();
      int readsBefore = reads.get();
      await("more is written and read")
          .until(
              () ->
                  parts.stream().anyMatch(Future::isDone)
                      || (acks.get() > acksBefore + 20 && reads.get() > readsBefore));
      assertThat(parts).as("what has failed").noneMatch(Future::isDone);
    }

    /**
     * Ends it; all that was acknowledged is there, for the suite's clients and for stock ones, and
     * parity fits.
     *
     * @return what the file holds
     */
    byte[] end() throws Exception {
      isOver = true;
      pool.shutdown();
      for (Future<Void> part : parts) {
        part.get(180, TimeUnit.SECONDS);
      }
      System.out.println(path + ": " + acks + " updates beside " + reads + " reads");
      return assertRight();
    }

    private byte[] assertRight() throws Exception {
      long began = now.incrementAndGet();
      ByteBuffer content = ByteBuffer.allocate(FILE_BYTES);
      try (StripedFileUpdater updater = open(path)) {
        assertThat(updater.read(0, content)).isEqualTo(FILE_BYTES);
      }
      check(content.array(), began);
      await("a stock read")
          .ignoreExceptionsInstanceOf(IOException.class)
          .untilAsserted(
              () -> assertThat(Arrays.equals(read(path), content.array())).as(path).isTrue());
      assertThat(verify(path)).isEqualTo("true");
      cluster.verify(cluster.group(path));
      assertThat(cluster.corruptReplicas()).isZero();
      return content.array();
    }
  }

  /** What {@code hdfs ecupdate -verify} finds. */
  private static String verify(String path) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    new EcUpdateAdmin(
            cluster.fs().getConf(),
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8))
        .run(new String[] {"-verify", path, "-json"});
    String said = out.toString(StandardCharsets.UTF_8);
    return said.isEmpty()
        ? err.toString(StandardCharsets.UTF_8)
        : new ObjectMapper().readTree(said).path("right").asText(said);
  }

  private static DataNode addNode(String volumePolicy) throws IOException {
    Configuration conf = new HdfsConfiguration(cluster.cluster().getConfiguration(0));
    conf.set(DFSConfigKeys.DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY, volumePolicy);
    cluster.cluster().startDataNodes(conf, 1, true, null, null);
    cluster.cluster().waitActive();
    List<DataNode> nodes = cluster.cluster().getDataNodes();
    return nodes.get(nodes.size() - 1);
  }

  @Test
  @Order(1)
  void theBalancerMovesAllButWhatIsUpdated() throws Exception {
    Map<String, byte[]> plain = new HashMap<>();
    for (int i = 0; i < PLAIN_FILES; i++) {
      String path = "/plain" + i;
      byte[] bytes = random(path, 16 * MiniUpdates.CELL_BYTES);
      plain.put(path, bytes);
      try (OutputStream out =
          cluster.fs().createFile(new Path(path)).replicate().replication((short) 3).build()) {
        out.write(bytes);
      }
    }
    plain.put(STILL, random(STILL, FILE_BYTES));
    cluster.write(STILL, plain.get(STILL));
    byte[] initial = random("/updated", FILE_BYTES);
    cluster.write("/updated", initial);
    final Load load = new Load("/updated", initial);
    load.awaitMore();
    String[] nodes = cluster.group("/updated").nodes();
    // One as these nodes always had to be configured, one with Hadoop's default.
    final DataNode named =
        addNode(
            cluster
                .cluster()
                .getConfiguration(0)
                .get(DFSConfigKeys.DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY));
    final DataNode stock = addNode(RoundRobinVolumeChoosingPolicy.class.getName());
    HdfsBalancer.limitCapacities(cluster.cluster(), CAPACITY_BYTES);
    final int exit = HdfsBalancer.run(cluster.cluster().getConfiguration(0), 4);
    System.out.println("hdfs balancer: " + exit);
    for (DataNode node : List.of(named, stock)) {
      await("something was moved to " + node)
          .until(
              () -> {
                Set<String> places = new HashSet<>();
                for (String path : plain.keySet()) {
                  places.addAll(places(path));
                }
                return places.contains(node.getDatanodeUuid());
              });
    }
    load.awaitMore();
    load.end();
    assertThat(cluster.group("/updated").nodes()).isEqualTo(nodes);
    for (Map.Entry<String, byte[]> each : plain.entrySet()) {
      assertThat(Arrays.equals(read(each.getKey()), each.getValue())).as(each.getKey()).isTrue();
    }
  }

  private static void exclude(String... addresses) throws IOException {
    Files.write(excludes, List.of(addresses));
    // What "hdfs dfsadmin -refreshNodes" makes the NameNode do; by RPC it would read hdfs-site.xml
    // anew, which this JVM does not have.
    cluster
        .cluster()
        .getNamesystem()
        .getBlockManager()
        .getDatanodeManager()
        .refreshNodes(cluster.cluster().getConfiguration(0));
  }

  private static AdminStates state(String uuid) throws IOException {
    for (DatanodeInfo node : cluster.fs().getDataNodeStats()) {
      if (node.getDatanodeUuid().equals(uuid)) {
        return node.getAdminState();
      }
    }
    throw new AssertionError("no DataNode " + uuid);
  }

  @Test
  @Order(2)
  void aNodeThatIsDecommissionedWaitsForWhatIsUpdated() throws Exception {
    byte[] still = random("/copied", FILE_BYTES);
    cluster.write("/copied", still);
    byte[] initial = random("/stays", FILE_BYTES);
    cluster.write("/stays", initial);
    MiniUpdates.Group group = cluster.group("/stays");
    Set<String> both = new HashSet<>(places("/copied"));
    both.retainAll(List.of(group.nodes()));
    String leaving = both.iterator().next();
    final Load load = new Load("/stays", initial);
    load.awaitMore();
    final Set<String> before = places("/copied");
    final int unit = List.of(cluster.group("/copied").nodes()).indexOf(leaving);
    exclude(cluster.node(leaving).getDatanodeId().getXferAddr());
    await("what is not updated was copied elsewhere")
        .until(() -> !before.containsAll(places("/copied")));
    load.awaitMore();
    assertThat(state(leaving)).isEqualTo(AdminStates.DECOMMISSION_INPROGRESS);
    load.awaitMore();
    assertThat(cluster.group("/stays").nodes()).isEqualTo(group.nodes());

    exclude();
    await("in service").until(() -> state(leaving) == AdminStates.NORMAL);
    byte[] content = load.end();
    assertThat(cluster.group("/stays").nodes()).isEqualTo(group.nodes());
    await("one copy is left").until(() -> places("/copied").size() == 5);
    MiniUpdates.Group copied = cluster.group("/copied");
    // Whichever it is: the other could come back.
    assertThatThrownBy(() -> cluster.admit(copied, unit))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("rewrite the group");
    assertThat(Arrays.equals(read("/copied"), still)).isTrue();

    // At rest it is copied like any other; then it takes updates again, as another group.
    exclude(cluster.node(leaving).getDatanodeId().getXferAddr());
    await("decommissioned").until(() -> state(leaving) == AdminStates.DECOMMISSIONED);
    DatanodeID id = cluster.node(leaving).getDatanodeId();
    cluster.stop(leaving);
    cluster.cluster().setDataNodeDead(id);
    await("the node is forgotten")
        .until(() -> places("/stays").size() == 5 && !places("/stays").contains(leaving));
    assertThat(Arrays.equals(read("/stays"), content)).isTrue();
    try (StripedFileUpdater updater = open("/stays")) {
      byte[] bytes = random("/stays again", 100_000);
      updater.write(12_345, ByteBuffer.wrap(bytes));
      System.arraycopy(bytes, 0, content, 12_345, bytes.length);
    }
    await("a stock read")
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> Arrays.equals(read("/stays"), content));
    assertThat(verify("/stays")).isEqualTo("true");
    assertThat(cluster.corruptReplicas()).isZero();
  }
}
