/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.raidp.config.LockGranularity;
import io.hdfsparity.raidp.config.RebuildPace;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.DiskOrders;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.LstorRebuildRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildStatus;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.LstorSource;
import io.hdfsparity.raidp.wire.message.Mirror;
import io.hdfsparity.raidp.wire.message.NodeIdentity;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.NodeReportResponse;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.RebuildCounts;
import io.hdfsparity.raidp.wire.message.RebuildObstacle;
import io.hdfsparity.raidp.wire.message.RebuildOrder;
import io.hdfsparity.raidp.wire.message.RebuildPhase;
import io.hdfsparity.raidp.wire.message.RebuildStatus;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.AssignmentProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.DiskProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.DiskStateProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ExpectedBlockProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.FrameRefProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LockGranularityProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorRebuildPhaseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorRebuildStatusProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorReportProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorSourceProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.MirrorProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.NodeReportProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.NodeReportResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.PeerAddressProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.RebuildLstorRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.RebuildOrderProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.RebuildPhaseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.RebuildStatusProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.RecoverRequestProto;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Translates reports, orders and answers between agents and manager between records and protobuf.
 * Stateless.
 */
final class ReportMessages {
  private ReportMessages() {}

  static NodeReportProto toProto(NodeReport r) {
    NodeReportProto.Builder b =
        NodeReportProto.newBuilder()
            .setNodeUuid(r.nodeUuid())
            .setHostName(r.node().hostName())
            .setXferPort(r.node().xferPort())
            .setPeerHost(r.node().peerHost())
            .setPeerPort(r.node().peerPort())
            .setClusterId(r.node().clusterId())
            .addAllDisks(r.disks().stream().map(ReportMessages::toProto).toList())
            .addAllRebuilds(r.rebuilds().stream().map(ReportMessages::toProto).toList())
            .setIncarnation(r.node().incarnation());
    r.basis().ifPresent(b::setBasis);
    return b.build();
  }

  static NodeReport nodeReport(NodeReportProto p) {
    return new NodeReport(
        new NodeIdentity(
            p.getNodeUuid(),
            p.getHostName(),
            p.getXferPort(),
            p.getPeerHost(),
            p.getPeerPort(),
            p.getClusterId(),
            p.getIncarnation()),
        p.getDisksList().stream().map(ReportMessages::disk).toList(),
        p.getRebuildsList().stream().map(ReportMessages::rebuildStatus).toList(),
        p.hasBasis() ? OptionalLong.of(p.getBasis()) : OptionalLong.empty());
  }

  private static DiskProto toProto(DiskReport d) {
    DiskProto.Builder b =
        DiskProto.newBuilder()
            .setDiskId(d.diskId())
            .setPath(d.path())
            .setState(
                switch (d.state()) {
                  case OK -> DiskStateProto.DISK_OK;
                  case DISK_FAILED -> DiskStateProto.DISK_FAILED;
                  case LSTOR_FAILED -> DiskStateProto.LSTOR_FAILED;
                })
            .addAllFrames(d.frames().stream().map(SlotMessages::toProto).toList());
    d.geometry().ifPresent(g -> b.setGeometry(SlotMessages.toProto(g)));
    d.failure().ifPresent(b::setFailure);
    return b.build();
  }

  private static DiskReport disk(DiskProto p) {
    DiskState state =
        switch (p.getState()) {
          case DISK_OK -> DiskState.OK;
          case DISK_FAILED -> DiskState.DISK_FAILED;
          case LSTOR_FAILED -> DiskState.LSTOR_FAILED;
        };
    return new DiskReport(
        p.getDiskId(),
        p.getPath(),
        state,
        p.hasGeometry() ? Optional.of(SlotMessages.geometry(p.getGeometry())) : Optional.empty(),
        p.getFramesList().stream().map(SlotMessages::frame).toList(),
        p.hasFailure() ? Optional.of(p.getFailure()) : Optional.empty());
  }

  private static RebuildStatusProto toProto(RebuildStatus s) {
    RebuildStatusProto.Builder b =
        RebuildStatusProto.newBuilder()
            .setRebuildId(s.rebuildId())
            .setSuperchunkId(s.superchunkId())
            .setPhase(RebuildPhaseProto.valueOf("REBUILD_" + s.phase().name()))
            .setBytesTotal(s.counts().bytesTotal())
            .setBytesDone(s.counts().bytesDone())
            .setBlocksTotal(s.counts().blocksTotal())
            .setBlocksDone(s.counts().blocksDone())
            .addAllErrors(s.errors())
            .setElapsedMs(s.elapsedMs())
            .setUnanswered(
                s.obstacle() == RebuildObstacle.SOURCE_UNANSWERED
                    // For managers that do not know of receivers that fail: it proves as little.
                    || s.obstacle() == RebuildObstacle.RECEIVER_FAILED);
    if (s.obstacle() != RebuildObstacle.UNKNOWN) {
      b.setReceiverFailed(s.obstacle() == RebuildObstacle.RECEIVER_FAILED);
    }
    return b.build();
  }

  private static RebuildStatus rebuildStatus(RebuildStatusProto p) {
    RebuildPhase phase =
        switch (p.getPhase()) {
          case REBUILD_RUNNING -> RebuildPhase.RUNNING;
          case REBUILD_DONE -> RebuildPhase.DONE;
          case REBUILD_FAILED -> RebuildPhase.FAILED;
        };
    return new RebuildStatus(
        p.getRebuildId(),
        p.getSuperchunkId(),
        phase,
        new RebuildCounts(
            p.getBytesTotal(), p.getBytesDone(), p.getBlocksTotal(), p.getBlocksDone()),
        p.getErrorsList(),
        p.getElapsedMs(),
        obstacle(p));
  }

  private static RebuildObstacle obstacle(RebuildStatusProto p) {
    if (p.getReceiverFailed()) {
      return RebuildObstacle.RECEIVER_FAILED;
    }
    if (p.getUnanswered()) {
      return RebuildObstacle.SOURCE_UNANSWERED;
    }
    return p.hasReceiverFailed() ? RebuildObstacle.NONE : RebuildObstacle.UNKNOWN;
  }

  static NodeReportResponseProto toProto(NodeReportResponse r) {
    NodeReportResponseProto.Builder b =
        NodeReportResponseProto.newBuilder()
            .addAllAssignments(r.assignments().stream().map(ReportMessages::toProto).toList())
            .addAllPeers(r.peers().stream().map(ReportMessages::toProto).toList())
            .addAllRebuilds(r.rebuilds().stream().map(ReportMessages::toProto).toList())
            .addAllFailDiskIds(r.disks().failedIds())
            .addAllUnneededDiskIds(r.disks().unneededIds())
            .addAllGoneStorageIds(r.goneStorageIds())
            .addAllSuperseded(r.superseded().stream().map(ReportMessages::toProto).toList())
            .setActive(r.active());
    r.receipt().ifPresent(b::setReceipt);
    return b.build();
  }

  static NodeReportResponse nodeReportResponse(NodeReportResponseProto p) {
    return new NodeReportResponse(
        p.getAssignmentsList().stream().map(ReportMessages::assignment).toList(),
        p.getPeersList().stream().map(ReportMessages::peer).toList(),
        p.getRebuildsList().stream().map(ReportMessages::rebuildOrder).toList(),
        new DiskOrders(p.getFailDiskIdsList(), p.getUnneededDiskIdsList()),
        p.getGoneStorageIdsList(),
        p.getSupersededList().stream().map(ReportMessages::frameRef).toList(),
        p.getActive(),
        p.hasReceipt() ? OptionalLong.of(p.getReceipt()) : OptionalLong.empty());
  }

  private static FrameRefProto toProto(FrameRef frame) {
    return FrameRefProto.newBuilder()
        .setStorageId(frame.storageId())
        .setFrameIndex(frame.frameIndex())
        .build();
  }

  private static FrameRef frameRef(FrameRefProto p) {
    return new FrameRef(p.getStorageId(), p.getFrameIndex());
  }

  private static AssignmentProto toProto(Assignment a) {
    return AssignmentProto.newBuilder()
        .setFrame(toProto(a.frame()))
        .setSuperchunkId(a.pairing().superchunkId())
        .setEpoch(a.pairing().epoch())
        .setPartnerStorageId(a.pairing().partnerStorageId())
        .setPartnerNodeUuid(a.pairing().partnerNodeUuid())
        .setCoefficient(a.pairing().coefficient())
        .build();
  }

  private static Assignment assignment(AssignmentProto p) {
    return new Assignment(
        frameRef(p.getFrame()),
        new Pairing(
            p.getSuperchunkId(),
            p.getEpoch(),
            p.getPartnerStorageId(),
            p.getPartnerNodeUuid(),
            p.getCoefficient()));
  }

  static PeerAddressProto toProto(PeerAddress a) {
    return PeerAddressProto.newBuilder()
        .setNodeUuid(a.nodeUuid())
        .setHost(a.host())
        .setPort(a.port())
        .build();
  }

  static PeerAddress peer(PeerAddressProto p) {
    return new PeerAddress(p.getNodeUuid(), p.getHost(), p.getPort());
  }

  private static RebuildOrderProto toProto(RebuildOrder o) {
    return RebuildOrderProto.newBuilder()
        .setRebuildId(o.rebuildId())
        .setSuperchunkId(o.superchunkId())
        .setEpoch(o.epoch())
        .setTarget(toProto(o.target()))
        .addAllSources(o.sources().stream().map(ReportMessages::toProto).toList())
        .setChunkBytes(o.pace().chunkBytes())
        .setLockGranularity(toProto(o.pace().lock()))
        .setThrottleBytesPerSecond(o.pace().throttleBytesPerSecond())
        .addAllExpected(o.expected().stream().map(ReportMessages::toProto).toList())
        .setBlockPoolId(o.blockPoolId())
        .build();
  }

  private static RebuildOrder rebuildOrder(RebuildOrderProto p) {
    return new RebuildOrder(
        p.getRebuildId(),
        p.getSuperchunkId(),
        p.getEpoch(),
        frameRef(p.getTarget()),
        p.getSourcesList().stream().map(ReportMessages::lstorSource).toList(),
        new RebuildPace(
            p.getChunkBytes(),
            lockGranularity(p.getLockGranularity()),
            p.getThrottleBytesPerSecond()),
        p.getExpectedList().stream().map(ReportMessages::expectedBlock).toList(),
        p.getBlockPoolId());
  }

  private static LockGranularityProto toProto(LockGranularity g) {
    return g == LockGranularity.RANGE
        ? LockGranularityProto.BYTE_RANGE
        : LockGranularityProto.SUPERCHUNK;
  }

  private static LockGranularity lockGranularity(LockGranularityProto p) {
    return p == LockGranularityProto.BYTE_RANGE
        ? LockGranularity.RANGE
        : LockGranularity.SUPERCHUNK;
  }

  static LstorSourceProto toProto(LstorSource s) {
    LstorSourceProto.Builder b =
        LstorSourceProto.newBuilder()
            .setDiskId(s.diskId())
            .setHost(s.host())
            .setPort(s.port())
            .addAllMirrors(s.mirrors().stream().map(ReportMessages::toProto).toList());
    s.lostFrameIndex().ifPresent(b::setLostFrameIndex);
    return b.build();
  }

  static LstorSource lstorSource(LstorSourceProto p) {
    return new LstorSource(
        p.getDiskId(),
        p.getHost(),
        p.getPort(),
        p.hasLostFrameIndex() ? OptionalInt.of(p.getLostFrameIndex()) : OptionalInt.empty(),
        p.getMirrorsList().stream().map(ReportMessages::mirror).toList());
  }

  private static MirrorProto toProto(Mirror m) {
    MirrorProto.Builder b =
        MirrorProto.newBuilder().setFrameIndex(m.frameIndex()).setStorageId(m.storageId());
    m.mirrorStorageId().ifPresent(b::setMirrorStorageId);
    m.server().ifPresent(s -> b.setNodeUuid(s.nodeUuid()).setHost(s.host()).setPort(s.port()));
    return b.build();
  }

  private static Mirror mirror(MirrorProto p) {
    return new Mirror(
        p.getFrameIndex(),
        p.getStorageId(),
        p.hasMirrorStorageId() ? Optional.of(p.getMirrorStorageId()) : Optional.empty(),
        p.hasHost()
            ? Optional.of(new PeerAddress(p.getNodeUuid(), p.getHost(), p.getPort()))
            : Optional.empty());
  }

  static ExpectedBlockProto toProto(ExpectedBlock e) {
    ExpectedBlockProto.Builder b =
        ExpectedBlockProto.newBuilder()
            .setBlockId(e.blockId())
            .setGenerationStamp(e.generationStamp())
            .setComplete(e.complete());
    e.numBytes().ifPresent(b::setNumBytes);
    return b.build();
  }

  static ExpectedBlock expectedBlock(ExpectedBlockProto p) {
    return new ExpectedBlock(
        p.getBlockId(),
        p.getGenerationStamp(),
        p.getComplete(),
        p.hasNumBytes() ? OptionalLong.of(p.getNumBytes()) : OptionalLong.empty());
  }

  static LstorReportProto toProto(LstorReport r) {
    LstorReportProto.Builder b =
        LstorReportProto.newBuilder()
            .setDiskId(r.diskId())
            .setClusterId(r.clusterId())
            .setNodeUuid(r.nodeUuid())
            .setHost(r.host())
            .setPort(r.port())
            .setLocked(r.locked())
            .addAllFrames(r.frames().stream().map(SlotMessages::toProto).toList());
    r.failure().ifPresent(b::setFailure);
    return b.build();
  }

  static LstorReport lstorReport(LstorReportProto p) {
    return new LstorReport(
        p.getDiskId(),
        p.getClusterId(),
        p.getNodeUuid(),
        p.getHost(),
        p.getPort(),
        p.getLocked(),
        p.getFramesList().stream().map(SlotMessages::frame).toList(),
        p.hasFailure() ? Optional.of(p.getFailure()) : Optional.empty());
  }

  static RecoverRequestProto toProto(RecoverRequest r) {
    RecoverRequestProto.Builder b = RecoverRequestProto.newBuilder();
    r.chunkBytes().ifPresent(b::setChunkBytes);
    r.lockGranularity().ifPresent(g -> b.setLockGranularity(toProto(g)));
    r.throttleBytesPerSecond().ifPresent(b::setThrottleBytesPerSecond);
    b.setAcceptLoss(r.acceptLoss());
    return b.build();
  }

  /**
   * @throws IOException if a value cannot be used
   */
  static RecoverRequest recoverRequest(RecoverRequestProto p) throws IOException {
    try {
      return new RecoverRequest(
          p.hasChunkBytes() ? OptionalInt.of(p.getChunkBytes()) : OptionalInt.empty(),
          p.hasLockGranularity()
              ? Optional.of(lockGranularity(p.getLockGranularity()))
              : Optional.empty(),
          p.hasThrottleBytesPerSecond()
              ? OptionalLong.of(p.getThrottleBytesPerSecond())
              : OptionalLong.empty(),
          p.getAcceptLoss());
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  static RebuildLstorRequestProto toProto(LstorRebuildRequest request) {
    return RebuildLstorRequestProto.newBuilder()
        .setDiskId(request.diskId())
        .setWatch(request.action() == LstorRebuildRequest.Action.WATCH)
        .build();
  }

  static LstorRebuildRequest lstorRebuildRequest(RebuildLstorRequestProto p) {
    return new LstorRebuildRequest(
        p.getDiskId(),
        p.getWatch() ? LstorRebuildRequest.Action.WATCH : LstorRebuildRequest.Action.START);
  }

  static LstorRebuildStatusProto toProto(LstorRebuildStatus status) {
    return LstorRebuildStatusProto.newBuilder()
        .setDiskId(status.diskId())
        .setPhase(
            switch (status.phase()) {
              case RUNNING -> LstorRebuildPhaseProto.LSTOR_RUNNING;
              case DONE -> LstorRebuildPhaseProto.LSTOR_DONE;
              case FAILED -> LstorRebuildPhaseProto.LSTOR_FAILED_TO_REBUILD;
            })
        .setCounted(status.counted())
        .setDone(status.done())
        .setTotal(status.total())
        .setDetail(status.detail())
        .build();
  }

  static LstorRebuildStatus lstorRebuildStatus(LstorRebuildStatusProto p) {
    return new LstorRebuildStatus(
        p.getDiskId(),
        switch (p.getPhase()) {
          case LSTOR_RUNNING -> LstorRebuildStatus.Phase.RUNNING;
          case LSTOR_DONE -> LstorRebuildStatus.Phase.DONE;
          case LSTOR_FAILED_TO_REBUILD -> LstorRebuildStatus.Phase.FAILED;
        },
        p.getCounted(),
        p.getDone(),
        p.getTotal(),
        p.getDetail());
  }
}
