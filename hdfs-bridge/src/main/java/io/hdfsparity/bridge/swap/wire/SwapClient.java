/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap.wire;

import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.bridge.swap.Inspection;
import io.hdfsparity.bridge.swap.SwapAnswer;
import io.hdfsparity.bridge.swap.SwapProtocol;
import io.hdfsparity.bridge.swap.wire.proto.FileSwapProtos.FileSwapService;
import io.hdfsparity.bridge.swap.wire.proto.FileSwapProtos.InspectRequestProto;
import io.hdfsparity.bridge.swap.wire.proto.FileSwapProtos.InspectResponseProto;
import io.hdfsparity.bridge.swap.wire.proto.FileSwapProtos.ProtectFolderRequestProto;
import io.hdfsparity.bridge.swap.wire.proto.FileSwapProtos.SwapRequestProto;
import io.hdfsparity.bridge.swap.wire.proto.FileSwapProtos.SwapResponseProto;
import io.hdfsparity.bridge.wire.ActiveNameNode;
import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.NameNodeServer;
import io.hdfsparity.bridge.wire.RpcProxies;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;

/**
 * The file swap service of a feature at whichever NameNode is active at each call, as the current
 * user. Immutable, thread-safe.
 *
 * @param protocol the feature's
 * @param servers of the NameNodes of one file system: a path means another file elsewhere
 * @param timeoutMs of a call, connecting included
 */
@SuppressWarnings("NullAway") // Hadoop's engine takes calls without a controller only
public record SwapClient(
    Class<? extends FileSwapService.BlockingInterface> protocol,
    List<NameNodeServer> servers,
    Configuration conf,
    int timeoutMs)
    implements SwapProtocol {
  public SwapClient {
    servers = List.copyOf(servers);
  }

  /** A call at a NameNode. */
  private interface Call<T> {
    T at(FileSwapService.BlockingInterface nameNode) throws IOException;
  }

  @Override
  public Inspection inspect(String path) throws IOException {
    InspectRequestProto request = InspectRequestProto.newBuilder().setPath(path).build();
    InspectResponseProto answer =
        active(nameNode -> Calls.remote(() -> nameNode.inspect(null, request)));
    return SwapMessages.fromProto(answer);
  }

  @Override
  public SwapAnswer swap(FileIdentity source, FileIdentity copy) throws IOException {
    SwapRequestProto request =
        SwapRequestProto.newBuilder()
            .setSource(SwapMessages.toProto(source))
            .setCopy(SwapMessages.toProto(copy))
            .build();
    SwapResponseProto answer = active(nameNode -> Calls.remote(() -> nameNode.swap(null, request)));
    return SwapMessages.fromProto(answer);
  }

  @Override
  public void protectFolder(String path) throws IOException {
    ProtectFolderRequestProto request =
        ProtectFolderRequestProto.newBuilder().setPath(path).build();
    active(nameNode -> Calls.remote(() -> nameNode.protectFolder(null, request)));
  }

  private <T> T active(Call<T> call) throws IOException {
    return ActiveNameNode.call(
        servers,
        server -> {
          server.shareToken();
          FileSwapService.BlockingInterface proxy =
              RpcProxies.create(protocol, server.address(), conf, timeoutMs);
          try {
            return call.at(proxy);
          } finally {
            RPC.stopProxy(proxy);
          }
        });
  }
}
