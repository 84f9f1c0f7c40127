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
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketReceiver;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.security.token.Token;

/**
 * A read of one block by Hadoop's data transfer protocol, as slow as its caller and under any name.
 */
final class RawRead implements Closeable {
  /**
   * What waits in the socket if the caller does not say: little is on its way before it is read.
   */
  private static final int RECEIVE_BUFFER_BYTES = 4096;

  private final Socket socket;
  private final InputStream in;

  /** Bytes of the block before those that were asked for, which begin with a chunk. */
  private final int skipBytes;

  private final byte[] bytes;

  private RawRead(Socket socket, int skipBytes, int lengthBytes) throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(socket.getInputStream());
    this.skipBytes = skipBytes;
    bytes = new byte[lengthBytes];
  }

  /**
   * Asks for bytes; the DataNode has opened the replica on return.
   *
   * @param block with the length that the client takes it to have
   * @throws IOException with the DataNode's words if it refuses
   */
  static RawRead begin(
      DatanodeID node,
      ExtendedBlock block,
      Token<BlockTokenIdentifier> token,
      String client,
      int offset,
      int lengthBytes)
      throws IOException {
    return begin(node, block, token, client, offset, lengthBytes, RECEIVE_BUFFER_BYTES);
  }

  /**
   * The same with room for as much as the caller says to wait in its socket.
   *
   * @param receiveBufferBytes as of {@link Socket#setReceiveBufferSize}
   */
  static RawRead begin(
      DatanodeID node,
      ExtendedBlock block,
      Token<BlockTokenIdentifier> token,
      String client,
      int offset,
      int lengthBytes,
      int receiveBufferBytes)
      throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(receiveBufferBytes);
    socket.connect(
        new java.net.InetSocketAddress(
            InetAddress.getByName(node.getIpAddr()), node.getXferPort()));
    RawRead read = new RawRead(socket, offset % 512, lengthBytes);
    try {
      OutputStream out = new BufferedOutputStream(socket.getOutputStream());
      new Sender(new DataOutputStream(out))
          .readBlock(
              block,
              token,
              client,
              offset,
              lengthBytes,
              /* sendChecksum= */ true,
              CachingStrategy.newDefaultStrategy());
      BlockOpResponseProto response =
          BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(read.in));
      if (response.getStatus() != Status.SUCCESS) {
        throw new IOException(response.getMessage());
      }
      return read;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** The bytes that were asked for. */
  byte[] finish() throws IOException {
    byte[] all = new byte[skipBytes + bytes.length];
    int done = 0;
    try (PacketReceiver receiver = new PacketReceiver(/* useDirectBuffers= */ false)) {
      while (done < all.length) {
        receiver.receiveNextPacket(in);
        int count = Math.min(receiver.getDataSlice().remaining(), all.length - done);
        receiver.getDataSlice().get(all, done, count);
        done += count;
      }
    }
    System.arraycopy(all, skipBytes, bytes, 0, bytes.length);
    return bytes;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
