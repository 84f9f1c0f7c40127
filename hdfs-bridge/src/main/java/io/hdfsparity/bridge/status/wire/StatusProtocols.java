/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.status.wire;

import io.hdfsparity.bridge.status.SuiteStatusProtocol;
import io.hdfsparity.bridge.status.wire.proto.SuiteStatusProtos.DescribeRequestProto;
import io.hdfsparity.bridge.status.wire.proto.SuiteStatusProtos.DescribeResponseProto;
import io.hdfsparity.bridge.status.wire.proto.SuiteStatusProtos.SuiteStatusService;
import io.hdfsparity.bridge.wire.Caller;
import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.GuardedService;
import io.hdfsparity.bridge.wire.MayCall;
import io.hdfsparity.bridge.wire.ServedProtocol;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** The status protocol, for the servers of NameNodes and DataNodes. Stateless. */
public final class StatusProtocols {
  private static final String ACL = "security.parity.status.protocol.acl";

  private StatusProtocols() {}

  /** What answers in a NameNode. */
  public static ServedProtocol nameNode(SuiteStatusProtocol impl) {
    return served(NameNodeStatusProtocolPB.class, impl);
  }

  /** What answers in a DataNode. */
  public static ServedProtocol dataNode(SuiteStatusProtocol impl) {
    return served(DataNodeStatusProtocolPB.class, impl);
  }

  private static ServedProtocol served(Class<?> protocol, SuiteStatusProtocol impl) {
    return new ServedProtocol(
        new Service(ACL, protocol),
        GuardedService.of(SuiteStatusService::newReflectiveBlockingService, new Translator(impl)));
  }

  /** Messages to calls. */
  private record Translator(SuiteStatusProtocol impl)
      implements NameNodeStatusProtocolPB, DataNodeStatusProtocolPB {
    @Override
    @MayCall(Caller.ADMINISTRATORS)
    public DescribeResponseProto describe(RpcController unused, DescribeRequestProto request)
        throws ServiceException {
      return Calls.local(() -> StatusMessages.message(impl.describe()));
    }
  }
}
