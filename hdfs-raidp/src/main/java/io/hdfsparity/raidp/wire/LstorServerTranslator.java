/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.bridge.wire.Caller;
import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.MayCall;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorEntriesRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorEntriesResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorInfoRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorInfoResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorTakesRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorTakesResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ReadParityRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ReadParityResponseProto;
import java.util.OptionalInt;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.thirdparty.protobuf.UnsafeByteOperations;

/** Server side of {@link RaidpLstorProtocol}. Thread-safe. */
public final class LstorServerTranslator implements RaidpLstorProtocolPB {
  private final RaidpLstorProtocol impl;

  public LstorServerTranslator(RaidpLstorProtocol impl) {
    this.impl = impl;
  }

  @Override
  @MayCall(Caller.DAEMONS)
  public LstorInfoResponseProto info(RpcController unused, LstorInfoRequestProto r)
      throws ServiceException {
    return Calls.local(
        () -> {
          return SlotMessages.toProto(impl.info(r.getDiskId()));
        });
  }

  @Override
  @MayCall(Caller.DAEMONS)
  public LstorEntriesResponseProto entries(RpcController unused, LstorEntriesRequestProto r)
      throws ServiceException {
    return Calls.local(
        () -> {
          OptionalInt frame =
              r.hasFrameIndex() ? OptionalInt.of(r.getFrameIndex()) : OptionalInt.empty();
          return LstorEntriesResponseProto.newBuilder()
              .addAllEntries(
                  impl.entries(r.getDiskId(), frame).stream().map(SlotMessages::toProto).toList())
              .build();
        });
  }

  @Override
  @MayCall(Caller.DAEMONS)
  public LstorTakesResponseProto takes(RpcController unused, LstorTakesRequestProto r)
      throws ServiceException {
    return Calls.local(
        () -> LstorTakesResponseProto.newBuilder().setTakes(impl.takes(r.getDiskId())).build());
  }

  @Override
  @MayCall(Caller.DAEMONS)
  public ReadParityResponseProto readParity(RpcController unused, ReadParityRequestProto r)
      throws ServiceException {
    return Calls.local(
        () -> {
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
