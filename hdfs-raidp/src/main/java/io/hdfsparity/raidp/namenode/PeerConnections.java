/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.wire.OlderDaemonException;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.LstorClientTranslator;
import io.hdfsparity.raidp.wire.PeerClientTranslator;
import io.hdfsparity.raidp.wire.message.HealReport;
import io.hdfsparity.raidp.wire.message.HealRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildStatus;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.ScrubReport;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.SecurityUtil;

/**
 * Calls DataNodes and Lstor daemons with the NameNode's own identity, whoever asked. Proxies are
 * made again for each call, because they are cheap and addresses change; connections too: one that
 * is kept fails the first call to a node that was restarted meanwhile. A DataNode that does not
 * know a call is named, and that it has to be upgraded. Thread-safe.
 */
final class PeerConnections
    implements LstorTables, FsckPeers, LstorRebuildCalls.Peers, RowFinder, CoverCalls, RowReleases {
  private final Configuration conf;
  private final int timeoutMs;

  /**
   * @param timeoutMs of a call; scrubs and heals take as long as they take
   */
  PeerConnections(Configuration conf, int timeoutMs) {
    this.conf = new Configuration(conf);
    this.conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECTION_MAXIDLETIME_KEY, 0);
    this.timeoutMs = timeoutMs;
  }

  @Override
  public List<SlotEntry> entries(LstorReport lstor, int frameIndex) throws IOException {
    return SecurityUtil.doAsLoginUser(
        () -> {
          try (LstorClientTranslator client =
              new LstorClientTranslator(address(lstor.host(), lstor.port()), conf, timeoutMs)) {
            return client.entries(lstor.diskId(), OptionalInt.of(frameIndex));
          }
        });
  }

  @Override
  public List<SlotEntry> entries(PeerAddress peer, String storageId, OptionalLong superchunkId)
      throws IOException {
    return call(peer, timeoutMs, client -> client.listEntries(storageId, superchunkId));
  }

  @Override
  public List<SlotEntry> findRows(PeerAddress peer, String storageId, List<Long> blockIds)
      throws IOException {
    return call(peer, timeoutMs, client -> client.findRows(storageId, blockIds));
  }

  @Override
  public List<Long> cover(
      PeerAddress peer, String storageId, SuperchunkRef superchunk, List<Long> blockIds)
      throws IOException {
    return call(peer, timeoutMs, client -> client.cover(storageId, superchunk, blockIds));
  }

  @Override
  public List<Long> release(
      PeerAddress peer,
      String storageId,
      SuperchunkRef superchunk,
      Map<Long, Long> generationStamps,
      BooleanSupplier isDue)
      throws IOException {
    return call(
        peer,
        timeoutMs,
        client -> {
          long ticket = client.releaseTicket();
          return isDue.getAsBoolean()
              ? client.release(storageId, superchunk, generationStamps, ticket)
              : List.of();
        });
  }

  @Override
  public ScrubReport scrub(PeerAddress peer, ScrubRequest request) throws IOException {
    int limitMs = request.action() == ScrubRequest.Action.RUN ? 0 : timeoutMs;
    return call(peer, limitMs, client -> client.scrub(request));
  }

  @Override
  public LstorRebuildStatus rebuildLstor(PeerAddress peer, LstorRebuildRequest request)
      throws IOException {
    return call(peer, timeoutMs, client -> client.rebuildLstor(request));
  }

  /** Takes as long as reading the block on two nodes. */
  HealReport heal(PeerAddress peer, HealRequest request) throws IOException {
    return call(peer, 0, client -> client.heal(request));
  }

  /** A call at a DataNode. */
  @FunctionalInterface
  private interface PeerCall<T> {
    T at(PeerClientTranslator client) throws IOException;
  }

  private <T> T call(PeerAddress peer, int limitMs, PeerCall<T> call) throws IOException {
    return SecurityUtil.doAsLoginUser(
        () -> {
          try (PeerClientTranslator client =
              new PeerClientTranslator(address(peer.host(), peer.port()), conf, limitMs)) {
            return call.at(client);
          } catch (OlderDaemonException e) {
            throw new IOException(
                ErrorMessage.to("call a DataNode")
                        .value("node", peer.host() + ":" + peer.port())
                        .value("nodeUuid", peer.nodeUuid())
                        .expected(
                            "the suite's version of this NameNode there; upgrade the DataNode, then"
                                + " run it again")
                        .message()
                    + ": "
                    + e.getMessage(),
                e);
          }
        });
  }

  private static InetSocketAddress address(String host, int port) {
    return NetUtils.createSocketAddrForHost(host, port);
  }
}
