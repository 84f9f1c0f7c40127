/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.protocol.LiveSessions;
import io.hdfsparity.ecupdate.protocol.OpenRequest;
import io.hdfsparity.ecupdate.protocol.SessionAnswer;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.SessionStatus;
import io.hdfsparity.ecupdate.protocol.UnitTerms;
import io.hdfsparity.ecupdate.protocol.UpdateGroup;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import io.hdfsparity.ecupdate.protocol.UpdateUnit;
import io.hdfsparity.ecupdate.wire.SessionManagers;
import io.hdfsparity.izs.level.FileOutcome;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.blockmanagement.WriteTokens;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the session manager grants, to whom, and what it refuses; on a cluster with block tokens.
 */
@Tag("full")
class UpdateSessionTest {
  private static final int LEVEL = 2;

  @TempDir static java.nio.file.Path root;
  private static MiniSessions sessions;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = MiniSessions.conf();
    conf.set(
        CommonConfigurationKeysPublic.HADOOP_SECURITY_KEY_PROVIDER_PATH,
        "jceks://file" + root.resolve("keys.jceks").toUri().getPath());
    sessions = MiniSessions.start(conf, root, MiniLevels.K + 3);
    fs = sessions.cluster().getFileSystem();
    MiniLevels.addPolicies(fs, "rs");
    MiniLevels.makeDirectory(fs, "/rs", MiniLevels.policy("rs", LEVEL));
  }

  @AfterAll
  static void stop() {
    sessions.close();
  }

  private static String write(String path) throws IOException {
    MiniSessions.write(fs, path, LEVEL);
    return path;
  }

  private static String kind(SessionAnswer answer) {
    return MiniSessions.refusal(answer).kind();
  }

  private static SessionAnswer renew(SessionId id) throws IOException {
    return sessions.call(0, manager -> manager.renew(id));
  }

  private static SessionAnswer locate(SessionId id) throws IOException {
    return sessions.call(0, manager -> manager.locate(id, 0, OptionalLong.empty()));
  }

  private static SessionAnswer close(SessionId id) throws IOException {
    return sessions.call(0, manager -> manager.close(id));
  }

  private static SessionAnswer answerAs(String user, MiniSessions.Call<SessionAnswer> call)
      throws Exception {
    return sessions.callAs(user, call);
  }

  private static List<SessionStatus> listAs(String user, boolean all) throws Exception {
    return sessions.callAs(user, manager -> manager.list(all));
  }

  private static List<SessionStatus> listAll() throws IOException {
    return sessions.call(0, manager -> manager.list(true));
  }

  private static DataNode dataNode(String uuid) {
    return sessions.cluster().getDataNodes().stream()
        .filter(each -> each.getDatanodeUuid().equals(uuid))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void tellsWhereEverythingIsWithTokensThatDataNodesTake() throws Exception {
    write("/rs/layout");
    long writtenMs = MiniSessions.modifiedMs(fs, "/rs/layout");
    UpdateSession session = sessions.granted(0, "/rs/layout");
    assertThat(MiniSessions.modifiedMs(fs, "/rs/layout")).isGreaterThan(writtenMs);
    assertThat(session.file().code().codec()).isEqualTo("rs");
    assertThat(session.file().code().units()).isEqualTo(MiniLevels.K + LEVEL);
    assertThat(session.file().lengthBytes())
        .isEqualTo(fs.getFileStatus(new Path("/rs/layout")).getLen());
    assertThat(session.tokenValidMs()).isPositive();
    List<String> told = new ArrayList<>();
    for (UpdateGroup group : session.groups()) {
      for (UpdateUnit unit : group.units()) {
        told.add(
            group.offsetBytes()
                + " "
                + unit.blockId()
                + " "
                + unit.generation()
                + " "
                + unit.lengthBytes()
                + " "
                + unit.storage().node().uuid()
                + " "
                + unit.storage().storageId());
        assertTokens(session, unit);
      }
    }
    assertThat(told).containsExactlyInAnyOrderElementsOf(located("/rs/layout"));
    sessions.awaitLive(session, true);
    assertThat(close(session.id())).isEqualTo(new SessionAnswer.Closed());
    sessions.awaitLive(session, false);
  }

  /** The same, by HDFS's own words. */
  private static List<String> located(String path) throws IOException {
    List<String> all = new ArrayList<>();
    for (var block : fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks()) {
      LocatedStripedBlock group = (LocatedStripedBlock) block;
      for (int i = 0; i < group.getBlockIndices().length; i++) {
        ExtendedBlock unit =
            StripedBlockUtil.constructInternalBlock(
                group.getBlock(), MiniLevels.CELL_BYTES, MiniLevels.K, group.getBlockIndices()[i]);
        all.add(
            group.getStartOffset()
                + " "
                + unit.getBlockId()
                + " "
                + unit.getGenerationStamp()
                + " "
                + unit.getNumBytes()
                + " "
                + group.getLocations()[i].getDatanodeUuid()
                + " "
                + group.getStorageIDs()[i]);
      }
    }
    return all;
  }

  private static void assertTokens(UpdateSession session, UpdateUnit unit) throws IOException {
    ExtendedBlock block =
        new ExtendedBlock(
            session.file().blockPool(), unit.blockId(), unit.lengthBytes(), unit.generation());
    byte[] identifier = unit.token().orElseThrow().identifier().toArray();
    byte[] password = unit.token().orElseThrow().password().toArray();
    check(unit, block, identifier, password, AccessMode.WRITE, unit.storage().storageId());
    assertThat(SessionId.ofMark(WriteTokens.markOf(identifier))).contains(session.id());
    assertThatThrownBy(
            () ->
                check(
                    unit, block, identifier, password, AccessMode.READ, unit.storage().storageId()))
        .isInstanceOf(InvalidToken.class);
    assertThatThrownBy(
            () -> check(unit, block, identifier, password, AccessMode.WRITE, "DS-another"))
        .isInstanceOf(InvalidToken.class);
    byte[] forged = identifier.clone();
    forged[forged.length - 1] ^= 1;
    assertThat(UnitTerms.ofMark(WriteTokens.markOf(identifier)))
        .contains(UnitTerms.ofMark(unit.terms().toArray()).orElseThrow());
    assertThat(UnitTerms.ofMark(WriteTokens.markOf(forged)))
        .isNotEqualTo(UnitTerms.ofMark(WriteTokens.markOf(identifier)));
    assertThatThrownBy(
            () ->
                check(unit, block, forged, password, AccessMode.WRITE, unit.storage().storageId()))
        .isInstanceOf(InvalidToken.class);
    assertThatThrownBy(
            () ->
                check(
                    unit,
                    block,
                    identifier,
                    new byte[20],
                    AccessMode.WRITE,
                    unit.storage().storageId()))
        .isInstanceOf(InvalidToken.class);
  }

  private static void check(
      UpdateUnit unit,
      ExtendedBlock block,
      byte[] identifier,
      byte[] password,
      AccessMode mode,
      String storageId)
      throws IOException {
    Token<BlockTokenIdentifier> token =
        new Token<>(identifier, password, new Text("HDFS_BLOCK_TOKEN"), new Text());
    dataNode(unit.storage().node().uuid())
        .getBlockPoolTokenSecretManager()
        .checkAccess(
            token,
            null,
            block,
            mode,
            new StorageType[] {StorageType.valueOf(unit.storage().storageType())},
            new String[] {storageId});
  }

  @Test
  void clientsFindTheActiveManager() throws Exception {
    write("/rs/found");
    Configuration conf = new Configuration(sessions.levels().clientConf());
    conf.set("fs.defaultFS", fs.getUri().toString());
    SessionManagers managers = SessionManagers.of(conf, fs.getUri());
    assertThat(managers.addresses()).containsExactly(sessions.manager(0));
    assertThat(SessionManagers.byNameservice(conf)).hasSize(1);
    assertThatThrownBy(() -> SessionManagers.of(conf, URI.create("hdfs://elsewhere:1/")))
        .hasMessageContaining("fileSystem=hdfs://elsewhere:1/");
    SessionAnswer answer =
        managers.callActive(manager -> manager.open(new OpenRequest("/rs/found", "test", 0)));
    assertThat(answer).isInstanceOf(SessionAnswer.Granted.class);
    close(((SessionAnswer.Granted) answer).session().id());
  }

  @Test
  void filesThatCannotBeUpdated() throws Exception {
    MiniLevels.write(fs, "/replicated", new byte[10]);
    assertThat(kind(sessions.open(0, "/replicated"))).isEqualTo("not-striped");
    assertThat(kind(sessions.open(0, "/rs"))).isEqualTo("not-a-file");
    assertThatThrownBy(() -> sessions.open(0, "/rs/absent"))
        .isInstanceOf(FileNotFoundException.class);
    ErasureCodingPolicy xor =
        new ErasureCodingPolicy(new ECSchema("xor", 2, 1), MiniLevels.CELL_BYTES);
    fs.addErasureCodingPolicies(new ErasureCodingPolicy[] {xor});
    fs.enableErasureCodingPolicy(xor.getName());
    MiniLevels.makeDirectory(fs, "/xor", xor.getName());
    MiniLevels.write(fs, "/xor/f", new byte[10]);
    assertThat(kind(sessions.open(0, "/xor/f"))).isEqualTo("codec");
    try (OutputStream out = fs.create(new Path("/rs/open"))) {
      out.write(1);
      assertThat(kind(sessions.open(0, "/rs/open"))).isEqualTo("open");
    }
  }

  @Test
  void encryptionZone() throws Exception {
    KeyProvider keys = sessions.cluster().getNamesystem().getProvider();
    KeyProvider.Options options = KeyProvider.options(sessions.levels().clientConf());
    options.setBitLength(128);
    keys.createKey("zone", options);
    keys.flush();
    fs.getClient().setKeyProvider(keys);
    fs.mkdirs(new Path("/zone"));
    fs.createEncryptionZone(new Path("/zone"), "zone");
    fs.setErasureCodingPolicy(new Path("/zone"), MiniLevels.policy("rs", LEVEL));
    MiniLevels.write(fs, "/zone/f", new byte[10]);
    assertThat(kind(sessions.open(0, "/zone/f"))).isEqualTo("encrypted");
  }

  @Test
  void snapshotsBeforeAndDuringASession() throws Exception {
    MiniLevels.makeDirectory(fs, "/rs/s", MiniLevels.policy("rs", LEVEL));
    fs.allowSnapshot(new Path("/rs/s"));
    write("/rs/s/f");
    fs.createSnapshot(new Path("/rs/s"), "x");
    assertThat(kind(sessions.open(0, "/rs/s/f"))).isEqualTo("snapshot");
    fs.deleteSnapshot(new Path("/rs/s"), "x");
    UpdateSession session = sessions.granted(0, "/rs/s/f");
    sessions.awaitLive(session, true);
    fs.createSnapshot(new Path("/rs/s"), "y");
    sessions.awaitLive(session, false);
    String over = kind(renew(session.id()));
    assertThat(over).isIn("snapshot", "unknown-session");
    fs.deleteSnapshot(new Path("/rs/s"), "y");
  }

  @Test
  void upgradeAndSafeMode() throws Exception {
    write("/rs/upgrade");
    UpdateSession session = sessions.granted(0, "/rs/upgrade");
    fs.setSafeMode(SafeModeAction.ENTER);
    try {
      assertThatThrownBy(() -> sessions.open(0, "/rs/upgrade"))
          .isInstanceOf(SafeModeException.class);
      assertThatThrownBy(() -> close(session.id())).isInstanceOf(SafeModeException.class);
      assertThat(renew(session.id())).isInstanceOf(SessionAnswer.Renewed.class);
      fs.rollingUpgrade(RollingUpgradeAction.PREPARE);
    } finally {
      fs.setSafeMode(SafeModeAction.LEAVE);
    }
    assertThat(kind(sessions.open(0, "/rs/upgrade"))).isEqualTo("upgrade");
    sessions.awaitLive(session, false);
    fs.rollingUpgrade(RollingUpgradeAction.FINALIZE);
    close(sessions.granted(0, "/rs/upgrade").id());
  }

  @Test
  void aDataNodeWithoutThePlugin() throws Exception {
    write("/rs/node");
    UpdateSession session = sessions.granted(0, "/rs/node");
    DataNode node = dataNode(session.groups().get(0).units().get(0).storage().node().uuid());
    sessions.silence(node);
    await().untilAsserted(() -> assertThat(kind(locate(session.id()))).isEqualTo("no-capability"));
    assertThat(kind(sessions.open(0, "/rs/node"))).isEqualTo("no-capability");
    // A session that is open goes on.
    assertThat(renew(session.id())).isInstanceOf(SessionAnswer.Renewed.class);
    sessions.speakAgain(node);
    close(sessions.granted(0, "/rs/node").id());
    close(session.id());
  }

  @Test
  void onlyWhoMayWriteAndOnlyWhoOpened() throws Exception {
    write("/rs/mine");
    OpenRequest request = new OpenRequest("/rs/mine", "test", 0);
    long writtenMs = MiniSessions.modifiedMs(fs, "/rs/mine");
    fs.setPermission(new Path("/rs/mine"), new FsPermission("644"));
    assertThatThrownBy(() -> answerAs("bob", manager -> manager.open(request)))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("bob");
    assertThat(MiniSessions.modifiedMs(fs, "/rs/mine")).isEqualTo(writtenMs);
    fs.setPermission(new Path("/rs/mine"), new FsPermission("666"));
    SessionAnswer answer = answerAs("bob", manager -> manager.open(request));
    UpdateSession session = ((SessionAnswer.Granted) answer).session();
    Bytes identifier = session.groups().get(0).units().get(0).token().orElseThrow().identifier();
    assertThat(new String(identifier.toArray(), StandardCharsets.ISO_8859_1)).contains("bob");
    for (MiniSessions.Call<SessionAnswer> call :
        List.<MiniSessions.Call<SessionAnswer>>of(
            manager -> manager.renew(session.id()),
            manager -> manager.locate(session.id(), 0, OptionalLong.empty()),
            manager -> manager.close(session.id()))) {
      assertThatThrownBy(() -> sessions.call(0, call)).isInstanceOf(AccessControlException.class);
      assertThatThrownBy(() -> sessions.callAs("eve", call))
          .isInstanceOf(AccessControlException.class);
    }
    assertThatThrownBy(() -> listAs("bob", true)).isInstanceOf(AccessControlException.class);
    assertThat(listAs("eve", false)).isEmpty();
    assertThat(listAs("bob", false)).extracting(SessionStatus::id).containsExactly(session.id());
    assertThat(listAll()).extracting(SessionStatus::id).contains(session.id());
    // Who may not write any more cannot go on.
    assertThat(answerAs("bob", manager -> manager.renew(session.id())))
        .isInstanceOf(SessionAnswer.Renewed.class);
    fs.setPermission(new Path("/rs/mine"), new FsPermission("644"));
    assertThatThrownBy(() -> answerAs("bob", manager -> manager.renew(session.id())))
        .isInstanceOf(AccessControlException.class);
    assertThat(answerAs("bob", manager -> manager.close(session.id())))
        .isEqualTo(new SessionAnswer.Closed());
  }

  @Test
  void oneUserCannotTakeAllSessions() throws Exception {
    write("/rs/many");
    fs.setPermission(new Path("/rs/many"), new FsPermission("666"));
    OpenRequest request = new OpenRequest("/rs/many", "test", 0);
    for (int i = 0; i < MiniSessions.MAX_PER_USER; i++) {
      assertThat(answerAs("carl", manager -> manager.open(request)))
          .isInstanceOf(SessionAnswer.Granted.class);
    }
    assertThat(kind(answerAs("carl", manager -> manager.open(request))))
        .isEqualTo("too-many-sessions");
    close(sessions.granted(0, "/rs/many").id());
  }

  @Test
  void aLevelIsNotChangedWhileAFileIsUpdated() throws Exception {
    write("/rs/level");
    UpdateSession session = sessions.granted(0, "/rs/level");
    // Before that, all files are held, when the NameNode has just been started.
    await()
        .untilAsserted(
            () -> {
              FileOutcome outcome = sessions.levels().setLevel(0, 3, "/rs/level");
              assertThat(outcome.refusal().orElseThrow().kind()).isEqualTo("updating");
              assertThat(outcome.refusal().orElseThrow().reason())
                  .contains("updateSession=open, expected none, file=/rs/level");
            });
    sessions.levels().status(0);
    assertThat(sessions.levels().swaps(0).inspect("/rs/level").refusal().orElseThrow().kind())
        .isEqualTo("updating");
    fs.rename(new Path("/rs/level"), new Path("/rs/renamed"));
    assertThat(renew(session.id())).isInstanceOf(SessionAnswer.Renewed.class);
    assertThat(((SessionAnswer.Granted) locate(session.id())).session().file().path())
        .isEqualTo("/rs/renamed");
    assertThat(sessions.levels().setLevel(0, 3, "/rs/renamed").refusal()).isPresent();
    assertThat(close(session.id())).isEqualTo(new SessionAnswer.Closed());
    sessions.levels().changeLevel(0, 3, "/rs/renamed");
    // No DataNode took the session for live when the level was changed.
    for (MiniSessions.Node node : sessions.allNodes()) {
      assertThat(node.live().isLive(session.id())).isFalse();
    }
    MiniLevels.awaitUnits(fs, "/rs/renamed", 3);
    UpdateSession again = sessions.granted(0, "/rs/renamed");
    assertThat(again.file().code().parityUnits()).isEqualTo(3);
    close(again.id());
  }

  @Test
  void aSessionThatIsNotRenewedIsOverAndItsFileTouched() throws Exception {
    write("/rs/late");
    UpdateSession session = sessions.granted(0, "/rs/late");
    long openedMs = MiniSessions.modifiedMs(fs, "/rs/late");
    sessions.awaitLive(session, true);
    sessions.awaitLive(session, false);
    assertThat(kind(renew(session.id()))).isIn("expired", "unknown-session");
    await()
        .untilAsserted(
            () -> assertThat(MiniSessions.modifiedMs(fs, "/rs/late")).isGreaterThan(openedMs));
    await().untilAsserted(() -> assertThat(kind(renew(session.id()))).isEqualTo("unknown-session"));
    sessions.levels().changeLevel(0, 3, "/rs/late");
  }

  @Test
  void aFileThatIsDeletedEndsItsSession() throws Exception {
    write("/rs/gone");
    UpdateSession session = sessions.granted(0, "/rs/gone");
    sessions.awaitLive(session, true);
    fs.delete(new Path("/rs/gone"), false);
    assertThat(kind(close(session.id()))).isIn("gone", "unknown-session");
    sessions.awaitLive(session, false);
  }

  @Test
  void aRestartForgetsSessionsAndHoldsFilesForAWhile() throws Exception {
    write("/rs/restart");
    UpdateSession closed = sessions.granted(0, "/rs/restart");
    long openedMs = MiniSessions.modifiedMs(fs, "/rs/restart");
    assertThat(close(closed.id())).isEqualTo(new SessionAnswer.Closed());
    long closedMs = MiniSessions.modifiedMs(fs, "/rs/restart");
    assertThat(closedMs).isGreaterThan(openedMs);
    UpdateSession session = sessions.granted(0, "/rs/restart");
    openedMs = MiniSessions.modifiedMs(fs, "/rs/restart");
    assertThat(openedMs).isGreaterThan(closedMs);
    sessions.awaitLive(session, true);
    sessions.cluster().restartNameNode(true);
    assertThat(MiniSessions.modifiedMs(fs, "/rs/restart")).isEqualTo(openedMs);
    assertThat(kind(renew(session.id()))).isEqualTo("unknown-session");
    UpdateSession again = sessions.granted(0, "/rs/restart");
    sessions.awaitLive(session, false);
    sessions.awaitLive(again, true);
    close(again.id());
    sessions.levels().changeLevel(0, 3, "/rs/restart");
    for (MiniSessions.Node node : sessions.allNodes()) {
      LiveSessions live = node.live();
      assertThat(live.isLive(session.id()) || live.isLive(again.id())).isFalse();
    }
  }
}
