/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.bridge.wire.Caller;
import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.MayCall;
import io.hdfsparity.raidp.wire.message.LostBlock;
import io.hdfsparity.raidp.wire.proto.RaidpReadProtos.FindDecodersRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpReadProtos.FindDecodersResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpReadProtos.FindLostBlockRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpReadProtos.FindLostBlockResponseProto;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Server side of {@link RaidpReadProtocol}. Thread-safe. */
public final class ReadServerTranslator implements RaidpReadProtocolPB {
  private final RaidpReadProtocol impl;

  public ReadServerTranslator(RaidpReadProtocol impl) {
    this.impl = impl;
  }

  @Override
  @MayCall(Caller.USERS)
  public FindDecodersResponseProto findDecoders(RpcController unused, FindDecodersRequestProto r)
      throws ServiceException {
    return Calls.local(
        () ->
            FindDecodersResponseProto.newBuilder()
                .addAllDecoders(
                    impl.findDecoders(r.getBlockPoolId(), r.getBlockId()).stream()
                        .map(ReportMessages::toProto)
                        .toList())
                .build());
  }

  @Override
  @MayCall(Caller.DATANODES)
  public FindLostBlockResponseProto findLostBlock(RpcController unused, FindLostBlockRequestProto r)
      throws ServiceException {
    return Calls.local(
        () -> {
          LostBlock lost = impl.findLostBlock(r.getNodeUuid(), r.getBlockPoolId(), r.getBlockId());
          FindLostBlockResponseProto.Builder b = FindLostBlockResponseProto.newBuilder();
          lost.expected().map(ReportMessages::toProto).ifPresent(b::setExpected);
          lost.sources().forEach(source -> b.addSources(ReportMessages.toProto(source)));
          b.addAllUnreadable(lost.unreadable());
          return b.build();
        });
  }
}
