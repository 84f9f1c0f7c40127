/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static io.hdfsparity.it.WholeFile.isReadable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.admin.EcUpdateAdmin;
import io.hdfsparity.ecupdate.ajx.AddMode;
import io.hdfsparity.ecupdate.config.SessionKey;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import io.hdfsparity.izs.codec.IzsFamily;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
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
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Nine units of which any three may be lost: files under all schemes are written by several at once
 * in the same places, and then one unit after the other is taken away, and two are rebuilt.
 */
@Tag("full")
@Timeout(1200)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EcUpdateTripleParityTest {
  private static final int DATA = 6;
  private static final int UNITS = 9;

  /** Two of them rebuild what two others had. */
  private static final int NODES = UNITS + 2;

  private static final int STRIPE_BYTES = DATA * MiniUpdates.CELL_BYTES;
  private static final int WRITES = 15;
  private static final List<AddMode> MODES =
      List.of(AddMode.PARALLEL, AddMode.BROADCAST, AddMode.SERIAL, AddMode.HYBRID);

  @TempDir static java.nio.file.Path root;

  /** What each file holds, by path. */
  private static final Map<String, byte[]> FILES = new LinkedHashMap<>();

  private static MiniUpdates cluster;
  private static FileSystem own;

  /** A client whose updates need to survive no crash of it: it may write all cells at once. */
  private static FileSystem daring;

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> keys =
        Map.of(
            "dfs.namenode.heartbeat.recheck-interval",
            "300000",
            "dfs.namenode.reconstruction.pending.timeout-sec",
            "20",
            // Nothing here waits for the end of one; a busy machine may not renew for seconds.
            SessionKey.LEASE.key(),
            "20s");
    cluster = MiniUpdates.startIzs(root, NODES, IzsFamily.code(DATA, UNITS - DATA), keys);
    own = cluster.newParityFileSystem();
    Configuration conf = new Configuration(cluster.cluster().getConfiguration(0));
    conf.set("dfs.parity.ecupdate.survive", "0c1s");
    daring = FileSystem.newInstance(cluster.cluster().getURI(), conf);
  }

  @AfterAll
  static void stop() throws IOException {
    own.close();
    daring.close();
    cluster.close();
  }

  private static UpdaterOptions adding(AddMode mode) {
    UpdaterOptions standard = UpdaterOptions.standard();
    return new UpdaterOptions(
        new UpdaterOptions.Adds(mode, mode == AddMode.HYBRID ? 2 : 1, 0),
        0,
        standard.maxOutstanding(),
        standard.maxStripes(),
        standard.collectAfter(),
        standard.operationMs(),
        standard.maxBackOffMs(),
        standard.threads());
  }

  /** Waits until all DataNodes have reported; one that is slow for a moment is waited for again. */
  private static List<StripedFileUpdater> open(String path) {
    List<StripedFileUpdater> updaters = new ArrayList<>();
    for (AddMode mode : MODES) {
      FileSystem fs = mode == AddMode.HYBRID ? daring : cluster.fs();
      updaters.add(cluster.open(fs, path, adding(mode)));
    }
    return updaters;
  }

  /** Writes and reads anywhere. */
  private static Callable<Void> writer(StripedFileUpdater updater, RegisterFile history, int seed) {
    return () -> {
      Random random = new Random(seed);
      for (int i = 0; i < WRITES; i++) {
        byte[] bytes = new byte[1 + random.nextInt(random.nextInt(4) == 0 ? 200_000 : 9000)];
        random.nextBytes(bytes);
        int last = history.lengthBytes() - bytes.length;
        int position = random.nextInt(4) == 0 ? last : random.nextInt(last + 1);
        long write = history.begin(position, bytes, System.nanoTime());
        updater.write(position, ByteBuffer.wrap(bytes));
        history.end(write, System.nanoTime());
      }
      return null;
    };
  }

  /**
   * The last codewords: a short one, one of 7 bytes, two cells with a short one, a whole stripe.
   */
  @ParameterizedTest
  @CsvSource({"FO, 30001", "FL, 7", "PL, 131779", "PLR, 393216"})
  @Order(1)
  void severalWriteTheSamePlaces(String scheme, int lastBytes) throws Exception {
    String path = "/" + scheme;
    byte[] initial = cluster.create(path, STRIPE_BYTES + lastBytes);
    RegisterFile history = new RegisterFile(initial);
    List<StripedFileUpdater> updaters = open(path);
    ExecutorService pool = Executors.newFixedThreadPool(updaters.size());
    byte[] found = new byte[initial.length];
    try {
      updaters.get(0).write(0, ByteBuffer.wrap(initial, 0, 1));
      cluster.convert(cluster.group(path), scheme);
      List<Future<Void>> writers = new ArrayList<>();
      for (StripedFileUpdater updater : updaters) {
        writers.add(pool.submit(writer(updater, history, path.hashCode() + writers.size())));
      }
      for (Future<Void> writer : writers) {
        writer.get(300, TimeUnit.SECONDS);
      }
      long began = System.nanoTime();
      assertThat(updaters.get(1).read(0, ByteBuffer.wrap(found))).isEqualTo(found.length);
      assertThat(history.wrong(0, found, began, System.nanoTime())).isEmpty();
      assertThat(found).isNotEqualTo(initial);
    } finally {
      pool.shutdownNow();
      for (StripedFileUpdater updater : updaters) {
        updater.close();
      }
    }
    FILES.put(path, found);
    assertThat(verify(path)).isEmpty();
    assertThat(isReadable(cluster.fs(), path, found)).isTrue();
    assertThat(isReadable(own, path, found)).isTrue();
    cluster.verify(cluster.group(path));
    assertThat(cluster.corruptReplicas()).isZero();
  }

  /** What {@code -verify} complains of. */
  private static String verify(String path) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    int code =
        new EcUpdateAdmin(cluster.fs().getConf(), InputStream.nullInputStream(), out, out)
            .run(new String[] {"-verify", path});
    return code == 0 ? "" : said.toString(StandardCharsets.UTF_8);
  }

  private static void awaitReadable(String when) {
    FILES.forEach(
        (path, bytes) ->
            await(path + " is read, " + when).until(() -> isReadable(own, path, bytes)));
  }

  /** The same DataNodes have other units of each file. */
  @Test
  @Order(2)
  void oneTwoAndThreeUnitsAreLost() throws Exception {
    MiniUpdates.Group group = cluster.group("/PLR");
    Map<String, MiniDFSCluster.DataNodeProperties> stopped = new LinkedHashMap<>();
    for (int unit : new int[] {0, 3, 5}) {
      stopped.put(group.nodes()[unit], cluster.stop(group.nodes()[unit]));
      awaitReadable("without nodes=" + stopped.size());
    }
    cluster.restart(stopped);
    // And again, by a session that finds what the first ones have left.
    byte[] twin = FILES.get("/PLR");
    byte[] bytes = new byte[100_000];
    new Random(1).nextBytes(bytes);
    try (StripedFileUpdater updater = cluster.open("/PLR", adding(AddMode.BROADCAST))) {
      updater.write(STRIPE_BYTES - 50_000, ByteBuffer.wrap(bytes));
      System.arraycopy(bytes, 0, twin, STRIPE_BYTES - 50_000, bytes.length);
    }
    assertThat(verify("/PLR")).isEmpty();
    assertThat(isReadable(cluster.fs(), "/PLR", twin)).isTrue();
  }

  private static boolean isWholeWithout(String path, Set<String> lost) throws IOException {
    var locations = cluster.located(path).getLocations();
    return locations.length == UNITS
        && Arrays.stream(locations).noneMatch(each -> lost.contains(each.getDatanodeUuid()));
  }

  /** A data unit and the parity unit in which rows move; what is rebuilt then serves to decode. */
  @Test
  @Order(3)
  void twoUnitsAreRebuilt() throws Exception {
    MiniUpdates.Group group = cluster.group("/PLR");
    Set<String> lost = Set.of(group.nodes()[1], group.nodes()[DATA + 1]);
    List<DatanodeID> ids = new ArrayList<>();
    for (String node : lost) {
      ids.add(cluster.node(node).getDatanodeId());
      cluster.stop(node);
    }
    // At rest, or repairs are refused, which is tried again much later.
    awaitReadable("before two nodes are dead");
    for (DatanodeID id : ids) {
      cluster.cluster().setDataNodeDead(id);
    }
    for (Map.Entry<String, byte[]> file : FILES.entrySet()) {
      await("other nodes have the lost units of " + file.getKey())
          .until(() -> isWholeWithout(file.getKey(), lost));
      assertThat(isReadable(cluster.fs(), file.getKey(), file.getValue())).isTrue();
    }
    for (int unit : new int[] {0, 2, 4}) {
      cluster.stop(group.nodes()[unit]);
    }
    awaitReadable("by what was rebuilt");
    assertThat(cluster.corruptReplicas()).isZero();
  }
}
