/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.wire;

import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.RpcProxies;
import io.hdfsparity.caso.wire.proto.CasoLayoutProtos.GuardRequestProto;
import io.hdfsparity.caso.wire.proto.CasoLayoutProtos.JoinRequestProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;

/** Client side of {@link LayoutProtocol}, as the current user. Thread-safe. */
@SuppressWarnings("NullAway") // Hadoop's engine takes calls without a controller only
public final class LayoutClient implements LayoutProtocol, Closeable {
  private final LayoutProtocolPB proxy;

  /**
   * @param timeoutMs of a call, connecting included
   */
  public LayoutClient(InetSocketAddress nameNode, Configuration conf, int timeoutMs)
      throws IOException {
    proxy = RpcProxies.create(LayoutProtocolPB.class, nameNode, conf, timeoutMs);
  }

  @Override
  public void join(String target, List<String> parts) throws IOException {
    JoinRequestProto request =
        JoinRequestProto.newBuilder().setTarget(target).addAllParts(parts).build();
    Calls.remote(() -> proxy.join(null, request));
  }

  @Override
  public boolean isGuarded() throws IOException {
    return Calls.remote(() -> proxy.guard(null, GuardRequestProto.getDefaultInstance()))
        .getGuarded();
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
