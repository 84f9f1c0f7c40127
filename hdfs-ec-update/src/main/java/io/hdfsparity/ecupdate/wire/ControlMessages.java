/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.wire;

import io.hdfsparity.ecupdate.protocol.ControlOutcome;
import io.hdfsparity.ecupdate.protocol.ControlProtocol.Listed;
import io.hdfsparity.ecupdate.protocol.LogSpace;
import io.hdfsparity.ecupdate.protocol.NodeStatus;
import io.hdfsparity.ecupdate.protocol.ReplicaStatus;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.StorageStatus;
import io.hdfsparity.ecupdate.protocol.UpdateSpace;
import io.hdfsparity.ecupdate.wire.proto.UpdateControlProtos.NodeStatusProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateControlProtos.OutcomeProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateControlProtos.ReplicaStatusProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateControlProtos.StatusRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateControlProtos.StorageStatusProto;
import java.util.List;

/** Records of the control protocol to messages and back. */
final class ControlMessages {
  private ControlMessages() {}

  static StatusRequestProto.Listed toProto(Listed listed) {
    return switch (listed) {
      case NONE -> StatusRequestProto.Listed.NONE;
      case THOSE_NAMED -> StatusRequestProto.Listed.THOSE_NAMED;
      case ALL -> StatusRequestProto.Listed.ALL;
    };
  }

  static Listed fromProto(StatusRequestProto.Listed p) {
    return switch (p) {
      case NONE -> Listed.NONE;
      case THOSE_NAMED -> Listed.THOSE_NAMED;
      case ALL -> Listed.ALL;
    };
  }

  static NodeStatusProto toProto(NodeStatus status) {
    NodeStatusProto.Builder b =
        NodeStatusProto.newBuilder()
            .setUuid(status.uuid())
            .setBlockPool(status.blockPool())
            .setConnections(status.connections());
    status.storages().forEach(storage -> b.addStorage(toProto(storage)));
    return b.build();
  }

  static NodeStatus fromProto(NodeStatusProto p) {
    return new NodeStatus(
        p.getUuid(),
        p.getBlockPool(),
        p.getConnections(),
        p.getStorageList().stream().map(ControlMessages::fromProto).toList());
  }

  private static StorageStatusProto toProto(StorageStatus status) {
    StorageStatusProto.Builder b =
        StorageStatusProto.newBuilder()
            .setStorageId(status.storageId())
            .setTrouble(status.trouble())
            .setLogBytes(status.log().bytes())
            .setLogUsedBytes(status.log().usedBytes())
            .setAdmitted(status.admitted())
            .setWithheld(status.withheld())
            .setOverlayBytes(status.space().overlayBytes())
            .setReservedBytes(status.space().reservedBytes())
            .setReservedUsedBytes(status.space().reservedUsedBytes());
    status.sessions().forEach(session -> b.addSession(session.value()));
    status.replicas().forEach(replica -> b.addReplica(toProto(replica)));
    return b.build();
  }

  private static StorageStatus fromProto(StorageStatusProto p) {
    return new StorageStatus(
        p.getStorageId(),
        p.getTrouble(),
        new LogSpace(p.getLogBytes(), p.getLogUsedBytes()),
        p.getAdmitted(),
        p.getWithheld(),
        new UpdateSpace(p.getOverlayBytes(), p.getReservedBytes(), p.getReservedUsedBytes()),
        sessions(p.getSessionList()),
        p.getReplicaList().stream().map(ControlMessages::fromProto).toList());
  }

  private static ReplicaStatusProto toProto(ReplicaStatus status) {
    return ReplicaStatusProto.newBuilder()
        .setBlockId(status.blockId())
        .setUnit(status.unit())
        .setScheme(status.scheme())
        .setLengthBytes(status.lengthBytes())
        .setOverlayBytes(status.space().overlayBytes())
        .setReservedBytes(status.space().reservedBytes())
        .setReservedUsedBytes(status.space().reservedUsedBytes())
        .setTrouble(status.trouble())
        .addAllSession(status.sessions().stream().map(SessionId::value).toList())
        .build();
  }

  private static List<SessionId> sessions(List<Long> ids) {
    return ids.stream().map(SessionId::new).toList();
  }

  private static ReplicaStatus fromProto(ReplicaStatusProto p) {
    return new ReplicaStatus(
        p.getBlockId(),
        p.getUnit(),
        p.getScheme(),
        p.getLengthBytes(),
        new UpdateSpace(p.getOverlayBytes(), p.getReservedBytes(), p.getReservedUsedBytes()),
        p.getTrouble(),
        sessions(p.getSessionList()));
  }

  static OutcomeProto toProto(ControlOutcome outcome) {
    OutcomeProto.Builder b =
        OutcomeProto.newBuilder()
            .setDone(outcome.done())
            .setAbsent(outcome.absent())
            .addAllLeft(outcome.left());
    for (ControlOutcome.Failure each : outcome.failures()) {
      b.addFailure(
          OutcomeProto.Failure.newBuilder().setBlockId(each.blockId()).setReason(each.reason()));
    }
    return b.build();
  }

  static ControlOutcome fromProto(OutcomeProto p) {
    return new ControlOutcome(
        p.getDone(),
        p.getAbsent(),
        p.getFailureList().stream()
            .map(each -> new ControlOutcome.Failure(each.getBlockId(), each.getReason()))
            .toList(),
        p.getLeftList());
  }
}
