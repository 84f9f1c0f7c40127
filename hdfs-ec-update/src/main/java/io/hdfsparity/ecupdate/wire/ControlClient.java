/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.wire;

import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.RpcProxies;
import io.hdfsparity.ecupdate.protocol.ControlOutcome;
import io.hdfsparity.ecupdate.protocol.ControlProtocol;
import io.hdfsparity.ecupdate.protocol.NodeStatus;
import io.hdfsparity.ecupdate.wire.proto.UpdateControlProtos.ConvertRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateControlProtos.MergeRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateControlProtos.StatusRequestProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.thirdparty.protobuf.RpcController;

/** Client side of {@link ControlProtocol}, as the current user. Thread-safe. */
public final class ControlClient implements ControlProtocol, Closeable {
  @SuppressWarnings("NullAway") // Hadoop's proxies take null, and read the message only
  private static final RpcController NONE = null;

  private final UpdateControlProtocolPB proxy;

  /**
   * @param timeoutMs of a call, connecting included
   */
  public ControlClient(InetSocketAddress node, Configuration conf, int timeoutMs)
      throws IOException {
    proxy = RpcProxies.create(UpdateControlProtocolPB.class, node, conf, timeoutMs);
  }

  @Override
  public NodeStatus status(Listed listed, Set<Long> blockIds) throws IOException {
    StatusRequestProto message =
        StatusRequestProto.newBuilder()
            .setListed(ControlMessages.toProto(listed))
            .addAllBlockId(blockIds)
            .build();
    return ControlMessages.fromProto(Calls.remote(() -> proxy.status(NONE, message)));
  }

  @Override
  public ControlOutcome merge(Set<Long> blockIds) throws IOException {
    MergeRequestProto message = MergeRequestProto.newBuilder().addAllBlockId(blockIds).build();
    return ControlMessages.fromProto(Calls.remote(() -> proxy.merge(NONE, message)));
  }

  @Override
  public ControlOutcome convert(String scheme, Set<Long> blockIds) throws IOException {
    ConvertRequestProto message =
        ConvertRequestProto.newBuilder().setScheme(scheme).addAllBlockId(blockIds).build();
    return ControlMessages.fromProto(Calls.remote(() -> proxy.convert(NONE, message)));
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
