/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import io.hdfsparity.raidp.wire.LstorClientTranslator;
import io.hdfsparity.raidp.wire.PeerClientTranslator;
import io.hdfsparity.raidp.wire.RaidpLstorProtocol;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** {@link RebuildClients} by Hadoop RPC, one proxy an address. Thread-safe. */
public final class RpcRebuildClients implements RebuildClients, Closeable {
  private final Configuration conf;
  private final int timeoutMs;
  private final Map<InetSocketAddress, LstorClientTranslator> lstors = new HashMap<>();
  private final Map<InetSocketAddress, PeerClientTranslator> peers = new HashMap<>();

  /**
   * @param timeoutMs of a call, connecting included
   */
  public RpcRebuildClients(Configuration conf, int timeoutMs) {
    this.conf = conf;
    this.timeoutMs = timeoutMs;
  }

  @Override
  public synchronized RaidpLstorProtocol lstor(InetSocketAddress daemon) throws IOException {
    LstorClientTranslator client = lstors.get(daemon);
    if (client == null) {
      client = new LstorClientTranslator(daemon, conf, timeoutMs);
      lstors.put(daemon, client);
    }
    return client;
  }

  @Override
  public synchronized RaidpPeerProtocol peer(InetSocketAddress peer) throws IOException {
    PeerClientTranslator client = peers.get(peer);
    if (client == null) {
      client = new PeerClientTranslator(peer, conf, timeoutMs);
      peers.put(peer, client);
    }
    return client;
  }

  @Override
  public synchronized void close() {
    lstors.values().forEach(LstorClientTranslator::close);
    peers.values().forEach(PeerClientTranslator::close);
    lstors.clear();
    peers.clear();
  }
}
