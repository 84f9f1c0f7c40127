/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.wire.PeerClientTranslator;
import io.hdfsparity.raidp.wire.message.NodeReportResponse;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partners of this node's frames as the managers' answers tell. Addresses are taken from any
 * NameNode; that a partner is gone only from the active one.
 *
 * <p>Proxies are made when an answer is taken in, by the agent's thread: a proxy belongs to the
 * user that makes it, and hooks run as whoever called the DataNode.
 *
 * <p>Thread-safe.
 */
final class PeerBook implements Partners, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(PeerBook.class);

  private final Configuration conf;
  private final int timeoutMs;
  private final Map<String, Entry> nodes = new ConcurrentHashMap<>();
  private volatile Set<String> goneStorageIds = Set.of();

  /** By node; no client could be made yet. A manager need not send them again. */
  private final Map<String, PeerAddress> failed = new HashMap<>();

  private record Entry(PeerAddress address, PeerClientTranslator client) {}

  PeerBook(Configuration conf, int timeoutMs) {
    this.conf = conf;
    this.timeoutMs = timeoutMs;
  }

  /** Takes in an answer of a manager. */
  synchronized void update(NodeReportResponse response) {
    // A node that has just started says no port yet.
    response.peers().stream()
        .filter(address -> address.port() != 0)
        .forEach(address -> failed.put(address.nodeUuid(), address));
    for (PeerAddress address : List.copyOf(failed.values())) {
      Entry known = nodes.get(address.nodeUuid());
      if (known != null && known.address().equals(address)) {
        failed.remove(address.nodeUuid());
        continue;
      }
      try {
        InetSocketAddress socket = NetUtils.createSocketAddrForHost(address.host(), address.port());
        Entry old =
            nodes.put(
                address.nodeUuid(),
                new Entry(address, new PeerClientTranslator(socket, conf, timeoutMs)));
        failed.remove(address.nodeUuid());
        if (old != null) {
          old.client().close();
        }
      } catch (IOException | RuntimeException e) {
        LOG.warn(
            "Cannot make a client for a partner node: address={}; trying again with the next answer",
            address,
            e);
      }
    }
    if (response.active()) {
      Set<String> gone = new HashSet<>(response.goneStorageIds());
      if (!gone.equals(goneStorageIds)) {
        LOG.info("Partner frames that are gone: {}", gone);
      }
      goneStorageIds = gone;
    }
  }

  @Override
  public Partner of(Pairing pairing) {
    if (pairing.isAlone()) {
      return new Dead("the frame has no partner yet");
    }
    if (goneStorageIds.contains(pairing.partnerStorageId())) {
      return new Dead("the manager says that storage " + pairing.partnerStorageId() + " is gone");
    }
    Entry entry = nodes.get(pairing.partnerNodeUuid());
    return entry == null
        ? new Unknown(
            "no manager has sent the address of node " + pairing.partnerNodeUuid() + " yet")
        : new Reachable(entry.client());
  }

  @Override
  public synchronized void close() {
    Map<String, Entry> all = new HashMap<>(nodes);
    nodes.clear();
    all.values().forEach(entry -> entry.client().close());
  }
}
