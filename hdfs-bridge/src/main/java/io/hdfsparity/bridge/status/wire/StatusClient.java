/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.status.wire;

import io.hdfsparity.bridge.status.DaemonStatus;
import io.hdfsparity.bridge.status.SuiteStatusProtocol;
import io.hdfsparity.bridge.status.wire.proto.SuiteStatusProtos.DescribeRequestProto;
import io.hdfsparity.bridge.status.wire.proto.SuiteStatusProtos.SuiteStatusService;
import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.RpcProxies;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;

/** Client side of {@link SuiteStatusProtocol}. Thread-safe. */
public final class StatusClient implements SuiteStatusProtocol, Closeable {
  private final SuiteStatusService.BlockingInterface proxy;

  private StatusClient(SuiteStatusService.BlockingInterface proxy) {
    this.proxy = proxy;
  }

  /**
   * Of a NameNode.
   *
   * @param timeoutMs of a call, connecting included
   */
  public static StatusClient ofNameNode(
      InetSocketAddress address, Configuration conf, int timeoutMs) throws IOException {
    return new StatusClient(
        RpcProxies.create(NameNodeStatusProtocolPB.class, address, conf, timeoutMs));
  }

  /**
   * Of a DataNode.
   *
   * @param timeoutMs of a call, connecting included
   */
  public static StatusClient ofDataNode(
      InetSocketAddress address, Configuration conf, int timeoutMs) throws IOException {
    return new StatusClient(
        RpcProxies.create(DataNodeStatusProtocolPB.class, address, conf, timeoutMs));
  }

  @Override
  public DaemonStatus describe() throws IOException {
    return StatusMessages.status(
        Calls.remote(() -> proxy.describe(null, DescribeRequestProto.getDefaultInstance())));
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
