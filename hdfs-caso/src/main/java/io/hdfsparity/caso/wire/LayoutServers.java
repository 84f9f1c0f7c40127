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
import io.hdfsparity.bridge.wire.RpcServers;
import io.hdfsparity.caso.wire.proto.CasoLayoutProtos.CasoLayoutService;
import io.hdfsparity.caso.wire.proto.CasoLayoutProtos.GuardRequestProto;
import io.hdfsparity.caso.wire.proto.CasoLayoutProtos.GuardResponseProto;
import io.hdfsparity.caso.wire.proto.CasoLayoutProtos.InspectRequestProto;
import io.hdfsparity.caso.wire.proto.CasoLayoutProtos.InspectResponseProto;
import io.hdfsparity.caso.wire.proto.CasoLayoutProtos.JoinRequestProto;
import io.hdfsparity.caso.wire.proto.CasoLayoutProtos.JoinResponseProto;
import io.hdfsparity.caso.wire.proto.CasoLayoutProtos.SwapRequestProto;
import io.hdfsparity.caso.wire.proto.CasoLayoutProtos.SwapResponseProto;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Builds the server of {@link LayoutProtocol}, authorized where the cluster is. */
public final class LayoutServers {
  /** Key of hadoop-policy.xml: who may call; what for is HDFS's own rule. */
  public static final String ACL = "security.caso.layout.protocol.acl";

  private LayoutServers() {}

  /** A server that the caller starts and stops. */
  public static RPC.Server build(
      Configuration conf, InetSocketAddress bind, int handlers, LayoutProtocol impl)
      throws IOException {
    return RpcServers.authorized(
        conf,
        RpcServers.build(
            conf,
            bind,
            handlers,
            LayoutProtocolPB.class,
            GuardedService.of(
                CasoLayoutService::newReflectiveBlockingService, new Translator(impl))),
        new Policy());
  }

  /** Who may call. */
  private static final class Policy extends PolicyProvider {
    @Override
    public Service[] getServices() {
      return new Service[] {new Service(ACL, LayoutProtocolPB.class)};
    }
  }

  /** Messages to calls. */
  private record Translator(LayoutProtocol impl) implements LayoutProtocolPB {
    @Override
    @MayCall(Caller.SUPERUSERS)
    public InspectResponseProto inspect(RpcController unused, InspectRequestProto request)
        throws ServiceException {
      return Calls.local(() -> LayoutMessages.toProto(impl.inspect(request.getPath())));
    }

    @Override
    @MayCall(Caller.SUPERUSERS)
    public SwapResponseProto swap(RpcController unused, SwapRequestProto request)
        throws ServiceException {
      return Calls.local(
          () ->
              LayoutMessages.toProto(
                  impl.swap(
                      LayoutMessages.fromProto(request.getSource()),
                      LayoutMessages.fromProto(request.getCopy()))));
    }

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
