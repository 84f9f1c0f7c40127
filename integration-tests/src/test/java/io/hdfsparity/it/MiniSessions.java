/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.ecupdate.config.SessionKey;
import io.hdfsparity.ecupdate.datanode.NodeReporter;
import io.hdfsparity.ecupdate.protocol.LiveSessions;
import io.hdfsparity.ecupdate.protocol.OpenRequest;
import io.hdfsparity.ecupdate.protocol.SessionAnswer;
import io.hdfsparity.ecupdate.protocol.SessionProtocol;
import io.hdfsparity.ecupdate.protocol.Sharing;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import io.hdfsparity.ecupdate.wire.SessionClient;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Time;

/**
 * A cluster whose NameNodes have the session manager beside the level manager, and whose DataNodes
 * report to it, with nothing behind that would update a replica.
 */
final class MiniSessions implements AutoCloseable {
  static final long LEASE_MS = 15_000;
  static final long VALID_MS = 4_000;
  static final int MAX_PER_USER = 6;

  private final MiniLevels levels;
  private final List<InetSocketAddress> managers;
  private final Map<String, Node> nodes = new TreeMap<>();

  /** What stands for the plugin of a DataNode. */
  record Node(LiveSessions live, NodeReporter reporter) {}

  private MiniSessions(MiniLevels levels, List<InetSocketAddress> managers) {
    this.levels = levels;
    this.managers = managers;
    levels.cluster().getDataNodes().forEach(this::report);
  }

  static Configuration conf() {
    Configuration conf = MiniLevels.conf();
    conf.set(SuiteKey.FEATURES.key(), "izs,ecupdate");
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    conf.set(SessionKey.LEASE.key(), LEASE_MS + "ms");
    conf.set(SessionKey.NODE_VALIDITY.key(), VALID_MS + "ms");
    conf.set(SessionKey.NODE_REPORT.key(), "200ms");
    conf.set(SessionKey.SWEEP_INTERVAL.key(), "100ms");
    conf.set(SessionKey.MAX_PER_USER.key(), "" + MAX_PER_USER);
    return conf;
  }

  /** One NameNode. */
  static MiniSessions start(Configuration conf, Path root, int nodes) throws IOException {
    MiniLevels levels = MiniLevels.start(conf, root, nodes);
    return new MiniSessions(levels, List.of(levels.address(0)));
  }

  /** Two NameNodes with shared edits, the first active. */
  static MiniSessions startHa(Configuration conf, Path root, int nodes) throws Exception {
    MiniLevels levels = MiniLevels.startHa(conf, root, nodes);
    return new MiniSessions(levels, List.of(levels.address(0), levels.address(1)));
  }

  private void report(DataNode node) {
    LiveSessions live = new LiveSessions(Time::monotonicNow);
    UpdateNode self = new UpdateNode(node.getDatanodeUuid(), node.hashCode(), "127.0.0.1", 4_711);
    nodes.put(
        node.getDatanodeUuid(),
        new Node(
            live,
            new NodeReporter(
                levels.clientConf(),
                managers,
                self,
                live,
                (over, suspended, lingering) -> Set.of(),
                () -> Set.of(),
                Time::monotonicNow)));
  }

  Node node(String uuid) {
    Node node = nodes.get(uuid);
    assertThat(node).isNotNull();
    return node;
  }

  List<Node> allNodes() {
    return List.copyOf(nodes.values());
  }

  /** As if the plugin of a DataNode had ended. */
  void silence(DataNode node) {
    node(node.getDatanodeUuid()).reporter().close();
  }

  void speakAgain(DataNode node) {
    report(node);
  }

  MiniLevels levels() {
    return levels;
  }

  MiniDFSCluster cluster() {
    return levels.cluster();
  }

  InetSocketAddress manager(int nameNode) {
    return managers.get(nameNode);
  }

  @Override
  public void close() {
    nodes.values().forEach(node -> node.reporter().close());
    levels.close();
  }

  /** A call at a session manager. */
  interface Call<T> {
    T at(SessionProtocol manager) throws IOException;
  }

  <T> T call(int nameNode, Call<T> call) throws IOException {
    try (SessionClient client =
        new SessionClient(managers.get(nameNode), levels.clientConf(), 120_000)) {
      try {
        return call.at(client);
      } catch (EOFException e) {
        // The connection was kept since before a restart; the next is a new one.
        return call.at(client);
      }
    }
  }

  <T> T callAs(String user, Call<T> call) throws Exception {
    return UserGroupInformation.createUserForTesting(user, new String[] {"people"})
        .doAs((PrivilegedExceptionAction<T>) () -> call(0, call));
  }

  SessionAnswer open(int nameNode, String path) throws IOException {
    return call(nameNode, manager -> manager.open(new OpenRequest(path, "test", 0)));
  }

  /** Opens a file; what hinders it for a moment only is waited for. */
  UpdateSession granted(int nameNode, String path) {
    return granted(nameNode, new OpenRequest(path, "test", 0));
  }

  /** The same, for one alone. */
  UpdateSession grantedExclusive(int nameNode, String path) {
    return granted(nameNode, new OpenRequest(path, "test", 0, Sharing.EXCLUSIVE));
  }

  private UpdateSession granted(int nameNode, OpenRequest request) {
    SessionAnswer[] last = new SessionAnswer[1];
    await("a session of " + request.path())
        .untilAsserted(
            () -> {
              last[0] = call(nameNode, manager -> manager.open(request));
              assertThat(last[0]).isInstanceOf(SessionAnswer.Granted.class);
            });
    return ((SessionAnswer.Granted) last[0]).session();
  }

  static Refusal refusal(SessionAnswer answer) {
    assertThat(answer).isInstanceOf(SessionAnswer.Refused.class);
    Refusal refusal = ((SessionAnswer.Refused) answer).refusal();
    assertThat(refusal.reason()).startsWith("Cannot update: ").contains(", expected ");
    assertThat(refusal.remedy()).isNotBlank();
    return refusal;
  }

  /** Waits until a file is, or is not, live on all DataNodes. */
  void awaitLive(UpdateSession session, boolean live) {
    await("session live=" + live)
        .until(() -> allNodes().stream().allMatch(n -> n.live().isLive(session.id()) == live));
  }

  static long modifiedMs(DistributedFileSystem fs, String path) throws IOException {
    return fs.getFileStatus(new org.apache.hadoop.fs.Path(path)).getModificationTime();
  }

  /** A file with all its units, and a directory for it. */
  static byte[] write(DistributedFileSystem fs, String path, int level) throws IOException {
    byte[] bytes = MiniLevels.bytes(MiniLevels.GROUP_BYTES + MiniLevels.CELL_BYTES + 77, 9);
    MiniLevels.write(fs, path, bytes);
    MiniLevels.awaitUnits(fs, path, level);
    assertThat(Arrays.equals(MiniLevels.read(fs, path, bytes.length), bytes)).isTrue();
    return bytes;
  }
}
