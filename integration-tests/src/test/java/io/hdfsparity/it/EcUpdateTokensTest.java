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
import io.hdfsparity.ecupdate.protocol.OpenRequest;
import io.hdfsparity.ecupdate.protocol.SessionAnswer;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import io.hdfsparity.ecupdate.protocol.UpdateUnit;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.wire.SessionManagers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.impl.BlockReaderRemote;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tokens with the NameNode's own password that are not good, and tokens that have expired; what
 * cannot even be made without its keys is in {@link EcUpdateFilesTest}.
 */
@Tag("full")
@Timeout(240)
class EcUpdateTokensTest {
  private static final int FILE_BYTES = 4 * MiniUpdates.CELL_BYTES;
  private static final long LIFETIME_MS = 1500;
  private static final String[] NOBODY = {"nobody"};

  @TempDir static java.nio.file.Path root;
  private static MiniUpdates cluster;
  private static BlockTokenSecretManager secrets;

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> more = UpdateKeys.sessions("2s");
    more.put("dfs.namenode.heartbeat.recheck-interval", "60000");
    cluster = new MiniUpdates(root, 5, more);
    secrets = cluster.cluster().getNamesystem().getBlockManager().getBlockTokenSecretManager();
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  private static UpdateSession session(String path) throws IOException {
    return ((SessionAnswer.Granted)
            SessionManagers.of(cluster.fs().getConf(), cluster.fs().getUri())
                .callActive(manager -> manager.open(new OpenRequest(path, "test", 0))))
        .session();
  }

  private static int crc() {
    return CodeTable.plain(GfMatrix.cauchyParity(MiniUpdates.DATA, 2)).crc();
  }

  /** Made with the NameNode's keys, as the right one but for what is given. */
  private static Bytes minted(UpdateUnit unit, AccessMode mode, long blockId, String storage)
      throws IOException {
    Token<BlockTokenIdentifier> token =
        new Token<>(
            unit.token().orElseThrow().identifier().toArray(),
            unit.token().orElseThrow().password().toArray(),
            new Text("HDFS_BLOCK_TOKEN"),
            new Text());
    BlockTokenIdentifier right = token.decodeIdentifier();
    BlockTokenIdentifier other =
        new BlockTokenIdentifier(
            right.getUserId(),
            right.getBlockPoolId(),
            blockId,
            EnumSet.of(mode),
            right.getStorageTypes(),
            new String[] {storage},
            /* useProto= */ true);
    other.setHandshakeMsg(right.getHandshakeMsg());
    Token<BlockTokenIdentifier> made = new Token<>(other, secrets);
    return EcUpdateFilesTest.token(
        Bytes.wrap(made.getIdentifier()), Bytes.wrap(made.getPassword()), crc());
  }

  @Test
  void onlyATokenForWritingThisReplicaOnItsStorageIsGood() throws Exception {
    cluster.create("/modes", FILE_BYTES);
    cluster.open("/modes").close();
    UpdateSession session = session("/modes");
    List<UpdateUnit> units = session.groups().get(0).units();
    UpdateUnit unit = units.get(0);
    long id = unit.blockId();
    String storage = cluster.located("/modes").getStorageIDs()[indexOf(unit)];
    assertThat(
            EcUpdateFilesTest.answer(
                unit, session, minted(unit, AccessMode.WRITE, id, storage), id))
        .as("as the NameNode makes them")
        .isEmpty();
    for (AccessMode mode : EnumSet.complementOf(EnumSet.of(AccessMode.WRITE))) {
      assertThat(EcUpdateFilesTest.answer(unit, session, minted(unit, mode, id, storage), id))
          .as("a token to %s", mode)
          .contains("FORBIDDEN");
    }
    assertThat(
            EcUpdateFilesTest.answer(
                unit, session, minted(unit, AccessMode.WRITE, units.get(1).blockId(), storage), id))
        .contains("FORBIDDEN");
    assertThat(
            EcUpdateFilesTest.answer(
                unit, session, minted(unit, AccessMode.WRITE, id, "DS-another"), id))
        .contains("FORBIDDEN");
  }

  private static int indexOf(UpdateUnit unit) throws IOException {
    byte[] indices = cluster.located("/modes").getBlockIndices();
    for (int i = 0; i < indices.length; i++) {
      if (indices[i] == unit.unit()) {
        return i;
      }
    }
    throw new AssertionError("no unit " + unit.unit());
  }

  private static int read(LocatedBlock unit, Token<BlockTokenIdentifier> token, String client)
      throws IOException {
    DatanodeInfo node = unit.getLocations()[0];
    Socket socket = NetUtils.getDefaultSocketFactory(cluster.fs().getConf()).createSocket();
    socket.connect(new InetSocketAddress(node.getIpAddr(), node.getXferPort()));
    try (BlockReader reader =
        BlockReaderRemote.newBlockReader(
            "file",
            unit.getBlock(),
            token,
            0,
            unit.getBlockSize(),
            /* verifyChecksum= */ true,
            client,
            DFSUtilClient.peerFromSocket(socket),
            node,
            null,
            CachingStrategy.newDefaultStrategy(),
            0,
            cluster.fs().getConf())) {
      ByteBuffer bytes = ByteBuffer.allocate((int) unit.getBlockSize());
      int read = 0;
      while (bytes.hasRemaining() && read >= 0) {
        read = reader.read(bytes);
      }
      return bytes.position();
    } finally {
      socket.close();
    }
  }

  /** What DataNodes read of each other keeps a block group from updates under its ids. */
  @Test
  void aClientThatReadsAsADataNodeRetiresNoGroup() throws Exception {
    cluster.create("/read", FILE_BYTES);
    Set<Long> before = ids("/read");
    UserGroupInformation mallory = UserGroupInformation.createUserForTesting("mallory", NOBODY);
    DistributedFileSystem theirs =
        (DistributedFileSystem) DFSTestUtil.getFileSystemAs(mallory, cluster.fs().getConf());
    LocatedStripedBlock group =
        (LocatedStripedBlock)
            theirs.getClient().getLocatedBlocks("/read", 0).getLocatedBlocks().get(0);
    for (LocatedBlock unit :
        StripedBlockUtil.parseStripedBlockGroup(group, MiniUpdates.CELL_BYTES, 3, 2)) {
      if (unit == null || unit.getBlockSize() == 0) {
        continue;
      }
      assertThat(read(unit, unit.getBlockToken(), "a-client")).isEqualTo(unit.getBlockSize());
      for (String noName : new String[] {"", " at /127.0.0.1:1", " x"}) {
        assertThatThrownBy(() -> read(unit, unit.getBlockToken(), noName))
            .as("client name \"%s\"", noName)
            .isInstanceOf(IOException.class)
            .hasMessageContaining("user of the block token=mallory");
      }
    }
    try (StripedFileUpdater updater = cluster.open("/read")) {
      updater.write(0, ByteBuffer.wrap(new byte[] {1, 2, 3}));
    }
    assertThat(ids("/read")).as("not written anew").isEqualTo(before);
    cluster.create("/never", FILE_BYTES);
    // A DataNode's own token is made with the same keys, in its own name.
    LocatedBlock unit =
        StripedBlockUtil.parseStripedBlockGroup(
            cluster.located("/never"), MiniUpdates.CELL_BYTES, 3, 2)[0];
    assertThat(
            read(
                unit,
                secrets.generateToken(
                    unit.getBlock(),
                    EnumSet.of(AccessMode.READ),
                    unit.getStorageTypes(),
                    unit.getStorageIDs()),
                ""))
        .isEqualTo(unit.getBlockSize());
  }

  private static Set<Long> ids(String path) throws IOException {
    Set<Long> ids = new HashSet<>();
    for (LocatedBlock group :
        cluster.fs().getClient().getLocatedBlocks(path, 0).getLocatedBlocks()) {
      ids.add(group.getBlock().getBlockId());
    }
    return ids;
  }

  /** Time passes for real here: a token is good for a second or two. */
  @Test
  void anExpiredTokenIsRefusedAndAnUpdaterGetsAnother() throws Exception {
    byte[] twin = cluster.create("/expired", FILE_BYTES);
    cluster.open("/expired").close();
    secrets.setTokenLifetime(LIFETIME_MS);
    try (StripedFileUpdater updater = cluster.open("/expired")) {
      updater.write(0, ByteBuffer.wrap(new byte[] {1, 2, 3}));
      UpdateSession session = session("/expired");
      UpdateUnit unit = session.groups().get(0).units().get(0);
      Bytes good =
          EcUpdateFilesTest.token(
              unit.token().orElseThrow().identifier(),
              unit.token().orElseThrow().password(),
              crc());
      await("the token has expired")
          .untilAsserted(
              () ->
                  assertThat(EcUpdateFilesTest.answer(unit, session, good, unit.blockId()))
                      .contains("FORBIDDEN")
                      .containsIgnoringCase("expired"));
      // The updater's tokens were made before that one. A connection that is let in stays; a new
      // one needs a new token.
      updater.write(10, ByteBuffer.wrap(new byte[] {4, 5, 6}));
      String node = cluster.group("/expired").nodes()[0];
      cluster.restart(node, () -> {});
      updater.write(20, ByteBuffer.wrap(new byte[] {7, 8, 9}));
      for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
          twin[10 * i + k] = (byte) (3 * i + k + 1);
        }
      }
      byte[] read = new byte[FILE_BYTES];
      updater.read(0, ByteBuffer.wrap(read));
      assertThat(Arrays.equals(read, twin)).isTrue();
    } finally {
      secrets.setTokenLifetime(Duration.ofHours(10).toMillis());
    }
    try (FSDataInputStream in = cluster.fs().open(new Path("/expired"))) {
      assertThat(Arrays.equals(in.readAllBytes(), twin)).isTrue();
    }
    cluster.verify(cluster.group("/expired"));
  }
}
