/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import io.hdfsparity.bridge.wire.BlockChecksums;
import io.hdfsparity.core.geometry.ByteRange;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.PeerCache;
import org.apache.hadoop.hdfs.client.impl.BlockReaderRemote;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;

/**
 * The connection to the node of one unit: one after another, reads of ranges of its block. It is
 * kept between reads, as HDFS's clients keep theirs (DataXceiver waits for the next request for
 * {@code dfs.datanode.socket.reuse.keepalive}); where the node has closed it meanwhile, a new one
 * is made. Tokens, SASL and encryption are as in HDFS's StripedBlockReader.
 *
 * <p>One thread reads; {@link #close} may come from another one and ends what that one waits for.
 */
final class HelperConnection implements Closeable {
  private final DataNode datanode;
  private final Target target;
  private final RepairMetrics.Reads metrics;
  private final Idle idle = new Idle();
  private volatile @Nullable Peer inUse;
  private volatile boolean isClosed;

  /**
   * What is read.
   *
   * @param unit its number
   * @param block its internal block
   * @param node that has it
   * @param address where that listens
   * @param client name as which it is read; empty: to rebuild other units from it
   */
  record Target(
      int unit, ExtendedBlock block, DatanodeInfo node, InetSocketAddress address, String client) {}

  HelperConnection(DataNode datanode, Target target, RepairMetrics.Reads metrics) {
    this.datanode = datanode;
    this.target = target;
    this.metrics = metrics;
  }

  int unit() {
    return target.unit();
  }

  DatanodeInfo node() {
    return target.node();
  }

  private Token<BlockTokenIdentifier> token() throws IOException {
    return datanode.getBlockAccessToken(
        target.block(),
        EnumSet.of(BlockTokenIdentifier.AccessMode.READ),
        StorageType.EMPTY_ARRAY,
        new String[0]);
  }

  /** The checksum of the whole unit, which no byte of it is read for. */
  BlockChecksums.BlockCrc checksum() throws IOException {
    Token<BlockTokenIdentifier> token = token();
    try (Peer peer = connect(target.block(), token)) {
      inUse = peer;
      return BlockChecksums.ask(
          peer.getInputStream(), peer.getOutputStream(), target.block(), token);
    }
  }

  /**
   * Asks for a range. When all of it was read, closing the reader keeps the connection for the next
   * one; else it closes the connection.
   */
  BlockReader open(ByteRange range) throws IOException {
    ExtendedBlock block = target.block();
    Token<BlockTokenIdentifier> token = token();
    Peer kept = idle.take();
    if (kept != null) {
      try {
        return request(kept, block, token, range);
      } catch (IOException e) {
        // Most likely the node has closed it for being idle; a new one will tell.
        DataNode.LOG.debug("Kept connection to {} is of no use", target.node(), e);
      }
    }
    return request(connect(block, token), block, token, range);
  }

  private Peer connect(ExtendedBlock block, Token<BlockTokenIdentifier> token) throws IOException {
    Configuration conf = datanode.getConf();
    int timeoutMs = datanode.getDnConf().getSocketTimeout();
    Socket socket = NetUtils.getDefaultSocketFactory(conf).createSocket();
    Peer peer = null;
    try {
      NetUtils.connect(socket, target.address(), timeoutMs);
      // A request follows the status of the last read at once and must not wait for its ACK.
      socket.setTcpNoDelay(datanode.getDnConf().getDataTransferServerTcpNoDelay());
      peer =
          DFSUtilClient.peerFromSocketAndKey(
              datanode.getSaslClient(),
              socket,
              datanode.getDataEncryptionKeyFactoryForBlock(block),
              token,
              target.node(),
              timeoutMs);
      metrics.connected();
      return peer;
    } finally {
      if (peer == null) {
        IOUtils.closeSocket(socket);
      }
    }
  }

  private BlockReader request(
      Peer peer, ExtendedBlock block, Token<BlockTokenIdentifier> token, ByteRange range)
      throws IOException {
    BlockReader reader = null;
    inUse = peer;
    try {
      if (isClosed) {
        throw new IOException("the read of " + block + " from " + target.node() + " was aborted");
      }
      reader =
          BlockReaderRemote.newBlockReader(
              "repair",
              block,
              token,
              range.offsetBytes(),
              range.lengthBytes(),
              true,
              target.client(),
              peer,
              target.node(),
              idle,
              CachingStrategy.newDefaultStrategy(),
              -1,
              datanode.getConf());
      return reader;
    } finally {
      if (reader == null) {
        IOUtils.closeStream(peer);
      }
    }
  }

  /** Whether the node is on this machine. */
  boolean isLocal() {
    Peer peer = inUse;
    return peer != null && peer.isLocal();
  }

  @Override
  public void close() {
    isClosed = true;
    Peer peer = inUse;
    if (peer != null) {
      IOUtils.closeStream(peer);
    }
    idle.shut();
  }

  /**
   * Where a reader leaves its connection when it has read everything. Not HDFS's cache itself,
   * which has a thread and cannot be closed.
   */
  private static final class Idle extends PeerCache {
    private @Nullable Peer kept;
    private boolean isShut;

    Idle() {
      super(0, 1);
    }

    @Override
    public synchronized void put(DatanodeID node, Peer peer) {
      if (isShut) {
        IOUtils.closeStream(peer);
      } else {
        kept = peer;
      }
    }

    synchronized void shut() {
      isShut = true;
      IOUtils.closeStream(kept);
      kept = null;
    }

    synchronized @Nullable Peer take() {
      Peer peer = kept;
      kept = null;
      return peer == null || peer.isClosed() ? null : peer;
    }
  }
}
