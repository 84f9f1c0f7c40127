/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.bridge.wire.Caller;
import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.MayCall;
import io.hdfsparity.raidp.wire.message.RangeRequest;
import io.hdfsparity.raidp.wire.proto.RaidpReadProtos.ReadRangeRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpReadProtos.ReadRangeResponseProto;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.thirdparty.protobuf.UnsafeByteOperations;

/** Server side of {@link RaidpRangeProtocol}. Thread-safe. */
public final class RangeServerTranslator implements RaidpRangeProtocolPB {
  private static final Text KIND = new Text("HDFS_BLOCK_TOKEN");

  private final RaidpProtocols.RangeSource source;

  RangeServerTranslator(RaidpProtocols.RangeSource source) {
    this.source = source;
  }

  @Override
  @MayCall(Caller.USERS)
  public ReadRangeResponseProto readRange(RpcController unused, ReadRangeRequestProto r)
      throws ServiceException {
    return Calls.local(
        () -> {
          Token<BlockTokenIdentifier> token =
              new Token<>(
                  r.getTokenIdentifier().toByteArray(),
                  r.getTokenPassword().toByteArray(),
                  KIND,
                  new Text());
          ExtendedBlock block =
              new ExtendedBlock(r.getBlockPoolId(), r.getBlockId(), 0, r.getGenerationStamp());
          byte[] data =
              source.get().readRange(new RangeRequest(block, token, r.getOffset(), r.getCount()));
          return ReadRangeResponseProto.newBuilder()
              .setData(UnsafeByteOperations.unsafeWrap(data))
              .setCrc32C(WireChecksum.of(data))
              .build();
        });
  }
}
