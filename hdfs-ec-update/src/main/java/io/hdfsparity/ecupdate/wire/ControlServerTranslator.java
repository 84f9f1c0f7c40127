/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.wire;

import io.hdfsparity.bridge.wire.Caller;
import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.MayCall;
import io.hdfsparity.ecupdate.protocol.ControlProtocol;
import io.hdfsparity.ecupdate.wire.proto.UpdateControlProtos.ConvertRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateControlProtos.MergeRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateControlProtos.NodeStatusProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateControlProtos.OutcomeProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateControlProtos.StatusRequestProto;
import java.util.LinkedHashSet;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Server side of {@link ControlProtocol}. Thread-safe. */
final class ControlServerTranslator implements UpdateControlProtocolPB {
  private final ControlProtocol impl;

  ControlServerTranslator(ControlProtocol impl) {
    this.impl = impl;
  }

  @Override
  @MayCall(Caller.ADMINISTRATORS)
  public NodeStatusProto status(RpcController unused, StatusRequestProto request)
      throws ServiceException {
    return Calls.local(
        () ->
            ControlMessages.toProto(
                impl.status(
                    ControlMessages.fromProto(request.getListed()),
                    new LinkedHashSet<>(request.getBlockIdList()))));
  }

  @Override
  @MayCall(Caller.SUPERUSERS)
  public OutcomeProto merge(RpcController unused, MergeRequestProto request)
      throws ServiceException {
    return Calls.local(
        () -> ControlMessages.toProto(impl.merge(new LinkedHashSet<>(request.getBlockIdList()))));
  }

  @Override
  @MayCall(Caller.SUPERUSERS)
  public OutcomeProto convert(RpcController unused, ConvertRequestProto request)
      throws ServiceException {
    return Calls.local(
        () ->
            ControlMessages.toProto(
                impl.convert(request.getScheme(), new LinkedHashSet<>(request.getBlockIdList()))));
  }
}
