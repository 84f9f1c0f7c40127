/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.CodeTable;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.channel.ChannelClient;
import io.hdfsparity.ecupdate.channel.ClientLimits;
import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.protocol.ChannelToken;
import io.hdfsparity.ecupdate.protocol.OpenRequest;
import io.hdfsparity.ecupdate.protocol.SessionAnswer;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import io.hdfsparity.ecupdate.protocol.UpdateUnit;
import io.hdfsparity.ecupdate.protocol.WriteToken;
import io.hdfsparity.ecupdate.updater.Endpoint;
import io.hdfsparity.ecupdate.updater.SessionOverException;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import io.hdfsparity.ecupdate.wire.SessionManagers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program's way through all of it: block tokens, sessions, channel, engines. */
@Tag("full")
@Timeout(1200)
class EcUpdateFilesTest {
  /** Three full stripes, a cell, and a cell whose last chunk is not full. */
  private static final int FILE_BYTES = 10 * MiniUpdates.CELL_BYTES + 30_001;

  private static final long LEASE_MS = 10_000;
  private static final int MAX_WRITE = 100_000;
  private static final UpdaterOptions OPTIONS = UpdaterOptions.standard();

  @TempDir static java.nio.file.Path root;
  private static MiniUpdates cluster;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> more = UpdateKeys.sessions("5s");
    more.putAll(UpdateKeys.lease(LEASE_MS + "ms"));
    // A DataNode that is started again must not be taken for dead.
    more.put("dfs.namenode.heartbeat.recheck-interval", "30000");
    cluster = new MiniUpdates(root, 5, more);
    fs = cluster.fs();
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  private static long modifiedMs(String path) throws IOException {
    return fs.getFileStatus(new Path(path)).getModificationTime();
  }

  /** Writes at random places, and to the twin. */
  private static void writeSome(StripedFileUpdater updater, byte[] twin, Random random, int count)
      throws IOException {
    for (int i = 0; i < count; i++) {
      byte[] bytes = new byte[1 + random.nextInt(random.nextInt(4) == 0 ? MAX_WRITE : 4096)];
      random.nextBytes(bytes);
      int position = random.nextInt(FILE_BYTES - bytes.length + 1);
      updater.write(position, ByteBuffer.wrap(bytes));
      System.arraycopy(bytes, 0, twin, position, bytes.length);
    }
  }

  private static byte[] readOurs(StripedFileUpdater updater) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(FILE_BYTES);
    assertThat(updater.read(0, bytes)).isEqualTo(FILE_BYTES);
    return bytes.array();
  }

  private static void assertStockSees(String path, byte[] twin, Random random)
      throws IOException, InterruptedException {
    try (FSDataInputStream in = fs.open(new Path(path))) {
      assertThat(Arrays.equals(in.readAllBytes(), twin)).as("the whole of %s", path).isTrue();
      for (int i = 0; i < 5; i++) {
        int position = random.nextInt(FILE_BYTES);
        byte[] part = new byte[1 + random.nextInt(FILE_BYTES - position)];
        in.readFully(position, part);
        assertThat(Arrays.equals(part, 0, part.length, twin, position, position + part.length))
            .as("%s from %d", path, position)
            .isTrue();
      }
    }
    assertThat(fs.getFileChecksum(new Path(path))).isNotNull();
    cluster.verify(cluster.group(path));
    assertThat(cluster.corruptReplicas()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"FO", "FL", "PL", "PLR"})
  void whatIsWrittenIsReadByAll(String scheme) throws Exception {
    String path = "/" + scheme;
    byte[] twin = cluster.create(path, FILE_BYTES);
    final long createdMs = modifiedMs(path);
    Random random = new Random(scheme.hashCode());
    try (StripedFileUpdater updater = cluster.open(path)) {
      assertThat(updater.lengthBytes()).isEqualTo(FILE_BYTES);
      long openedMs = modifiedMs(path);
      assertThat(openedMs).isGreaterThan(createdMs);
      assertThat(Arrays.equals(readOurs(updater), twin)).isTrue();
      cluster.convert(cluster.group(path), scheme);
      writeSome(updater, twin, random, 40);
      assertThat(Arrays.equals(readOurs(updater), twin)).isTrue();
      assertStockSees(path, twin, random);
      assertThatThrownBy(() -> updater.write(FILE_BYTES - 1, ByteBuffer.allocate(2)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("expected a range inside the file");
    }
    long closedMs = modifiedMs(path);
    assertThat(closedMs).isGreaterThan(createdMs);
    assertStockSees(path, twin, random);
    try (StripedFileUpdater again = cluster.open(path)) {
      assertThat(Arrays.equals(readOurs(again), twin)).isTrue();
      writeSome(again, twin, random, 5);
    }
    assertThat(modifiedMs(path)).isGreaterThan(closedMs);
    assertStockSees(path, twin, random);
  }

  @Test
  void twoClientsAtOnce() throws Exception {
    byte[] twin = cluster.create("/two", FILE_BYTES);
    int part = 1024;
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try (StripedFileUpdater one = cluster.open("/two");
        StripedFileUpdater two = cluster.open("/two")) {
      Future<?>[] writers = new Future<?>[2];
      for (int w = 0; w < 2; w++) {
        StripedFileUpdater updater = w == 0 ? one : two;
        int mine = w;
        Random random = new Random(w);
        writers[w] =
            pool.submit(
                () -> {
                  // Every other kilobyte is mine: cells, chunks and parity are shared.
                  for (int i = 0; i < 60; i++) {
                    byte[] bytes = new byte[part];
                    random.nextBytes(bytes);
                    int slot = random.nextInt(FILE_BYTES / part / 2) * 2 + mine;
                    updater.write((long) slot * part, ByteBuffer.wrap(bytes));
                    System.arraycopy(bytes, 0, twin, slot * part, part);
                  }
                  return null;
                });
      }
      for (Future<?> writer : writers) {
        writer.get(120, TimeUnit.SECONDS);
      }
      assertThat(Arrays.equals(readOurs(one), twin)).isTrue();
      assertThat(Arrays.equals(readOurs(two), twin)).isTrue();
    } finally {
      pool.shutdownNow();
    }
    assertStockSees("/two", twin, new Random(1));
  }

  @Test
  void aDataNodeIsStartedAgain() throws Exception {
    byte[] twin = cluster.create("/restart", FILE_BYTES);
    Random random = new Random(5);
    try (StripedFileUpdater updater = cluster.open("/restart")) {
      writeSome(updater, twin, random, 5);
      byte[] during = new byte[2 * MiniUpdates.CELL_BYTES];
      random.nextBytes(during);
      MiniUpdates.Group group = cluster.group("/restart");
      CompletableFuture<?>[] write = new CompletableFuture<?>[1];
      cluster.restart(
          group.nodes()[0],
          () -> {
            write[0] = updater.writeAsync(100, ByteBuffer.wrap(during));
            assertThat(write[0]).isNotDone();
          });
      System.arraycopy(during, 0, twin, 100, during.length);
      write[0].get(120, TimeUnit.SECONDS);
      writeSome(updater, twin, random, 10);
      assertThat(Arrays.equals(readOurs(updater), twin)).isTrue();
    }
    assertStockSees("/restart", twin, random);
  }

  /** Those that it has linked into {@code previous/} stay as they were. */
  @Test
  void aReplicaWhoseFilesAnUpgradeHasLinkedGetsFilesOfItsOwn() throws Exception {
    byte[] twin = cluster.create("/linked", FILE_BYTES);
    Random random = new Random(9);
    java.nio.file.Path previous = Files.createDirectories(root.resolve("linked-by-an-upgrade"));
    try (StripedFileUpdater updater = cluster.open("/linked")) {
      writeSome(updater, twin, random, 5);
      MiniUpdates.Group group = cluster.group("/linked");
      List<java.nio.file.Path> files = finalizedFiles(group.blocks()[0]);
      assertThat(files).as("block and checksums").hasSize(2);
      Map<java.nio.file.Path, byte[]> linked = new HashMap<>();
      cluster.restart(
          group.nodes()[0],
          () -> {
            for (java.nio.file.Path file : files) {
              java.nio.file.Path link = previous.resolve(file.getFileName());
              Files.createLink(link, file);
              linked.put(link, Files.readAllBytes(link));
            }
          });
      for (java.nio.file.Path file : files) {
        assertThat(Files.getAttribute(file, "unix:nlink")).as("links of %s", file).isEqualTo(1);
      }
      writeSome(updater, twin, random, 10);
      assertThat(Arrays.equals(readOurs(updater), twin)).isTrue();
      linked.forEach((link, before) -> assertThat(link).hasBinaryContent(before));
    }
    assertStockSees("/linked", twin, random);
  }

  private static List<java.nio.file.Path> finalizedFiles(long blockId) throws IOException {
    try (Stream<java.nio.file.Path> all = Files.walk(root)) {
      return all.filter(file -> file.toString().contains("/finalized/"))
          .filter(file -> file.getFileName().toString().matches("blk_" + blockId + "(_.*)?"))
          .toList();
    }
  }

  @Test
  void whatADeadClientLeftIsRecovered() throws Exception {
    byte[] twin = cluster.create("/dead", FILE_BYTES);
    try (StripedFileUpdater updater = cluster.open("/dead")) {
      writeSome(updater, twin, new Random(6), 5);
      // Somebody swaps a cell, and is never heard of again.
      byte[] bytes = new byte[500];
      Arrays.fill(bytes, (byte) 7);
      MiniUpdates.Group group = cluster.group("/dead");
      cluster.ask(
          group, 1, 1, new Request.Swap(new Patch(300, Bytes.wrap(bytes)), new Tid(99L, 0, 1)));
      updater.recover(0, FILE_BYTES, 50);
      byte[] read = readOurs(updater);
      int from = 4 * MiniUpdates.CELL_BYTES + 300;
      byte[] cut = Arrays.copyOfRange(read, from, from + bytes.length);
      byte[] before = Arrays.copyOfRange(twin, from, from + bytes.length);
      assertThat(Arrays.equals(cut, bytes) || Arrays.equals(cut, before)).isTrue();
      System.arraycopy(cut, 0, twin, from, cut.length);
      assertThat(Arrays.equals(read, twin)).isTrue();
      cluster.verify(group);
      writeSome(updater, twin, new Random(7), 20);
    }
    assertStockSees("/dead", twin, new Random(8));
  }

  @Test
  void aSnapshotEndsTheSession() throws Exception {
    fs.mkdirs(new Path("/snap"));
    fs.allowSnapshot(new Path("/snap"));
    byte[] twin = cluster.create("/snap/f", FILE_BYTES);
    StripedFileUpdater updater = cluster.open("/snap/f");
    writeSome(updater, twin, new Random(1), 5);
    fs.createSnapshot(new Path("/snap"), "s");
    await("the session is over")
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> updater.read(0, ByteBuffer.allocate(1)))
                    .isInstanceOf(SessionOverException.class));
    assertThatThrownBy(() -> updater.write(0, ByteBuffer.allocate(1)))
        .isInstanceOf(SessionOverException.class)
        .hasMessageContaining("remedy");
    assertThatThrownBy(updater::close).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> FileUpdates.open(fs, new Path("/snap/f"), OPTIONS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("snapshot");
    assertStockSees("/snap/f", twin, new Random(2));
    fs.deleteSnapshot(new Path("/snap"), "s");
    try (StripedFileUpdater again = cluster.open("/snap/f")) {
      writeSome(again, twin, new Random(3), 5);
    }
    assertStockSees("/snap/f", twin, new Random(4));
  }

  @Test
  void whoMayNotWriteIsRefused() throws Exception {
    cluster.create("/mine", FILE_BYTES);
    fs.setPermission(new Path("/mine"), new FsPermission("644"));
    cluster.open("/mine").close();
    UserGroupInformation bob =
        UserGroupInformation.createUserForTesting("bob", new String[] {"people"});
    assertThatThrownBy(
            () ->
                bob.doAs(
                    (PrivilegedExceptionAction<StripedFileUpdater>)
                        () -> FileUpdates.open(fs, new Path("/mine"), OPTIONS)))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("bob");
  }

  /** What a node answers to whoever connects with some bytes; empty if it lets him in. */
  static String answer(UpdateUnit to, UpdateSession session, Bytes token, long blockId)
      throws Exception {
    FirstAnswer answer = new FirstAnswer();
    try (ChannelClient channels = new ChannelClient(ClientLimits.standard(), node -> token)) {
      channels.call(
          new Endpoint(
              to.storage().node().host(),
              to.storage().node().port(),
              session.file().blockPool(),
              "any"),
          new SlotKey(new ReplicaKey(session.file().blockPool(), blockId), 0),
          new Request.Probe(),
          answer);
      return answer.await(120);
    }
  }

  static Bytes token(Bytes identifier, Bytes password, int crc) {
    return new ChannelToken(new WriteToken(identifier, password), crc).encode();
  }

  @Test
  void onlyTokensOfTheSessionAreGood() throws Exception {
    cluster.create("/tokens", FILE_BYTES);
    cluster.open("/tokens").close();
    SessionManagers managers = SessionManagers.of(fs.getConf(), fs.getUri());
    UpdateSession session =
        ((SessionAnswer.Granted)
                managers.callActive(manager -> manager.open(new OpenRequest("/tokens", "test", 0))))
            .session();
    List<UpdateUnit> units = session.groups().get(0).units();
    UpdateUnit unit = units.get(0);
    long id = unit.blockId();
    Bytes identifier = unit.token().orElseThrow().identifier();
    Bytes password = unit.token().orElseThrow().password();
    int crc = CodeTable.plain(GfMatrix.cauchyParity(MiniUpdates.DATA, 2)).crc();
    Bytes good = token(identifier, password, crc);
    assertThat(answer(unit, session, good, id)).isEmpty();

    assertThat(answer(unit, session, good, units.get(1).blockId()))
        .contains("FORBIDDEN")
        .contains("expected one that the token allows");
    byte[] forged = identifier.toArray();
    forged[forged.length - 1] ^= 1;
    assertThat(answer(unit, session, token(Bytes.wrap(forged), password, crc), id))
        .contains("FORBIDDEN");
    byte[] wrong = password.toArray();
    wrong[3] ^= 1;
    assertThat(answer(unit, session, token(identifier, Bytes.wrap(wrong), crc), id))
        .contains("correct token password");
    assertThat(answer(unit, session, token(unit.terms(), Bytes.zeros(0), crc), id))
        .contains("FORBIDDEN");
    assertThat(answer(unit, session, Bytes.zeros(20), id)).contains("it is no token");
    assertThat(answer(unit, session, token(identifier, password, crc + 1), id))
        .contains("the same coder of codec rs");
    // Of another replica, at this node.
    WriteToken other = units.get(1).token().orElseThrow();
    assertThat(answer(unit, session, token(other.identifier(), other.password(), crc), id))
        .contains("broke");
    // HDFS's own tokens are for reading, and say nothing of a session.
    Token<?> stock =
        StripedBlockUtil.parseStripedBlockGroup(
            cluster.located("/tokens"), MiniUpdates.CELL_BYTES, MiniUpdates.DATA, 2)[0]
            .getBlockToken();
    assertThat(
            answer(
                unit,
                session,
                token(Bytes.wrap(stock.getIdentifier()), Bytes.wrap(stock.getPassword()), crc),
                id))
        .contains("it is no token of an update session");

    managers.callActive(manager -> manager.close(session.id()));
    await("no DataNode takes it for live")
        .untilAsserted(
            () ->
                assertThat(answer(unit, session, good, id))
                    .contains("expected a session that a NameNode says is open"));
  }

  @Test
  void anIdleUpdaterKeepsItsSession() throws Exception {
    byte[] twin = cluster.create("/idle", FILE_BYTES);
    SessionManagers managers = SessionManagers.of(fs.getConf(), fs.getUri());
    try (StripedFileUpdater updater = cluster.open("/idle")) {
      await("the session is older than a lease")
          .until(
              () ->
                  managers.callActive(manager -> manager.list(false)).stream()
                      .anyMatch(
                          each -> each.path().equals("/idle") && each.ageMs() > LEASE_MS + 500));
      writeSome(updater, twin, new Random(1), 3);
    }
    assertStockSees("/idle", twin, new Random(2));
  }

  @Test
  void aSessionIsOverWhenADataNodeForgetsItTogetherWithTheNameNode() throws Exception {
    byte[] twin = cluster.create("/forgotten", FILE_BYTES);
    StripedFileUpdater updater = cluster.open("/forgotten");
    writeSome(updater, twin, new Random(1), 5);
    cluster.restart(
        cluster.group("/forgotten").nodes()[1], () -> cluster.cluster().restartNameNode(true));
    MiniUpdates.assertOver(updater);
    try (StripedFileUpdater again = cluster.open("/forgotten")) {
      assertThat(Arrays.equals(readOurs(again), twin)).isTrue();
      writeSome(again, twin, new Random(2), 5);
    }
    assertStockSees("/forgotten", twin, new Random(3));
  }

  @Test
  void whatTheConfigurationRulesOutIsRefusedAndLeavesNoSession() throws Exception {
    cluster.create("/ruled", FILE_BYTES);
    cluster.open("/ruled").close();
    Configuration conf = fs.getConf();
    try {
      conf.set("dfs.parity.ecupdate.survive", "1c2s");
      assertThatThrownBy(() -> FileUpdates.open(fs, new Path("/ruled"), OPTIONS))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("demanded=1c2s");
    } finally {
      conf.unset("dfs.parity.ecupdate.survive");
    }
    assertThat(
            SessionManagers.of(conf, fs.getUri())
                .callActive(manager -> manager.list(false))
                .stream()
                .filter(each -> each.path().equals("/ruled") && each.ended().isEmpty()))
        .isEmpty();
  }

  @Test
  void aClientMayProtectMoreThanDataNodesAskFor() throws Exception {
    byte[] twin = cluster.create("/guarded", FILE_BYTES);
    Configuration conf = fs.getConf();
    conf.set("dfs.data.transfer.protection", "integrity");
    try (StripedFileUpdater updater = cluster.open("/guarded")) {
      writeSome(updater, twin, new Random(1), 20);
      assertThat(Arrays.equals(readOurs(updater), twin)).isTrue();
    } finally {
      conf.unset("dfs.data.transfer.protection");
    }
    assertStockSees("/guarded", twin, new Random(2));
  }

  @Test
  void otherFileSystemsAreRefused() throws Exception {
    try (FileSystem local = new RawLocalFileSystem()) {
      local.initialize(java.net.URI.create("file:///"), fs.getConf());
      assertThatThrownBy(() -> FileUpdates.open(local, new Path("/f"), OPTIONS))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("expected HDFS");
    }
  }
}
