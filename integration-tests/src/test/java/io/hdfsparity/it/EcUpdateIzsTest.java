/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static io.hdfsparity.it.WholeFile.isReadable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.client.ClientFeatures;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.caso.fs.CasoClientFeature;
import io.hdfsparity.caso.layout.LayoutPointer;
import io.hdfsparity.ecupdate.ajx.AddMode;
import io.hdfsparity.ecupdate.config.SessionKey;
import io.hdfsparity.ecupdate.updater.StripeFinding;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import io.hdfsparity.izs.codec.IzsFamily;
import io.hdfsparity.izs.datanode.IzsDataNodeFeature;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.FeatureClient;
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

/** Files of codec izs, whose bytes go to other places of parity, updated and decoded in turn. */
@Tag("full")
@Timeout(1200)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EcUpdateIzsTest {
  private static final int CELL_BYTES = MiniUpdates.CELL_BYTES;
  private static final int STRIPE_BYTES = 4 * CELL_BYTES;
  private static final int PART_BYTES = 1024;

  @TempDir static java.nio.file.Path root;
  private static MiniUpdates cluster;
  private static FileSystem own;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        MiniUpdates.startIzs(
            root,
            7,
            IzsFamily.code(4, 2),
            Map.of(
                SuiteKey.FEATURES.key(),
                "ecupdate,caso," + IzsDataNodeFeature.class.getName(),
                // A busy machine pauses renewals for longer than the usual three seconds.
                SessionKey.LEASE.key(),
                "15s"));
    own = cluster.newParityFileSystem();
  }

  @AfterAll
  static void stop() throws IOException {
    own.close();
    cluster.close();
  }

  private static UpdaterOptions adding(AddMode mode) {
    UpdaterOptions standard = UpdaterOptions.standard();
    return new UpdaterOptions(
        new UpdaterOptions.Adds(mode, 1, 0),
        0,
        standard.maxOutstanding(),
        standard.maxStripes(),
        standard.collectAfter(),
        60_000,
        standard.maxBackOffMs(),
        standard.threads());
  }

  private static StripedFileUpdater open(String path, AddMode mode) {
    return cluster.open(path, adding(mode));
  }

  private static byte[] create(String path, int lengthBytes) throws IOException {
    return cluster.create(path, lengthBytes);
  }

  private static byte[] some(Random random, int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    random.nextBytes(bytes);
    return bytes;
  }

  private static void writeSome(StripedFileUpdater updater, byte[] twin, int seed, int count)
      throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < count; i++) {
      byte[] bytes = some(random, 1 + random.nextInt(random.nextInt(4) == 0 ? 150_000 : 6000));
      int position =
          i == 0 ? twin.length - bytes.length : random.nextInt(twin.length - bytes.length + 1);
      updater.write(position, ByteBuffer.wrap(bytes));
      System.arraycopy(bytes, 0, twin, position, bytes.length);
    }
  }

  /** Every other kilobyte is one writer's: cells, rows and parity are shared. */
  private static Void writeParts(StripedFileUpdater updater, byte[] twin, int writer)
      throws IOException {
    Random random = new Random(writer);
    for (int i = 0; i < 25; i++) {
      byte[] bytes = some(random, PART_BYTES);
      int slot = random.nextInt(twin.length / PART_BYTES / 2) * 2 + writer;
      updater.write((long) slot * PART_BYTES, ByteBuffer.wrap(bytes));
      System.arraycopy(bytes, 0, twin, slot * PART_BYTES, PART_BYTES);
    }
    return null;
  }

  private static void assertVerified(StripedFileUpdater updater) throws IOException {
    List<StripeFinding> findings = new ArrayList<>();
    updater.verify(30_000, findings::add, looked -> {});
    assertThat(findings).isEmpty();
  }

  /** The last codewords: of 30,001 bytes, of 7, of a cell with one data cell short, of a cell. */
  @ParameterizedTest
  @CsvSource({
    "FO, BROADCAST, 30001",
    "FL, PARALLEL, 7",
    "PL, SERIAL, 65736",
    "PLR, PARALLEL, 262144"
  })
  @Order(1)
  void severalWriteAndEverybodyReads(String scheme, AddMode mode, int lastBytes) throws Exception {
    String path = "/" + scheme;
    byte[] twin = create(path, STRIPE_BYTES + lastBytes);
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try (StripedFileUpdater one = open(path, mode);
        StripedFileUpdater two = open(path, AddMode.PARALLEL)) {
      writeSome(one, twin, 1, 3);
      cluster.convert(cluster.group(path), scheme);
      writeSome(one, twin, 2, 12);
      Future<Void> first = pool.submit(() -> writeParts(one, twin, 0));
      Future<Void> second = pool.submit(() -> writeParts(two, twin, 1));
      first.get(120, TimeUnit.SECONDS);
      second.get(120, TimeUnit.SECONDS);
      assertVerified(two);
      assertThat(isReadable(cluster.fs(), path, twin)).isTrue();
      writeSome(two, twin, 3, 5);
    } finally {
      pool.shutdownNow();
    }
    assertThat(isReadable(cluster.fs(), path, twin)).isTrue();
    assertThat(isReadable(own, path, twin)).isTrue();
    cluster.verify(cluster.group(path));
    assertThat(cluster.corruptReplicas()).isZero();
  }

  /** Two data units are lost: parity 1, in which rows move, is decoded. */
  @Test
  @Order(2)
  void whatWasUpdatedIsDecodedByOurClientAfterwards() throws Exception {
    byte[] twin = create("/decoded", STRIPE_BYTES + 100_003);
    try (StripedFileUpdater updater = open("/decoded", AddMode.PARALLEL)) {
      writeSome(updater, twin, 4, 20);
    }
    MiniUpdates.Group group = cluster.group("/decoded");
    Map<String, MiniDFSCluster.DataNodeProperties> stopped = new HashMap<>();
    for (int unit = 0; unit < 2; unit++) {
      stopped.put(group.nodes()[unit], cluster.stop(group.nodes()[unit]));
    }
    await("a degraded read").until(() -> isReadable(own, "/decoded", twin));
    assertThat(isReadable(cluster.fs(), "/decoded", twin)).isFalse();
    cluster.restart(stopped);
    // And again, by a session that finds what the first has left.
    try (StripedFileUpdater updater = open("/decoded", AddMode.BROADCAST)) {
      writeSome(updater, twin, 5, 10);
      assertVerified(updater);
    }
    assertThat(isReadable(cluster.fs(), "/decoded", twin)).isTrue();
  }

  /** Whether a client that knows of orders and not of codec izs reads a file. */
  private static boolean isReadableWithoutIzs(String file, byte[] twin) throws IOException {
    Configuration conf = new Configuration(cluster.cluster().getConfiguration(0));
    ClientFeatures features = ClientFeatures.of(List.of(new CasoClientFeature()));
    try (DFSClient client =
            new FeatureClient(cluster.cluster().getURI(), conf, /* statistics= */ null, features);
        InputStream in = client.createWrappedInputStream(client.open(file))) {
      return Arrays.equals(in.readAllBytes(), twin);
    } catch (IOException e) {
      return false;
    }
  }

  /** Cells in an order by hdfs-caso: updated and decoded by positions of the file's own order. */
  @Test
  @Order(3)
  void anOrganizedFileIsUpdatedAndDecodedInItsOwnOrder() throws Exception {
    byte[] twin = create("/organized", 10 * STRIPE_BYTES + 1234);
    String trace =
        Files.writeString(root.resolve("organize.csv"), CasoCommands.patterns()).toString();
    // A NameNode that has just become active does not know of sessions for a while.
    await("organized")
        .untilAsserted(
            () ->
                assertThat(
                        CasoCommands.run(cluster.fs(), "-organize", "/organized", "-trace", trace))
                    .isEqualTo("done"));
    assertThat(cluster.fs().getXAttrs(new Path("/organized"))).containsKey(LayoutPointer.XATTR);
    assertThat(StoredBytes.read(cluster.fs(), "/organized")).isNotEqualTo(twin);
    try (FileSystem caso = cluster.newParityFileSystem()) {
      assertThat(isReadable(caso, "/organized", twin)).isTrue();
      assertThat(isReadableWithoutIzs("/organized", twin)).isTrue();
      try (StripedFileUpdater updater = open("/organized", AddMode.PARALLEL)) {
        writeSome(updater, twin, 7, 15);
        cluster.convert(cluster.group("/organized"), "PLR");
        writeSome(updater, twin, 8, 15);
        assertVerified(updater);
        assertThat(isReadable(caso, "/organized", twin)).isTrue();
      }
      MiniUpdates.Group group = cluster.group("/organized");
      cluster.verify(group);
      Map<String, MiniDFSCluster.DataNodeProperties> stopped = new HashMap<>();
      for (int unit = 0; unit < 2; unit++) {
        stopped.put(group.nodes()[unit], cluster.stop(group.nodes()[unit]));
      }
      await("a degraded read").until(() -> isReadable(caso, "/organized", twin));
      assertThat(isReadableWithoutIzs("/organized", twin)).isFalse();
      cluster.restart(stopped);
    }
    // It is refused until all DataNodes know that the session is over.
    await("restored")
        .untilAsserted(
            () ->
                assertThat(CasoCommands.run(cluster.fs(), "-restore", "/organized"))
                    .isEqualTo("done"));
    assertThat(isReadable(cluster.fs(), "/organized", twin)).isTrue();
  }

  /** By half reads; what was rebuilt then serves to decode others. */
  @Test
  @Order(4)
  void whatWasUpdatedIsRebuiltAfterwards() throws Exception {
    byte[] twin = create("/healed", STRIPE_BYTES + 30_001);
    try (StripedFileUpdater updater = open("/healed", AddMode.PARALLEL)) {
      writeSome(updater, twin, 6, 20);
    }
    MiniUpdates.Group group = cluster.group("/healed");
    // At rest, or repairs are refused, which is tried again much later.
    String lost = group.nodes()[1];
    DatanodeID id = cluster.node(lost).getDatanodeId();
    cluster.stop(lost);
    await("a degraded read").until(() -> isReadable(own, "/healed", twin));
    cluster.cluster().setDataNodeDead(id);
    await("another node has the lost unit")
        .until(
            () ->
                cluster.located("/healed").getLocations().length == 6
                    && Arrays.stream(cluster.located("/healed").getLocations())
                        .noneMatch(location -> location.getDatanodeUuid().equals(lost)));
    assertThat(isReadable(cluster.fs(), "/healed", twin)).isTrue();
    cluster.stop(group.nodes()[0]);
    await("a degraded read").until(() -> isReadable(own, "/healed", twin));
    assertThat(cluster.corruptReplicas()).isZero();
  }
}
