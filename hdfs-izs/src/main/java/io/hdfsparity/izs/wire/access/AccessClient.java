/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.wire.access;

import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.RpcProxies;
import io.hdfsparity.izs.history.HistoryView;
import io.hdfsparity.izs.wire.proto.IzsAccessProtos.CountsRequestProto;
import io.hdfsparity.izs.wire.proto.IzsAccessProtos.CountsResponseProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;

/** Client side of {@link AccessProtocol}. Thread-safe. */
public final class AccessClient implements AccessProtocol, Closeable {
  private final AccessProtocolPB proxy;

  /**
   * @param timeoutMs of a call, connecting included
   */
  public AccessClient(InetSocketAddress nameNode, Configuration conf, int timeoutMs)
      throws IOException {
    proxy = RpcProxies.create(AccessProtocolPB.class, nameNode, conf, timeoutMs);
  }

  @Override
  public HistoryView counts(List<String> paths) throws IOException {
    CountsRequestProto request = CountsRequestProto.newBuilder().addAllPath(paths).build();
    CountsResponseProto p = Calls.remote(() -> proxy.counts(null, request));
    Map<String, List<Integer>> counts = new HashMap<>();
    p.getCountsList().forEach(each -> counts.put(each.getPath(), each.getCountList()));
    return new HistoryView(
        p.getPeriodMs(), p.getNewestPeriod(), p.getObservedMsList(), p.getMissedList(), counts);
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
