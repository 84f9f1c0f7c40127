/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.wire;

import io.hdfsparity.ecupdate.protocol.LingeringSessions;
import io.hdfsparity.ecupdate.protocol.NodeAnswer;
import io.hdfsparity.ecupdate.protocol.NodeReport;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.SessionList;
import io.hdfsparity.ecupdate.protocol.SessionOwner;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.NodeAnswerProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.NodeReportProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.SuspendedSessionProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.UpdateNodeProto;
import java.util.HashMap;
import java.util.Map;
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
    NodeReportProto.Builder b =
        NodeReportProto.newBuilder()
            .setNode(toProto(report.node()))
            .setIncarnation(report.incarnation())
            .setAppliedVersion(report.appliedVersion())
            .setLingeringVersion(report.lingering().version())
            .addAllLingering(report.lingering().ids().stream().map(SessionId::value).toList())
            .setHeedsReplaced(report.heedsReplaced())
            .addAllGivenUp(report.givenUp());
    report
        .suspended()
        .forEach(
            (id, owner) ->
                b.addSuspended(
                    SuspendedSessionProto.newBuilder()
                        .setId(id.value())
                        .setOwner(owner.number())
                        .setExclusiveInode(owner.exclusiveInode())));
    return b.build();
  }

  static NodeReport fromProto(NodeReportProto p) {
    Map<SessionId, SessionOwner> suspended = new HashMap<>();
    p.getSuspendedList()
        .forEach(
            each ->
                suspended.put(
                    new SessionId(each.getId()),
                    new SessionOwner(each.getOwner(), each.getExclusiveInode())));
    return new NodeReport(
        fromProto(p.getNode()),
        p.getIncarnation(),
        p.getAppliedVersion(),
        p.hasLingeringVersion()
            ? new LingeringSessions(
                p.getLingeringVersion(),
                p.getLingeringList().stream().map(SessionId::new).collect(Collectors.toSet()))
            : LingeringSessions.none(p.getAppliedVersion()),
        p.getHeedsReplaced(),
        suspended,
        Set.copyOf(p.getGivenUpList()));
  }

  static NodeAnswerProto toProto(NodeAnswer answer) {
    SessionList sessions = answer.sessions();
    NodeAnswerProto.Builder b =
        NodeAnswerProto.newBuilder()
            .setActive(answer.active())
            .setTransactionId(answer.transactionId())
            .setIncarnation(sessions.incarnation())
            .setVersion(sessions.version())
            .setValidMs(answer.validMs())
            .setReportEveryMs(answer.reportEveryMs())
            .addAllReplaced(answer.replaced())
            .setProvisional(sessions.provisional())
            .addAllEnded(sessions.ended().stream().map(SessionId::value).toList());
    sessions
        .live()
        .forEach(
            (id, owner) ->
                b.addLive(id.value())
                    .addOwner(owner.number())
                    .addExclusiveInode(owner.exclusiveInode()));
    return b.build();
  }

  static NodeAnswer fromProto(NodeAnswerProto p) {
    boolean hasOwners = p.getOwnerCount() == p.getLiveCount();
    boolean hasInodes = p.getExclusiveInodeCount() == p.getLiveCount();
    Map<SessionId, SessionOwner> live = new HashMap<>();
    for (int i = 0; i < p.getLiveCount(); i++) {
      live.put(
          new SessionId(p.getLive(i)),
          hasOwners
              ? new SessionOwner(p.getOwner(i), hasInodes ? p.getExclusiveInode(i) : 0)
              : SessionOwner.UNKNOWN);
    }
    return new NodeAnswer(
        p.getActive(),
        p.getTransactionId(),
        new SessionList(
            p.getIncarnation(),
            p.getVersion(),
            live,
            p.getEndedList().stream().map(SessionId::new).collect(Collectors.toSet()),
            p.getProvisional()),
        p.getValidMs(),
        p.getReportEveryMs(),
        Set.copyOf(p.getReplacedList()));
  }
}
