/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.wire;

import io.hdfsparity.bridge.wire.Caller;
import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.MayCall;
import io.hdfsparity.ecupdate.protocol.NodeProtocol;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.NodeAnswerProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.NodeReportProto;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Server side of {@link NodeProtocol}. Thread-safe. */
final class NodeServerTranslator implements UpdateNodeProtocolPB {
  private final NodeProtocol impl;

  NodeServerTranslator(NodeProtocol impl) {
    this.impl = impl;
  }

  @Override
  @MayCall(Caller.DATANODES)
  public NodeAnswerProto report(RpcController unused, NodeReportProto request)
      throws ServiceException {
    return Calls.local(() -> NodeMessages.toProto(impl.report(NodeMessages.fromProto(request))));
  }
}
