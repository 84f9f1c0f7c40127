/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.wire.ActiveNameNode;
import io.hdfsparity.bridge.wire.NameNodeServer;
import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.config.RaidpKey;
import io.hdfsparity.raidp.wire.NodeClientTranslator;
import io.hdfsparity.raidp.wire.RaidpNodeProtocol;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkRequest;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the active manager for which storage of this node, and which superchunk, a block was placed.
 * Waits for one to be active, on the calling thread alone: it must hold no lock of the dataset.
 * Thread-safe.
 */
final class PlacementQuery implements Closeable {
  private static final long PAUSE_MS = 200;

  /** A NameNode that hangs may not use up the time in which another one becomes active. */
  private static final int CALLS_IN_TIME = 6;

  private final Managers managers;
  private final Clock clock;
  private final String clusterId;
  private final String nodeUuid;
  private final long timeoutMs;
  private volatile @Nullable InetSocketAddress lastActive;

  /** Connections to managers. */
  interface Managers extends Closeable {
    List<NameNodeServer> servers() throws IOException;

    RaidpNodeProtocol at(InetSocketAddress address) throws IOException;
  }

  /**
   * @param timeoutMs in which a manager has to answer
   */
  PlacementQuery(
      Managers managers, Clock clock, String clusterId, String nodeUuid, long timeoutMs) {
    this.managers = managers;
    this.clock = clock;
    this.clusterId = clusterId;
    this.nodeUuid = nodeUuid;
    this.timeoutMs = timeoutMs;
  }

  /**
   * The storage and superchunk that a block was placed in.
   *
   * @param named the storage of this node that the replica is to be made on; empty: the answer
   *     names it
   * @return a pair, or plain: the block is HDFS's business alone
   * @throws InterruptedIOException when the thread is interrupted; it stays so
   * @throws IOException when this node was not chosen for the block, or no manager has answered in
   *     time
   */
  SuperchunkAnswer ask(Optional<String> named, ExtendedBlock block) throws IOException {
    SuperchunkAnswer answer =
        ask(
            block,
            new SuperchunkRequest(
                clusterId,
                nodeUuid,
                block.getBlockPoolId(),
                block.getBlockId(),
                block.getGenerationStamp(),
                named));
    if (answer instanceof SuperchunkAnswer.Refused refused) {
      throw new IOException(
          ErrorMessage.to("make a replica")
                  .value("block", block)
                  .expected("a DataNode that the NameNode has chosen for it")
                  .message()
              + ": "
              + refused.reason());
    }
    return answer;
  }

  private SuperchunkAnswer ask(ExtendedBlock block, SuperchunkRequest request) throws IOException {
    long startNanos = clock.nanoTime();
    while (true) {
      IOException failure;
      try {
        return ActiveNameNode.call(
            lastActiveFirst(managers.servers()), server -> askAt(server.address(), request));
      } catch (AccessControlException e) {
        throw e;
      } catch (SocketTimeoutException e) {
        failure = e;
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        // Also a NameNode that has just started, and does not know this node yet.
        failure = e;
      }
      long waitedMs = TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - startNanos);
      if (waitedMs >= timeoutMs) {
        throw new IOException(
            ErrorMessage.to("make a replica")
                    .value("block", block)
                    .value("waitedMs", waitedMs)
                    .expected(
                        "the active NameNode to say "
                            + (request.storageId().isPresent()
                                ? "for which superchunk it was placed"
                                : "for which storage it was placed, as the client names none")
                            + "; see that a NameNode is active and reachable from this DataNode, and"
                            + " write again ("
                            + RaidpKey.PLACEMENT_QUERY_TIMEOUT.key()
                            + ")")
                    .message()
                + ": "
                + failure.getMessage(),
            failure);
      }
      pause();
    }
  }

  private SuperchunkAnswer askAt(InetSocketAddress address, SuperchunkRequest request)
      throws IOException {
    SuperchunkAnswer answer = managers.at(address).superchunkOf(request);
    lastActive = address;
    return answer;
  }

  private List<NameNodeServer> lastActiveFirst(List<NameNodeServer> servers) {
    InetSocketAddress first = lastActive;
    List<NameNodeServer> order = new ArrayList<>(servers);
    order.sort((a, b) -> Boolean.compare(b.address().equals(first), a.address().equals(first)));
    return order;
  }

  private static void pause() throws InterruptedIOException {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(
          "Cannot make a replica: interrupted while waiting for the active NameNode");
    }
  }

  @Override
  public void close() throws IOException {
    managers.close();
  }

  /** Managers by Hadoop RPC. Thread-safe. */
  static final class RpcManagers implements Managers {
    private final Configuration conf;
    private final Servers source;
    private final int callTimeoutMs;
    private final Map<InetSocketAddress, NodeClientTranslator> clients = new HashMap<>();
    private boolean closed;

    /** Finds the managers. */
    @FunctionalInterface
    interface Servers {
      List<NameNodeServer> all() throws IOException;
    }

    /**
     * @param timeoutMs that a question may wait
     */
    RpcManagers(Configuration conf, Servers source, int timeoutMs) {
      this.conf = conf;
      this.source = source;
      this.callTimeoutMs = Math.max(1, timeoutMs / CALLS_IN_TIME);
    }

    @Override
    public List<NameNodeServer> servers() throws IOException {
      return source.all();
    }

    @Override
    public synchronized RaidpNodeProtocol at(InetSocketAddress address) throws IOException {
      if (closed) {
        throw new InterruptedIOException(
            "Cannot call a manager: DataNode=shutting down, expected one in service");
      }
      NodeClientTranslator client = clients.get(address);
      if (client == null) {
        client = new NodeClientTranslator(address, conf, callTimeoutMs);
        clients.put(address, client);
      }
      return client;
    }

    @Override
    public synchronized void close() {
      closed = true;
      clients.values().forEach(NodeClientTranslator::close);
      clients.clear();
    }
  }
}
