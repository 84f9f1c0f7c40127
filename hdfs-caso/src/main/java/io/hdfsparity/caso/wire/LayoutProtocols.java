/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.wire;

import io.hdfsparity.bridge.wire.Caller;
import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.GuardedService;
import io.hdfsparity.bridge.wire.MayCall;
import io.hdfsparity.bridge.wire.ServedProtocol;
import io.hdfsparity.caso.wire.proto.CasoLayoutProtos.CasoLayoutService;
import io.hdfsparity.caso.wire.proto.CasoLayoutProtos.GuardRequestProto;
import io.hdfsparity.caso.wire.proto.CasoLayoutProtos.GuardResponseProto;
import io.hdfsparity.caso.wire.proto.CasoLayoutProtos.JoinRequestProto;
import io.hdfsparity.caso.wire.proto.CasoLayoutProtos.JoinResponseProto;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** The protocol of CASO's part of the NameNode, for its server. Stateless. */
public final class LayoutProtocols {
  /** Who may call; what for is HDFS's own rule. */
  public static final Service LAYOUT =
      new Service("security.caso.layout.protocol.acl", LayoutProtocolPB.class);

  /** Who may swap files for copies in another order: superusers of those. */
  public static final Service ORDER_SWAP =
      new Service("security.caso.layout.protocol.acl", OrderSwapProtocolPB.class);

  private LayoutProtocols() {}

  /** What answers. */
  public static ServedProtocol layout(LayoutProtocol impl) {
    return new ServedProtocol(
        LAYOUT,
        GuardedService.of(CasoLayoutService::newReflectiveBlockingService, new Translator(impl)));
  }

  /** Messages to calls. */
  private record Translator(LayoutProtocol impl) implements LayoutProtocolPB {
    @Override
    @MayCall(Caller.SUPERUSERS)
    public JoinResponseProto join(RpcController unused, JoinRequestProto request)
        throws ServiceException {
      return Calls.local(
          () -> {
            impl.join(request.getTarget(), request.getPartsList());
            return JoinResponseProto.getDefaultInstance();
          });
    }

    @Override
    @MayCall(Caller.SUPERUSERS)
    public GuardResponseProto guard(RpcController unused, GuardRequestProto request)
        throws ServiceException {
      return Calls.local(
          () -> GuardResponseProto.newBuilder().setGuarded(impl.isGuarded()).build());
    }
  }
}
