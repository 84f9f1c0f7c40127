/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap.wire;

import io.hdfsparity.bridge.swap.SwapProtocol;
import io.hdfsparity.bridge.swap.wire.proto.FileSwapProtos.FileSwapService;
import io.hdfsparity.bridge.swap.wire.proto.FileSwapProtos.InspectRequestProto;
import io.hdfsparity.bridge.swap.wire.proto.FileSwapProtos.InspectResponseProto;
import io.hdfsparity.bridge.swap.wire.proto.FileSwapProtos.ProtectFolderRequestProto;
import io.hdfsparity.bridge.swap.wire.proto.FileSwapProtos.ProtectFolderResponseProto;
import io.hdfsparity.bridge.swap.wire.proto.FileSwapProtos.SwapRequestProto;
import io.hdfsparity.bridge.swap.wire.proto.FileSwapProtos.SwapResponseProto;
import io.hdfsparity.bridge.wire.Caller;
import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.GuardedService;
import io.hdfsparity.bridge.wire.MayCall;
import io.hdfsparity.bridge.wire.ServedProtocol;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * The file swap service, for the server of a NameNode. Each feature serves it under a protocol of
 * its own, an interface that adds nothing to the service, so that one feature that has failed
 * refuses its swaps only. Stateless.
 */
public final class SwapService {
  private SwapService() {}

  /**
   * What answers.
   *
   * @param id of the feature's protocol
   */
  public static ServedProtocol of(Service id, SwapProtocol impl) {
    return new ServedProtocol(
        id, GuardedService.of(FileSwapService::newReflectiveBlockingService, new Translator(impl)));
  }

  /** Messages to calls. */
  private record Translator(SwapProtocol impl) implements FileSwapService.BlockingInterface {
    @Override
    @MayCall(Caller.SUPERUSERS)
    public InspectResponseProto inspect(RpcController unused, InspectRequestProto request)
        throws ServiceException {
      return Calls.local(() -> SwapMessages.toProto(impl.inspect(request.getPath())));
    }

    @Override
    @MayCall(Caller.SUPERUSERS)
    public SwapResponseProto swap(RpcController unused, SwapRequestProto request)
        throws ServiceException {
      return Calls.local(
          () ->
              SwapMessages.toProto(
                  impl.swap(
                      SwapMessages.fromProto(request.getSource()),
                      SwapMessages.fromProto(request.getCopy()))));
    }

    @Override
    @MayCall(Caller.SUPERUSERS)
    public ProtectFolderResponseProto protectFolder(
        RpcController unused, ProtectFolderRequestProto request) throws ServiceException {
      return Calls.local(
          () -> {
            impl.protectFolder(request.getPath());
            return ProtectFolderResponseProto.getDefaultInstance();
          });
    }
  }
}
