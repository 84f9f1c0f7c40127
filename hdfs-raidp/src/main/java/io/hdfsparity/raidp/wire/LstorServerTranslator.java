/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorEntriesRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorEntriesResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorInfoRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorInfoResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ReadParityRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ReadParityResponseProto;
import java.util.OptionalInt;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.thirdparty.protobuf.UnsafeByteOperations;

/**
 * Server side of {@link RaidpLstorProtocol}; refuses callers that are no daemon of HDFS.
 * Thread-safe.
 */
public final class LstorServerTranslator implements RaidpLstorProtocolPB {
  private final RaidpLstorProtocol impl;
  private final CallerCheck callers;

  public LstorServerTranslator(RaidpLstorProtocol impl, CallerCheck callers) {
    this.impl = impl;
    this.callers = callers;
  }

  @Override
  public LstorInfoResponseProto info(RpcController unused, LstorInfoRequestProto r)
      throws ServiceException {
    return Calls.local(
        () -> {
          callers.check("read Lstor info");
          return SlotMessages.toProto(impl.info(r.getDiskId()));
        });
  }

  @Override
  public LstorEntriesResponseProto entries(RpcController unused, LstorEntriesRequestProto r)
      throws ServiceException {
    return Calls.local(
        () -> {
          callers.check("read Lstor entries");
          OptionalInt frame =
              r.hasFrameIndex() ? OptionalInt.of(r.getFrameIndex()) : OptionalInt.empty();
          return LstorEntriesResponseProto.newBuilder()
              .addAllEntries(
                  impl.entries(r.getDiskId(), frame).stream().map(SlotMessages::toProto).toList())
              .build();
        });
  }

  @Override
  public ReadParityResponseProto readParity(RpcController unused, ReadParityRequestProto r)
      throws ServiceException {
    return Calls.local(
        () -> {
          callers.check("read parity");
          byte[] data =
              impl.readParity(
                  r.getDiskId(), SlotMessages.kind(r.getKind()), r.getPosition(), r.getCount());
          return ReadParityResponseProto.newBuilder()
              .setData(UnsafeByteOperations.unsafeWrap(data))
              .setCrc32C(WireChecksum.of(data))
              .build();
        });
  }
}
