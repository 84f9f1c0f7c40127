/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ThreadedStripeClient;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stock clients while the file that they read is updated in place. The last tests break the
 * cluster, which all share.
 */
@Tag("full")
@Timeout(1200)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EcUpdateStockReadsTest {
  private static final int STRIPES = 4;
  private static final int SHORT_CELL = 30_001;

  /** Three full stripes, a cell, and a cell whose last chunk is not full. */
  private static final int FILE_BYTES =
      ((STRIPES - 1) * MiniUpdates.DATA + 1) * MiniUpdates.CELL_BYTES + SHORT_CELL;

  private static final int UPDATES = Integer.getInteger("ecupdate.updates", 60);

  @TempDir static Path root;
  private static MiniUpdates cluster;

  private final ScheduledExecutorService timers = Executors.newScheduledThreadPool(2);
  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final AtomicLong now = new AtomicLong();
  private final AtomicLong nextClient = new AtomicLong(1);

  /** Whether a DataNode is down: then a stock read may fail, for parity is not readable. */
  private final AtomicBoolean isDegraded = new AtomicBoolean();

  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger refusals = new AtomicInteger();
  private final List<AtomicInteger> turns = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void start() throws IOException {
    cluster = new MiniUpdates(root, 6);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  /** A file with its cells' histories. */
  private final class Subject {
    final String path;
    final MiniUpdates.Group group;
    final CellHistory[][] cells = new CellHistory[STRIPES][MiniUpdates.DATA];

    Subject(String path, String scheme) throws IOException {
      this.path = path;
      byte[] bytes = new byte[FILE_BYTES];
      new Random(path.hashCode()).nextBytes(bytes);
      cluster.write(path, bytes);
      group = cluster.admit(path, scheme);
      for (int stripe = 0; stripe < STRIPES; stripe++) {
        for (int block = 0; block < MiniUpdates.DATA; block++) {
          int from = offset(stripe, block);
          int length = group.cellBytes(stripe, block);
          if (length > 0) {
            cells[stripe][block] = new CellHistory(Arrays.copyOfRange(bytes, from, from + length));
          }
        }
      }
    }

    int offset(int stripe, int block) {
      return (stripe * MiniUpdates.DATA + block) * MiniUpdates.CELL_BYTES;
    }

    byte[] twin() {
      byte[] bytes = new byte[FILE_BYTES];
      for (int stripe = 0; stripe < STRIPES; stripe++) {
        for (int block = 0; block < MiniUpdates.DATA; block++) {
          if (cells[stripe][block] != null) {
            byte[] cell = cells[stripe][block].last();
            System.arraycopy(cell, 0, bytes, offset(stripe, block), cell.length);
          }
        }
      }
      return bytes;
    }

    /** Each cell of what was read has to be one of its states. */
    void check(int position, byte[] read, long began, long ended) {
      for (int at = position; at < position + read.length; ) {
        int cell = at / MiniUpdates.CELL_BYTES;
        int end = Math.min(position + read.length, (cell + 1) * MiniUpdates.CELL_BYTES);
        CellHistory history = cells[cell / MiniUpdates.DATA][cell % MiniUpdates.DATA];
        byte[] part = Arrays.copyOfRange(read, at - position, end - position);
        assertThat(history.explains(at % MiniUpdates.CELL_BYTES, part, began, ended))
            .as("%s: bytes %d to %d are of a state during the read", path, at, end)
            .isTrue();
        at = end;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"FO", "FL", "PL", "PLR"})
  @Order(1)
  void everyReadIsAStateThatThereWas(String scheme) throws Exception {
    Subject subject = new Subject("/" + scheme, scheme);
    try {
      AtomicBoolean isOver = new AtomicBoolean();
      List<Future<Void>> readers = readers(subject, isOver);
      List<Future<Void>> writers = writers(subject);
      String node = subject.group.nodes()[Math.floorMod(scheme.hashCode(), 5)];
      isDegraded.set(true);
      cluster.restart(node, () -> {});
      isDegraded.set(false);
      for (Future<Void> writer : writers) {
        writer.get(120, TimeUnit.SECONDS);
      }
      // What a reader began while the node was down may be refused now, and ends before the next.
      awaitTurns(2);
      int before = reads.get();
      int refused = refusals.get();
      do {
        for (Future<Void> writer : writers(subject)) {
          writer.get(120, TimeUnit.SECONDS);
        }
      } while (reads.get() == before);
      isOver.set(true);
      for (Future<Void> reader : readers) {
        reader.get(120, TimeUnit.SECONDS);
      }
      assertThat(reads.get()).as("reads beside the second half").isGreaterThan(before);
      assertThat(refusals.get()).as("refused while all nodes were up").isEqualTo(refused);
      repair(subject);
      assertThat(read(subject.path)).isEqualTo(subject.twin());
      cluster.verify(subject.group);
      assertThat(cluster.corruptReplicas()).isZero();
    } finally {
      timers.shutdownNow();
      pool.shutdownNow();
    }
  }

  /** Until each reader has read so often from now on, rightly or not. */
  private void awaitTurns(int count) {
    List<Integer> since = turns.stream().map(AtomicInteger::get).toList();
    Awaitility.await("turns of all readers")
        .until(
            () -> {
              boolean all = true;
              for (int i = 0; i < since.size(); i++) {
                all &= turns.get(i).get() >= since.get(i) + count;
              }
              return all;
            });
  }

  private List<Future<Void>> writers(Subject subject) {
    List<Future<Void>> writers = new ArrayList<>();
    for (int block = 0; block < MiniUpdates.DATA; block++) {
      writers.add(pool.submit(writer(subject, block)));
    }
    return writers;
  }

  /** One writer a cell; those of a stripe meet at its parity. */
  private Callable<Void> writer(Subject subject, int block) {
    return () -> {
      Random random = new Random(block + subject.path.hashCode());
      ThreadedStripeClient[] clients = new ThreadedStripeClient[STRIPES];
      Arrays.setAll(clients, stripe -> client(subject, stripe));
      for (int i = 0; i < UPDATES; i++) {
        int stripe = random.nextInt(STRIPES);
        CellHistory cell = subject.cells[stripe][block];
        if (cell != null) {
          Patch patch = cell.begin(random, now.incrementAndGet());
          write(subject, clients[stripe], stripe, block, patch);
          cell.end(now.incrementAndGet());
        }
        if (random.nextInt(4) == 0) {
          clients[stripe].collectGarbage();
        }
      }
      return null;
    };
  }

  private static void write(
      Subject subject, ThreadedStripeClient client, int stripe, int block, Patch patch)
      throws Exception {
    try {
      client.write(new TreeMap<>(Map.of(block, patch))).get(120, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError(
          "Write of block "
              + block
              + " of stripe "
              + stripe
              + ": "
              + cluster.describe(subject.group, stripe),
          e);
    }
  }

  private ThreadedStripeClient client(Subject subject, int stripe) {
    return new ThreadedStripeClient(
        (block, request, answer) ->
            cluster.call(subject.group, block, stripe, request, answer::accept),
        nextClient.getAndIncrement(),
        MiniUpdates.CODE,
        timers);
  }

  private List<Future<Void>> readers(Subject subject, AtomicBoolean isOver) {
    Random random = new Random(3);
    List<Future<Void>> readers = new ArrayList<>();
    readers.add(pool.submit(reader(isOver, () -> readWhole(subject))));
    readers.add(pool.submit(reader(isOver, () -> readPart(subject, random))));
    readers.add(pool.submit(reader(isOver, () -> checksum(subject))));
    return readers;
  }

  /** One read. */
  @FunctionalInterface
  private interface Read {
    void run() throws IOException;
  }

  private Callable<Void> reader(AtomicBoolean isOver, Read read) {
    AtomicInteger turn = new AtomicInteger();
    turns.add(turn);
    return () -> {
      while (!isOver.get()) {
        boolean mayFail = isDegraded.get();
        try {
          read.run();
          reads.incrementAndGet();
        } catch (IOException | NullPointerException e) {
          // DFSStripedInputStream reads again after a refusal, and then finds its decoder gone.
          if (!mayFail && !isDegraded.get()) {
            // The client remembers a DataNode that was down for the length of a read.
            refusals.incrementAndGet();
          }
        }
        turn.incrementAndGet();
      }
      return null;
    };
  }

  private void readWhole(Subject subject) throws IOException {
    long began = now.incrementAndGet();
    byte[] bytes = read(subject.path);
    subject.check(0, bytes, began, now.incrementAndGet());
  }

  private void readPart(Subject subject, Random random) throws IOException {
    try (FSDataInputStream in = cluster.fs().open(new org.apache.hadoop.fs.Path(subject.path))) {
      for (int i = 0; i < 10; i++) {
        int position = random.nextInt(FILE_BYTES);
        byte[] bytes = new byte[1 + random.nextInt(Math.min(100_000, FILE_BYTES - position))];
        long began = now.incrementAndGet();
        in.readFully(position, bytes);
        subject.check(position, bytes, began, now.incrementAndGet());
      }
    }
  }

  private void checksum(Subject subject) throws IOException {
    assertThat(cluster.fs().getFileChecksum(new org.apache.hadoop.fs.Path(subject.path)))
        .isNotNull();
  }

  private static byte[] read(String path) throws IOException {
    try (FSDataInputStream in = cluster.fs().open(new org.apache.hadoop.fs.Path(path))) {
      return in.readAllBytes();
    }
  }

  private static void pread(String path, int position) throws IOException {
    try (FSDataInputStream in = cluster.fs().open(new org.apache.hadoop.fs.Path(path))) {
      in.readFully(position, new byte[100]);
    }
  }

  /** Whatever the restart has left unfinished. */
  private void repair(Subject subject) throws Exception {
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      ThreadedStripeClient client = client(subject, stripe);
      AtomicInteger probes = new AtomicInteger();
      // By time: calls to a node that is coming up fail at once.
      Awaitility.await("stripe " + stripe + " is healthy")
          .pollInterval(Duration.ofMillis(5))
          .until(
              () -> {
                boolean isHealthy = client.probe().get(120, TimeUnit.SECONDS);
                return probes.incrementAndGet() >= 8 && isHealthy;
              });
    }
  }

  private void update(Subject subject, int stripe, int block) throws Exception {
    CellHistory cell = subject.cells[stripe][block];
    Patch patch = cell.begin(new Random(9), now.incrementAndGet());
    write(subject, client(subject, stripe), stripe, block, patch);
    cell.end(now.incrementAndGet());
  }

  @Test
  @Order(2)
  void filesAreGoneWithTheReplica() throws Exception {
    Subject subject = new Subject("/gone", "PLR");
    update(subject, 0, 0);
    Awaitility.await("reserved space is taken")
        .until(() -> files(subject.group.blocks()[3]).anyMatch(f -> f.endsWith(".plr")));
    cluster.restart(subject.group.nodes()[3], () -> {});
    Awaitility.await("all replicas are served again")
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(() -> cluster.verify(subject.group));
    cluster.fs().delete(new org.apache.hadoop.fs.Path("/gone"), true);
    for (long block : subject.group.blocks()) {
      Awaitility.await("files of " + block).untilAsserted(() -> assertThat(files(block)).isEmpty());
    }
  }

  /** All files of a block on all DataNodes. */
  private static Stream<String> files(long block) throws IOException {
    return LiveFiles.under(root).stream()
        .map(Path::toString)
        .filter(file -> file.contains("blk_" + block));
  }

  @Test
  @Order(3)
  void aReplicaWhoseChangesAreNotKnownIsNeitherReportedNorRead() throws Exception {
    Subject subject = new Subject("/withheld", "PL");
    update(subject, 0, 1);
    String node = subject.group.nodes()[1];
    Path descriptor =
        files(subject.group.blocks()[1])
            .filter(file -> file.endsWith(".replica"))
            .map(Path::of)
            .findFirst()
            .orElseThrow();
    cluster.restart(
        node,
        () -> {
          byte[] bytes = Files.readAllBytes(descriptor);
          bytes[40] ^= 1;
          Files.write(descriptor, bytes);
        });
    Awaitility.await("the NameNode hears no more of it")
        .untilAsserted(
            () ->
                assertThat(cluster.located("/withheld").getLocations())
                    .noneMatch(location -> location.getDatanodeUuid().equals(node)));
    assertThatThrownBy(() -> pread("/withheld", MiniUpdates.CELL_BYTES))
        .isInstanceOf(IOException.class);
    assertThat(cluster.corruptReplicas()).isZero();
  }

  @Test
  @Order(4)
  void stockDecodersAreRefused() throws Exception {
    Subject subject = new Subject("/decoded", "FL");
    update(subject, 1, 0);
    DatanodeID stopped = cluster.node(subject.group.nodes()[2]).getDatanodeId();
    cluster.stop(subject.group.nodes()[2]);
    assertThatThrownBy(() -> pread("/decoded", 2 * MiniUpdates.CELL_BYTES))
        .isInstanceOf(IOException.class);
    long failed = failedReconstructions();
    cluster.cluster().setDataNodeDead(stopped);
    Awaitility.await("the NameNode takes the node for dead")
        .until(() -> cluster.located("/decoded").getLocations().length < 5);
    Awaitility.await("HDFS has tried to reconstruct it")
        .until(() -> failedReconstructions() > failed);
    String finalized = File.separator + "finalized" + File.separator;
    assertThat(files(subject.group.blocks()[2]).filter(file -> file.contains(finalized)))
        .as("the two files of the node that is down")
        .hasSize(2);
    assertThat(cluster.located("/decoded").getLocations()).hasSize(4);
  }

  private static long failedReconstructions() throws Exception {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    long failed = 0;
    for (ObjectName name :
        beans.queryNames(new ObjectName("Hadoop:service=DataNode,name=DataNodeActivity*"), null)) {
      failed += ((Number) beans.getAttribute(name, "EcFailedReconstructionTasks")).longValue();
    }
    return failed;
  }
}
