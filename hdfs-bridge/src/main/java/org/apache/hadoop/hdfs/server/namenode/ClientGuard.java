/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.guard.ClientRefusedException;
import io.hdfsparity.bridge.guard.GroupWriters;
import io.hdfsparity.bridge.guard.GuardMetrics;
import io.hdfsparity.bridge.guard.GuardRule;
import io.hdfsparity.bridge.guard.OrderMark;
import io.hdfsparity.bridge.guard.PolicyCondition;
import io.hdfsparity.bridge.guard.RefusalLog;
import io.hdfsparity.core.check.Printable;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.util.StringUtils;
import org.apache.hadoop.util.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands between the clients of a NameNode and the NameNode: refuses what would give a client wrong
 * bytes, or let it write them, because it does not know something. One for each NameNode, however
 * many plugins ask for it; what they add to it holds until the NameNode ends. It is there in every
 * state, so a failover finds it.
 *
 * <p>It takes the place of what is registered for ClientNamenodeProtocol at the servers for clients
 * (with their auxiliary ports) and for services; the lifeline server does not have that protocol.
 *
 * <p><b>Before it is there.</b> Servers listen before plugins are started. But every call that is
 * guarded begins, in NameNodeRpcServer, with {@code checkNNStartup}, which refuses it until all
 * plugins were started and the NameNode has entered its state. A call can only pass unguarded if a
 * handler has taken it up before the plugin was started, and has not come as far as that check, its
 * next step, when the NameNode is up.
 *
 * <p><b>WebHDFS</b> has what the NameNode answers itself go by the same calls ({@link
 * GuardedWebHdfs}). Bytes are read and written by clients in DataNodes, which are callers like any
 * other.
 *
 * <p>Reaches: NameNodeRpcServer.clientRpcServer, protected, and getServiceRpcServer(),
 * package-private; NameNode.getRpcServer() is a NameNodeRpcServer; NameNode.getHttpServer();
 * FSNamesystem.logAuditEvent. Checked for Hadoop 3.5.0. Thread-safe.
 */
public final class ClientGuard {
  private static final Logger LOG = LoggerFactory.getLogger(ClientGuard.class);

  /** The servers keep their guards. */
  private static final Map<NameNodeRpcServer, WeakReference<ClientGuard>> INSTALLED =
      new WeakHashMap<>();

  private final FSNamesystem namesystem;
  private final String defaultPolicy;
  private final List<String> replicasOnlyHolders;
  private final RefusalLog refusals = new RefusalLog(Time::monotonicNow);
  private final List<PolicyCondition> conditions = new CopyOnWriteArrayList<>();
  private final GroupWriters writers = new GroupWriters();
  private volatile @Nullable OrderMark orderMark;

  /** Why WebHDFS goes past the guard; null: it does not. */
  private volatile @Nullable IOException unguardedWeb;

  private ClientGuard(NameNode nameNode) {
    this.namesystem = nameNode.getNamesystem();
    this.defaultPolicy =
        nameNode
            .getConf()
            .getTrimmed(
                DFSConfigKeys.DFS_NAMENODE_EC_SYSTEM_DEFAULT_POLICY,
                DFSConfigKeys.DFS_NAMENODE_EC_SYSTEM_DEFAULT_POLICY_DEFAULT);
    this.replicasOnlyHolders =
        List.copyOf(
            StringUtils.getTrimmedStringCollection(
                new KeyReader(nameNode.getConf()).text(SuiteKey.REPLICAS_ONLY_CLIENTS)));
  }

  /**
   * The guard of a NameNode, put in place if it is not yet. To be called while the NameNode starts
   * its plugins, and before anything that can fail.
   *
   * @throws IOException if Hadoop does not let it be put in place; then nothing is guarded. If only
   *     WebHDFS is not, those who rely on that are told
   */
  public static ClientGuard of(NameNode nameNode) throws IOException {
    NameNodeRpcServer server = (NameNodeRpcServer) nameNode.getRpcServer();
    synchronized (INSTALLED) {
      WeakReference<ClientGuard> known = INSTALLED.get(server);
      ClientGuard guard = known == null ? null : known.get();
      if (guard == null) {
        guard = new ClientGuard(nameNode);
        guard.install(nameNode, server);
        INSTALLED.put(server, new WeakReference<>(guard));
      }
      return guard;
    }
  }

  private void install(NameNode nameNode, NameNodeRpcServer server) throws IOException {
    ClientProtocol guarded =
        new ReservedNames(
            new GuardedClientProtocol(server, namesystem, this), namesystem, /* guard= */ this);
    Object service =
        ClientNamenodeProtocol.newReflectiveBlockingService(
            new ClientNamenodeProtocolServerSideTranslatorPB(guarded));
    put(server.clientRpcServer, service);
    RPC.Server forServices = server.getServiceRpcServer();
    if (forServices != null) {
      put(forServices, service);
    }
    GuardMetrics.register(refusals);
    try {
      GuardedWebHdfs.install(nameNode.getHttpServer(), guarded);
    } catch (IOException | RuntimeException e) {
      // Not thrown yet: what comes by RPC is to be guarded in any case.
      unguardedWeb = new IOException(e.getMessage(), e);
    }
    LOG.info("Calls of clients are guarded");
  }

  private void requireWeb() throws IOException {
    IOException why = unguardedWeb;
    if (why != null) {
      throw new IOException(why.getMessage(), why);
    }
  }

  private static void put(RPC.Server server, Object service) {
    server.addProtocol(RPC.RpcKind.RPC_PROTOCOL_BUFFER, ClientNamenodeProtocolPB.class, service);
    // They are logged here, a few of them.
    server.addSuppressedLoggingExceptions(ClientRefusedException.class);
  }

  /**
   * From now on, files with this mark are for those who know of it.
   *
   * @throws IOException if WebHDFS goes past the guard; RPC does not
   */
  public void protect(OrderMark mark) throws IOException {
    orderMark = mark;
    requireWeb();
  }

  /**
   * From now on, policies of other codecs than Hadoop's are enabled and set only if this allows.
   *
   * @throws IOException if WebHDFS goes past the guard; RPC does not
   */
  public void require(PolicyCondition condition) throws IOException {
    conditions.add(condition);
    requireWeb();
  }

  /** Who has asked for which block group. */
  public GroupWriters writers() {
    return writers;
  }

  /** What tells files in stored order; null: no feature has said. */
  public @Nullable OrderMark orderMark() {
    return orderMark;
  }

  String defaultPolicy() {
    return defaultPolicy;
  }

  /** Whether a lease holder is a client that writes replicas only, by what it calls itself. */
  boolean writesReplicasOnly(String holder) {
    return replicasOnlyHolders.stream().anyMatch(holder::startsWith);
  }

  void requireConditions(ErasureCodingPolicy policy, String call, String src) throws IOException {
    for (PolicyCondition each : conditions) {
      try {
        each.require(policy.getName(), policy.getCodecName());
      } catch (IOException e) {
        ClientRefusedException refused = refused(GuardRule.POLICY, call, src, e.getMessage());
        refused.initCause(e);
        throw refused;
      }
    }
  }

  /** Counts, logs and audits a refusal. */
  ClientRefusedException refused(GuardRule rule, String call, String src, String message)
      throws IOException {
    namesystem.logAuditEvent(false, call, src);
    noted(rule, message);
    return new ClientRefusedException(message);
  }

  /** Counts, and logs now and then. */
  void noted(GuardRule rule, String what) {
    refusals
        .count(rule)
        .ifPresent(
            count ->
                LOG.warn(
                    "{} since the last such line: {}; the last: {}",
                    count,
                    rule,
                    Printable.of(what)));
  }
}
