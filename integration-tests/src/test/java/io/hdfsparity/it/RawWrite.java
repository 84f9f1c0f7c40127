/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.BlockConstructionStage;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader;
import org.apache.hadoop.hdfs.protocol.datatransfer.PipelineAck;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.util.DataChecksum;

/**
 * A write of one replica by Hadoop's data transfer protocol, to one DataNode alone, as HBase's
 * writer of logs does it: it names a storage or none.
 */
final class RawWrite implements Closeable {
  private static final int TIMEOUT_MS = 300_000;

  /** Not thread-safe. */
  private final DataChecksum checksum = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  private RawWrite(Socket socket) throws IOException {
    this.socket = socket;
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
  }

  /**
   * Asks for the replica; it is there on return.
   *
   * @param storageId null: none is named
   * @throws IOException if the DataNode makes none: it closes the connection
   */
  static RawWrite begin(
      DatanodeInfo node, LocatedBlock located, ExtendedBlock block, String client, String storageId)
      throws IOException {
    Socket socket = new Socket();
    socket.connect(
        new InetSocketAddress(InetAddress.getByName(node.getIpAddr()), node.getXferPort()));
    socket.setSoTimeout(TIMEOUT_MS);
    RawWrite write = new RawWrite(socket);
    try {
      new Sender(write.out)
          .writeBlock(
              block,
              StorageType.DISK,
              located.getBlockToken(),
              client,
              new DatanodeInfo[] {node},
              new StorageType[] {StorageType.DISK},
              null,
              BlockConstructionStage.PIPELINE_SETUP_CREATE,
              1,
              0,
              0,
              0,
              write.checksum,
              CachingStrategy.newDefaultStrategy(),
              false,
              false,
              null,
              storageId,
              storageId == null ? null : new String[] {storageId});
      BlockOpResponseProto response =
          BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(write.in));
      if (response.getStatus() != Status.SUCCESS) {
        throw new IOException(response.getMessage());
      }
      return write;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Writes all bytes and ends the replica. */
  void finish(byte[] bytes) throws IOException {
    int done = 0;
    long sequence = 0;
    while (done < bytes.length) {
      int count = Math.min(64 << 10, bytes.length - done);
      packet(done, sequence++, bytes, count, /* isLast= */ false);
      done += count;
    }
    packet(done, sequence, bytes, 0, /* isLast= */ true);
  }

  private void packet(int offset, long sequence, byte[] bytes, int count, boolean isLast)
      throws IOException {
    int chunks = (count + 511) / 512;
    byte[] sums = new byte[4 * chunks];
    if (count > 0) {
      checksum.calculateChunkedSums(bytes, offset, count, sums, 0);
    }
    new PacketHeader(4 + sums.length + count, offset, sequence, isLast, count, true).write(out);
    out.write(sums);
    out.write(bytes, offset, count);
    out.flush();
    PipelineAck ack = new PipelineAck();
    ack.readFields(in);
    if (!ack.isSuccess()) {
      throw new IOException("not acknowledged: " + Map.of(sequence, ack));
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
