/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hadoop.hdfs.protocol.BlockChecksumOptions;
import org.apache.hadoop.hdfs.protocol.BlockChecksumType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpBlockChecksumResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;

/** Asks a DataNode for the checksum of a whole block, which it makes of the checksums it stores. */
public final class BlockChecksums {
  private BlockChecksums() {}

  /**
   * The CRC of all bytes of a block.
   *
   * @param type of the block's checksums
   */
  public record BlockCrc(DataChecksum.Type type, int crc) {}

  /**
   * Asks over a connection.
   *
   * @param block whose length is that of the unit
   * @throws IOException as the DataNode says, also if the block has no CRCs
   */
  public static BlockCrc ask(
      InputStream in, OutputStream out, ExtendedBlock block, Token<BlockTokenIdentifier> token)
      throws IOException {
    new Sender(new DataOutputStream(new BufferedOutputStream(out)))
        .blockChecksum(block, token, new BlockChecksumOptions(BlockChecksumType.COMPOSITE_CRC));
    BlockOpResponseProto answer =
        BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(new DataInputStream(in)));
    DataTransferProtoUtil.checkBlockOpStatus(answer, "checksum of " + block);
    OpBlockChecksumResponseProto checksum = answer.getChecksumResponse();
    byte[] bytes = checksum.getBlockChecksum().toByteArray();
    if (!checksum.hasCrcType() || bytes.length != Integer.BYTES) {
      throw new IOException(
          "Cannot use the checksum of a block: bytes="
              + bytes.length
              + ", expected "
              + Integer.BYTES
              + " and a type, block="
              + block);
    }
    return new BlockCrc(
        PBHelperClient.convert(checksum.getCrcType()), ByteBuffer.wrap(bytes).getInt());
  }
}
