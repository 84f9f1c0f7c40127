/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.wire.access;

import io.hdfsparity.bridge.wire.Caller;
import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.GuardedService;
import io.hdfsparity.bridge.wire.MayCall;
import io.hdfsparity.bridge.wire.ServedProtocol;
import io.hdfsparity.izs.history.HistoryView;
import io.hdfsparity.izs.wire.proto.IzsAccessProtos.CountsRequestProto;
import io.hdfsparity.izs.wire.proto.IzsAccessProtos.CountsResponseProto;
import io.hdfsparity.izs.wire.proto.IzsAccessProtos.IzsAccessService;
import io.hdfsparity.izs.wire.proto.IzsAccessProtos.PathCountsProto;
import java.io.IOException;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** The protocol of the access history, for the server of the NameNode. Stateless. */
public final class AccessProtocols {
  /** Who may call; what for is the protocol's own rule. */
  public static final Service ACCESS =
      new Service("security.izs.access.protocol.acl", AccessProtocolPB.class);

  private AccessProtocols() {}

  /** What answers. */
  public static ServedProtocol access(AccessProtocol impl) {
    return new ServedProtocol(
        ACCESS,
        GuardedService.of(IzsAccessService::newReflectiveBlockingService, new Translator(impl)));
  }

  /** Messages to calls. */
  private record Translator(AccessProtocol impl) implements AccessProtocolPB {
    @Override
    @MayCall(Caller.SUPERUSERS)
    public CountsResponseProto counts(RpcController unused, CountsRequestProto request)
        throws ServiceException {
      return Calls.local(() -> answer(request, impl));
    }
  }

  private static CountsResponseProto answer(CountsRequestProto request, AccessProtocol impl)
      throws IOException {
    if (request.getPathCount() > AccessProtocol.MAX_PATHS) {
      throw new IOException(
          "Cannot count: paths="
              + request.getPathCount()
              + ", expected at most "
              + AccessProtocol.MAX_PATHS);
    }
    HistoryView view = impl.counts(request.getPathList());
    CountsResponseProto.Builder b =
        CountsResponseProto.newBuilder()
            .setPeriodMs(view.periodMs())
            .setNewestPeriod(view.newestPeriod())
            .addAllObservedMs(view.observedMs())
            .addAllMissed(view.missed());
    view.counts()
        .forEach(
            (path, counts) ->
                b.addCounts(PathCountsProto.newBuilder().setPath(path).addAllCount(counts)));
    return b.build();
  }
}
