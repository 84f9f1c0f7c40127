/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.protocolPB.HAServiceProtocolPB;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.ipc.Client.ConnectionId;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtocolMetaInfoPB;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.protobuf.ProtocolInfoProtos.GetProtocolSignatureRequestProto;
import org.apache.hadoop.net.NetUtils;

/**
 * Whether the paths by inode of a client lead to the file that another path leads to. At a NameNode
 * they do. A Router sends all of them to one nameservice, whatever file is meant, and inodes have
 * the same numbers in every namespace: what is found there may be another file.
 *
 * <p>A NameNode is known by a protocol that it serves wherever it serves clients, and that no
 * Router does: that of HA, which it has without HA, too. It is asked once for as long as a client
 * sees one block pool only. Who cannot be asked counts as a Router.
 *
 * <p>Reaches: getConfiguration() of DFSClient, package-private; the connection of its proxy, and
 * the protocol ProtocolMetaInfoPB, which every server of Hadoop's RPC has, by that connection.
 * Checked for Hadoop 3.5.0. Thread-safe.
 */
public final class InodePaths {
  private static final String REMEDY = "; use the nameservice itself, hdfs://NAMESERVICE/...";

  private final DFSClient client;
  private volatile Server server = Server.UNKNOWN;

  /** That was seen while a NameNode answered; empty: none. */
  private volatile String pool = "";

  private enum Server {
    UNKNOWN,
    NAME_NODE,
    ANOTHER
  }

  InodePaths(DFSClient client) {
    this.client = client;
  }

  /** Those of a client. */
  public static InodePaths of(DFSClient client) {
    return client instanceof FeatureClient own ? own.inodePaths() : new InodePaths(client);
  }

  /**
   * Path, without scheme, under which a client finds a file by its inode, whatever it is called.
   */
  public static String path(long inodeId) {
    return DFSUtilClient.makePathFromFileId(inodeId).toUri().getPath();
  }

  /** Whether all paths of the client lead to one namespace. */
  public boolean isOneNamespace() {
    if (server == Server.UNKNOWN) {
      server = ask();
    }
    return server == Server.NAME_NODE;
  }

  /**
   * The same for who has located a block.
   *
   * @param seen one that the client has just learned of
   */
  public boolean isOneNamespace(LocatedBlock seen) {
    String seenPool = BlockName.of(seen).poolId();
    if (server == Server.NAME_NODE && !pool.isEmpty() && !pool.equals(seenPool)) {
      // Since a NameNode has one pool, something else has taken its place.
      server = Server.UNKNOWN;
    }
    boolean isOne = isOneNamespace();
    if (isOne) {
      pool = seenPool;
    }
    return isOne;
  }

  /**
   * Whether the path by an inode leads to a file; at a NameNode that is so, and nothing is asked.
   *
   * @param inodeId of the file, as another path has shown it
   * @param first the first block of the file, as it was located by another path
   */
  public boolean leadTo(long inodeId, LocatedBlock first) {
    if (isOneNamespace(first)) {
      return true;
    }
    try {
      HdfsLocatedFileStatus there = client.getLocatedFileInfo(path(inodeId), false);
      return there != null && there.getFileId() == inodeId && beginsWith(there, first);
    } catch (IOException e) {
      DFSClient.LOG.debug("No answer for inode {}: it is not relied on", inodeId, e);
      return false;
    }
  }

  /** Whether a block is the first one of a file; a directory has none. */
  public static boolean beginsWith(HdfsLocatedFileStatus file, LocatedBlock first) {
    LocatedBlocks blocks = file.getLocatedBlocks();
    return blocks != null
        && blocks.locatedBlockCount() > 0
        && BlockName.of(blocks.get(0)).equals(BlockName.of(first));
  }

  /**
   * For what goes by inodes, or asks a server of the suite in the NameNode about a path.
   *
   * @param doing as for {@link ErrorMessage#to}
   * @throws IOException if the file system is not a NameNode's own
   */
  public static void requireNameNode(DistributedFileSystem fs, String doing) throws IOException {
    // So that a client of several NameNodes has found the active one.
    fs.getServerDefaults();
    if (!of(fs.getClient()).isOneNamespace()) {
      throw new IOException(
          ErrorMessage.to(doing)
              .value("fileSystem", fs.getUri())
              .expected(
                  "a NameNode: this may be a Router, which leads paths and inodes to different"
                      + " namespaces"
                      + REMEDY)
              .message());
    }
  }

  /** When a file cannot be opened by its inode, and not by its path either. */
  static IOException notLed(String doing, String file) {
    return new IOException(
        ErrorMessage.to(doing)
            .value("inode", "in another namespace")
            .expected("one namespace: this may be a Router in front of several" + REMEDY)
            .where("file", file)
            .message());
  }

  private Server ask() {
    try {
      ConnectionId connection = RPC.getConnectionIdForProxy(client.getNamenode());
      if (connection == null) {
        return Server.UNKNOWN;
      }
      return serves(connection, HAServiceProtocolPB.class) ? Server.NAME_NODE : Server.ANOTHER;
    } catch (IOException | IllegalArgumentException | ClassCastException e) {
      DFSClient.LOG.debug("Cannot find out whether it is a NameNode: counts as a Router", e);
      return Server.UNKNOWN;
    }
  }

  @SuppressWarnings("NullAway") // Hadoop's engine takes calls without a controller only
  private boolean serves(ConnectionId connection, Class<?> protocol) throws IOException {
    Configuration conf = client.getConfiguration();
    ProtocolMetaInfoPB asked =
        new ProtobufRpcEngine2()
            .getProtocolMetaInfoProxy(connection, conf, NetUtils.getDefaultSocketFactory(conf))
            .getProxy();
    GetProtocolSignatureRequestProto request =
        GetProtocolSignatureRequestProto.newBuilder()
            .setProtocol(protocol.getName())
            .setRpcKind(RPC.RpcKind.RPC_PROTOCOL_BUFFER.toString())
            .build();
    try {
      return Calls.remote(() -> asked.getProtocolSignature(null, request))
              .getProtocolSignatureCount()
          > 0;
    } finally {
      RPC.stopProxy(asked);
    }
  }
}
