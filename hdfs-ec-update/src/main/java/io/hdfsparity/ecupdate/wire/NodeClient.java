/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.wire;

import static io.hdfsparity.ecupdate.wire.NoController.NONE;

import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.RpcProxies;
import io.hdfsparity.ecupdate.protocol.NodeAnswer;
import io.hdfsparity.ecupdate.protocol.NodeProtocol;
import io.hdfsparity.ecupdate.protocol.NodeReport;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.NodeReportProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;

/** Client side of {@link NodeProtocol}, as the current user. Thread-safe. */
public final class NodeClient implements NodeProtocol, Closeable {
  private final UpdateNodeProtocolPB proxy;

  /**
   * @param timeoutMs of a call, connecting included
   */
  public NodeClient(InetSocketAddress manager, Configuration conf, int timeoutMs)
      throws IOException {
    proxy = RpcProxies.create(UpdateNodeProtocolPB.class, manager, conf, timeoutMs);
  }

  @Override
  public NodeAnswer report(NodeReport report) throws IOException {
    NodeReportProto message = NodeMessages.toProto(report);
    return NodeMessages.fromProto(Calls.remote(() -> proxy.report(NONE, message)));
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
