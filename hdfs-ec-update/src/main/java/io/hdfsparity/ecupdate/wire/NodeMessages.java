/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.wire;

import io.hdfsparity.ecupdate.protocol.NodeAnswer;
import io.hdfsparity.ecupdate.protocol.NodeReport;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.NodeAnswerProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.NodeReportProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.UpdateNodeProto;
import java.util.Set;
import java.util.stream.Collectors;

/** Records of DataNodes to messages and back. */
final class NodeMessages {
  private NodeMessages() {}

  static UpdateNodeProto toProto(UpdateNode node) {
    return UpdateNodeProto.newBuilder()
        .setUuid(node.uuid())
        .setBootEpoch(node.bootEpoch())
        .setHost(node.host())
        .setPort(node.port())
        .setControlPort(node.controlPort())
        .build();
  }

  static UpdateNode fromProto(UpdateNodeProto p) {
    return new UpdateNode(
        p.getUuid(), p.getBootEpoch(), p.getHost(), p.getPort(), p.getControlPort());
  }

  static NodeReportProto toProto(NodeReport report) {
    return NodeReportProto.newBuilder()
        .setNode(toProto(report.node()))
        .setIncarnation(report.incarnation())
        .setAppliedVersion(report.appliedVersion())
        .setHeedsReplaced(report.heedsReplaced())
        .build();
  }

  static NodeReport fromProto(NodeReportProto p) {
    return new NodeReport(
        fromProto(p.getNode()), p.getIncarnation(), p.getAppliedVersion(), p.getHeedsReplaced());
  }

  static NodeAnswerProto toProto(NodeAnswer answer) {
    return NodeAnswerProto.newBuilder()
        .setActive(answer.active())
        .setTransactionId(answer.transactionId())
        .setIncarnation(answer.incarnation())
        .setVersion(answer.version())
        .setValidMs(answer.validMs())
        .setReportEveryMs(answer.reportEveryMs())
        .addAllLive(answer.live().stream().map(SessionId::value).toList())
        .addAllReplaced(answer.replaced())
        .build();
  }

  static NodeAnswer fromProto(NodeAnswerProto p) {
    return new NodeAnswer(
        p.getActive(),
        p.getTransactionId(),
        p.getIncarnation(),
        p.getVersion(),
        p.getValidMs(),
        p.getReportEveryMs(),
        p.getLiveList().stream().map(SessionId::new).collect(Collectors.toSet()),
        Set.copyOf(p.getReplacedList()));
  }
}
