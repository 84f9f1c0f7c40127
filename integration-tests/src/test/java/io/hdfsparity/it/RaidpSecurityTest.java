/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.raidp.wire.LstorClientTranslator;
import io.hdfsparity.raidp.wire.NodeClientTranslator;
import io.hdfsparity.raidp.wire.PeerClientTranslator;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.NodeIdentity;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.File;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Who may do what: changes of state need a superuser and looking an administrator, service-level
 * authorization keeps users out who are not on the list, only DataNodes report and only what is
 * theirs, and only daemons read images or let go of slots. With Kerberos and without.
 */
@Tag("full")
@Timeout(1200)
class RaidpSecurityTest {
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(2, 1, 1, 2, 16L << 20, 1 << 16, 1 << 20);

  private static final List<List<String>> CHANGES =
      List.of(
          List.of("-layout", "-apply"),
          List.of("-failDisk", "any"),
          List.of("-recover"),
          List.of("-fsck", "-repair"),
          List.of("-scrub"));

  private static Configuration authorizing() {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", "0");
    extra.setBoolean("hadoop.security.authorization", true);
    extra.set("dfs.cluster.administrators", "alice");
    return extra;
  }

  @Test
  void withoutKerberosOnlyNamesCount(@TempDir Path root) throws Exception {
    Configuration extra = authorizing();
    String superuser = UserGroupInformation.getCurrentUser().getShortUserName();
    extra.set("security.raidp.admin.protocol.acl", superuser + ",alice");
    // That list says who connects; who calls what is checked at each call.
    extra.set("security.raidp.node.protocol.acl", "*");
    try (MiniRaidp raidp = MiniRaidp.start(root, SHAPE, extra)) {
      Daemons.startLstors(raidp);
      writeAndRead(raidp);
      onlyLooks(raidp, user("alice"));
      forgesNothing(raidp, user("alice"));
      forgesNothing(raidp, user("mallory"));
      MiniRaidp.Printed refused = as(user("mallory"), () -> raidp.admin("-status"));
      assertThat(refused.exitCode()).isNotZero();
      assertThat(refused.err()).contains("mallory").contains("not authorized");
      daemonsOnly(raidp, user("alice"));
      assertThat(OpenFiles.below(root)).as("readable to others").isEmpty();
      Soundness.assertSound(raidp);
    }
  }

  @Test
  void withKerberos(@TempDir Path root) throws Exception {
    File kdcDir = Files.createDirectory(root.resolve("kdc")).toFile();
    MiniKdc kdc = new MiniKdc(MiniKdc.createConf(), kdcDir);
    kdc.start();
    try {
      File hdfsKeytab = new File(kdcDir, "hdfs.keytab");
      kdc.createPrincipal(hdfsKeytab, "hdfs/localhost", "HTTP/localhost");
      File userKeytab = new File(kdcDir, "users.keytab");
      kdc.createPrincipal(userKeytab, "alice", "mallory");
      Configuration extra = kerberos(kdc.getRealm(), hdfsKeytab);
      UserGroupInformation.setConfiguration(extra);
      UserGroupInformation.loginUserFromKeytab(
          "hdfs/localhost@" + kdc.getRealm(), hdfsKeytab.getPath());
      try (MiniRaidp raidp = MiniRaidp.start(root.resolve("cluster"), SHAPE, extra)) {
        Daemons.startLstors(raidp);
        writeAndRead(raidp);
        onlyLooks(raidp, login("alice", userKeytab));
        forgesNothing(raidp, login("alice", userKeytab));
        MiniRaidp.Printed refused = as(login("mallory", userKeytab), () -> raidp.admin("-status"));
        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.err()).contains("mallory").contains("not authorized");
        daemonsOnly(raidp, login("alice", userKeytab));
        UserGroupInformation stranger = UserGroupInformation.createRemoteUser("hdfs");
        assertThat(as(stranger, () -> raidp.admin("-recover")).exitCode())
            .as("a name without a ticket")
            .isNotZero();
        Soundness.assertSound(raidp);
      }
    } finally {
      kdc.stop();
      UserGroupInformation.reset();
      UserGroupInformation.setConfiguration(new Configuration());
    }
  }

  private static Configuration kerberos(String realm, File keytab) {
    Configuration extra = authorizing();
    extra.set("security.raidp.admin.protocol.acl", "hdfs,alice");
    extra.set("hadoop.security.authentication", "kerberos");
    for (String daemon : List.of("namenode", "datanode")) {
      extra.set("dfs." + daemon + ".kerberos.principal", "hdfs/localhost@" + realm);
      extra.set("dfs." + daemon + ".keytab.file", keytab.getPath());
    }
    extra.set("dfs.web.authentication.kerberos.principal", "HTTP/localhost@" + realm);
    extra.set("dfs.web.authentication.kerberos.keytab", keytab.getPath());
    extra.setBoolean("dfs.block.access.token.enable", true);
    extra.set("dfs.data.transfer.protection", "privacy");
    extra.set("hadoop.rpc.protection", "privacy");
    // Otherwise HTTPS would be needed, which RAIDP does not use.
    extra.setBoolean("ignore.secure.ports.for.testing", true);
    return extra;
  }

  private static void writeAndRead(MiniRaidp raidp) throws Exception {
    byte[] content = MiniRaidp.bytes(5, (1 << 20) + 4_321);
    raidp.write("/secured", content);
    assertThat(raidp.read("/secured")).isEqualTo(content);
    // The end of a file waits for one replica's report only.
    MiniRaidp.await("fsck as superuser").until(() -> raidp.admin("-fsck").exitCode() == 0);
    assertThat(raidp.admin("-recover").exitCode()).as("superuser").isZero();
  }

  /** Someone on the list may look, but changes nothing. */
  private static void onlyLooks(MiniRaidp raidp, UserGroupInformation user) throws Exception {
    assertThat(as(user, () -> raidp.admin("-status")).exitCode()).isZero();
    for (List<String> command : CHANGES) {
      MiniRaidp.Printed refused = as(user, () -> raidp.admin(command.toArray(String[]::new)));
      assertThat(refused.exitCode()).as(command.toString()).isNotZero();
      assertThat(refused.err()).as(command.toString()).contains(user.getShortUserName());
      assertThat(refused.err()).contains("expected a superuser");
    }
  }

  /**
   * What an open layout told was enough to bar all frames, or to have real ones superseded. Not a
   * superuser's word is believed either: epochs are those that a manager can have ordered, frames
   * those that HDFS knows of the node.
   */
  private static void forgesNothing(MiniRaidp raidp, UserGroupInformation user) throws Exception {
    JsonNode before = raidp.admin("-layout", "-json").json();
    DataNode victim = raidp.dfs().getDataNodes().get(0);
    String storageId =
        victim
            .getFSDataset()
            .getStorageReports(raidp.dfs().getNamesystem().getBlockPoolId())[0]
            .getStorage()
            .getStorageID();
    InetSocketAddress manager =
        NetUtils.createSocketAddr(raidp.conf().get("dfs.parity.namenode.rpc-address"));
    List<NodeReport> reports =
        List.of(
            forged(raidp, victim.getDatanodeUuid(), storageId, Long.MAX_VALUE),
            forged(raidp, victim.getDatanodeUuid(), "DS-invented", 2),
            forged(raidp, "invented", storageId, 2));
    for (NodeReport report : reports) {
      as(
          user,
          () -> {
            try (NodeClientTranslator client =
                new NodeClientTranslator(manager, raidp.conf(), 120_000)) {
              return assertThatThrownBy(() -> client.reportNode(report))
                  .isInstanceOf(AccessControlException.class)
                  .hasMessageContaining(user.getShortUserName());
            }
          });
      try (NodeClientTranslator client = new NodeClientTranslator(manager, raidp.conf(), 120_000)) {
        assertThatThrownBy(() -> client.reportNode(report))
            .hasMessageContaining("Cannot take a report in");
      }
    }
    assertThat(raidp.admin("-layout", "-json").json()).isEqualTo(before);
    assertThat(raidp.dfs().getNamesystem().getBlockManager().getCorruptReplicaBlocksCount())
        .isZero();
  }

  private static NodeReport forged(MiniRaidp raidp, String nodeUuid, String storageId, long epoch) {
    FrameReport frame =
        new FrameReport(
            storageId,
            0,
            Optional.of(new Pairing(1, epoch, "DS-none", "none", 1)),
            new FrameReport.Load(1, 0, 0, 0, 0),
            false);
    DiskReport disk =
        new DiskReport(
            "forged", "/forged", DiskState.OK, Optional.empty(), List.of(frame), Optional.empty());
    return new NodeReport(
        new NodeIdentity(nodeUuid, "forged", 1, "127.0.0.1", 2, raidp.clusterId(), 1),
        List.of(disk),
        List.of());
  }

  private static void daemonsOnly(MiniRaidp raidp, UserGroupInformation user) throws Exception {
    JsonNode node = raidp.admin("-status", "-json").json().path("nodes").path(0);
    InetSocketAddress peer = NetUtils.createSocketAddr(node.path("peer").asText());
    MiniRaidp.await("Lstor daemon known").until(() -> lstorAddress(raidp) != null);
    InetSocketAddress lstor = NetUtils.createSocketAddr(lstorAddress(raidp));
    as(
        user,
        () -> {
          try (PeerClientTranslator client = new PeerClientTranslator(peer, raidp.conf(), 120_000);
              LstorClientTranslator daemon =
                  new LstorClientTranslator(lstor, raidp.conf(), 120_000)) {
            assertThatThrownBy(() -> client.released(new SuperchunkRef(1, 1), 1))
                .isInstanceOf(AccessControlException.class);
            assertThatThrownBy(() -> client.listEntries("any"))
                .isInstanceOf(AccessControlException.class);
            assertThatThrownBy(() -> daemon.entries("any", OptionalInt.empty()))
                .isInstanceOf(AccessControlException.class);
          }
          return null;
        });
  }

  private static String lstorAddress(MiniRaidp raidp) throws Exception {
    for (JsonNode lstor : raidp.admin("-lstor", "-json").json().path("lstors")) {
      if (!lstor.path("daemon").asText("").isEmpty()) {
        return lstor.path("daemon").asText();
      }
    }
    return null;
  }

  private static UserGroupInformation user(String name) {
    return UserGroupInformation.createUserForTesting(name, new String[] {"people"});
  }

  private static UserGroupInformation login(String name, File keytab) throws Exception {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(name, keytab.getPath());
  }

  private static <T> T as(UserGroupInformation user, PrivilegedExceptionAction<T> action)
      throws Exception {
    return user.doAs(action);
  }
}
