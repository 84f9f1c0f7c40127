/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.RpcProxies;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.NodeReportResponse;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkRequest;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RpcNoSuchMethodException;

/** Client side of {@link RaidpNodeProtocol}. Thread-safe. */
public final class NodeClientTranslator implements RaidpNodeProtocol, Closeable {
  private final RaidpNodeProtocolPB proxy;

  /**
   * @param timeoutMs of a call, connecting included
   */
  public NodeClientTranslator(InetSocketAddress manager, Configuration conf, int timeoutMs)
      throws IOException {
    proxy = RpcProxies.create(RaidpNodeProtocolPB.class, manager, conf, timeoutMs);
  }

  @Override
  public NodeReportResponse reportNode(NodeReport report) throws IOException {
    if (report.basis().isEmpty()) {
      return ReportMessages.nodeReportResponse(
          Calls.remote(() -> proxy.reportNode(null, ReportMessages.toProto(report))));
    }
    try {
      return ReportMessages.nodeReportResponse(
          Calls.remote(() -> proxy.reportChanges(null, ReportMessages.toProto(report))));
    } catch (RpcNoSuchMethodException e) {
      // A manager of an earlier version, in place of the one that gave the receipt.
      return NodeReportResponse.NOTHING_TAKEN_IN;
    }
  }

  @Override
  public boolean reportLstor(LstorReport report) throws IOException {
    return Calls.remote(() -> proxy.reportLstor(null, ReportMessages.toProto(report)))
        .getAccepted();
  }

  @Override
  public SuperchunkAnswer superchunkOf(SuperchunkRequest request) throws IOException {
    return SuperchunkMessages.answer(
        Calls.remote(() -> proxy.superchunkOf(null, SuperchunkMessages.toProto(request))));
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
