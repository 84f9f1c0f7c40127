/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotCoverage;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.lstor.SlotStatus;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.ImageKind;
import io.hdfsparity.raidp.wire.message.ImageRequest;
import io.hdfsparity.raidp.wire.message.LstorInfo;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.ScrubFinding;
import io.hdfsparity.raidp.wire.message.ScrubReport;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.FrameProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.GeometryProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ImageKindProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.LstorInfoResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ReadImageRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ReleaseRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.RunProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ScrubActionProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ScrubFindingProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ScrubRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ScrubResponseProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.SlotEntryProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.SlotStateProto;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.util.StringInterner;

/** Translates what speaks of frames, slots and images between records and protobuf. Stateless. */
final class SlotMessages {
  private SlotMessages() {}

  static RunProto toProto(Run run) {
    return RunProto.newBuilder().setStart(run.start()).setCount(run.count()).build();
  }

  static List<RunProto> toProto(List<Run> runs) {
    return runs.stream().map(SlotMessages::toProto).toList();
  }

  static List<Run> runs(List<RunProto> protos) {
    return protos.stream().map(p -> new Run(p.getStart(), p.getCount())).toList();
  }

  static SlotEntryProto toProto(SlotEntry entry) {
    return SlotEntryProto.newBuilder()
        .setBlockId(entry.blockId())
        .setGenerationStamp(entry.generationStamp())
        .setFrameIndex(entry.frameIndex())
        .addAllRuns(toProto(entry.runs()))
        .setCoveredBytes(entry.coveredBytes())
        .setMetaCovered(entry.metaCovered())
        .setCoefficient(entry.coefficient())
        .setState(SlotStateProto.valueOf(entry.state().name()))
        .setChecksumTypeId(entry.checksumTypeId())
        .setBytesPerChecksum(entry.bytesPerChecksum())
        .setAckPending(entry.ackPending())
        .setPartnerClear(entry.partnerClear())
        .build();
  }

  static SlotEntry entry(SlotEntryProto p) {
    return new SlotEntry(
        p.getFrameIndex(),
        p.getBlockId(),
        p.getGenerationStamp(),
        runs(p.getRunsList()),
        new SlotCoverage(
            p.getCoveredBytes(),
            p.getMetaCovered(),
            p.getChecksumTypeId(),
            p.getBytesPerChecksum(),
            p.getCoefficient()),
        new SlotStatus(
            SlotState.valueOf(p.getState().name()), p.getAckPending(), p.getPartnerClear()));
  }

  static GeometryProto toProto(LstorGeometry geometry) {
    return GeometryProto.newBuilder()
        .setFrames(geometry.frames())
        .setUnitsPerFrame(geometry.unitsPerFrame())
        .setUnitBytes(geometry.unitBytes())
        .setMetaBytesPerUnit(geometry.metaBytesPerUnit())
        .build();
  }

  static LstorGeometry geometry(GeometryProto p) {
    return new LstorGeometry(
        p.getFrames(), p.getUnitsPerFrame(), p.getUnitBytes(), p.getMetaBytesPerUnit());
  }

  static FrameProto toProto(FrameReport frame) {
    FrameProto.Builder b =
        FrameProto.newBuilder()
            .setStorageId(frame.storageId())
            .setFrameIndex(frame.frameIndex())
            .setFreeUnits(frame.load().freeUnits())
            .setGrantsTaken(frame.load().grantsTaken())
            .setBlocks(frame.load().blocks())
            .setLimboBytes(frame.load().limboBytes())
            .setUnacknowledged(frame.load().unacknowledged())
            .setFailed(frame.failed());
    frame
        .pairing()
        .ifPresent(
            p ->
                b.setSuperchunkId(p.superchunkId())
                    .setEpoch(p.epoch())
                    .setPartnerStorageId(p.partnerStorageId())
                    .setPartnerNodeUuid(p.partnerNodeUuid())
                    .setCoefficient(p.coefficient()));
    return b.build();
  }

  /** The manager keeps millions of them, which name few volumes and nodes. */
  static FrameReport frame(FrameProto p) {
    Optional<Pairing> pairing =
        p.hasSuperchunkId()
            ? Optional.of(
                new Pairing(
                    p.getSuperchunkId(),
                    p.getEpoch(),
                    StringInterner.weakIntern(p.getPartnerStorageId()),
                    StringInterner.weakIntern(p.getPartnerNodeUuid()),
                    p.getCoefficient()))
            : Optional.empty();
    return new FrameReport(
        StringInterner.weakIntern(p.getStorageId()),
        p.getFrameIndex(),
        pairing,
        new FrameReport.Load(
            p.getFreeUnits(),
            p.getGrantsTaken(),
            p.getBlocks(),
            p.getLimboBytes(),
            p.getUnacknowledged()),
        p.getFailed());
  }

  static ImageKindProto toProto(ImageKind kind) {
    return ImageKindProto.valueOf(kind.name());
  }

  static ImageKind kind(ImageKindProto p) {
    return ImageKind.valueOf(p.name());
  }

  static ReadImageRequestProto toProto(ImageRequest r) {
    ReadImageRequestProto.Builder b =
        ReadImageRequestProto.newBuilder()
            .setStorageId(r.storageId())
            .setBlockId(r.blockId())
            .setGenerationStamp(r.generationStamp())
            .setCoveredBytes(r.coveredBytes())
            .setKind(toProto(r.kind()))
            .setPosition(r.position())
            .setCount(r.count());
    r.pair().ifPresent(p -> b.setSuperchunkId(p.superchunkId()).setEpoch(p.epoch()));
    return b.build();
  }

  static ImageRequest imageRequest(ReadImageRequestProto p) {
    return new ImageRequest(
        p.getStorageId(),
        p.getBlockId(),
        p.getGenerationStamp(),
        p.getCoveredBytes(),
        kind(p.getKind()),
        p.getPosition(),
        p.getCount(),
        p.hasSuperchunkId() && p.hasEpoch()
            ? Optional.of(new SuperchunkRef(p.getSuperchunkId(), p.getEpoch()))
            : Optional.empty());
  }

  static ScrubRequestProto toProto(ScrubRequest r) {
    ScrubRequestProto.Builder b =
        ScrubRequestProto.newBuilder()
            .setRepair(r.repair())
            .setVerifyFiles(r.verifyFiles())
            .setThrottleBytesPerSecond(r.throttleBytesPerSecond())
            .setAction(
                switch (r.action()) {
                  case RUN -> ScrubActionProto.SCRUB_RUN;
                  case WATCH -> ScrubActionProto.SCRUB_WATCH;
                  case STOP -> ScrubActionProto.SCRUB_STOP;
                });
    r.diskId().ifPresent(b::setDiskId);
    return b.build();
  }

  static ScrubRequest scrubRequest(ScrubRequestProto p) {
    return new ScrubRequest(
        p.hasDiskId() ? Optional.of(p.getDiskId()) : Optional.empty(),
        p.getRepair(),
        p.getVerifyFiles(),
        switch (p.getAction()) {
          case SCRUB_RUN -> ScrubRequest.Action.RUN;
          case SCRUB_WATCH -> ScrubRequest.Action.WATCH;
          case SCRUB_STOP -> ScrubRequest.Action.STOP;
        },
        p.getThrottleBytesPerSecond());
  }

  static ScrubResponseProto toProto(ScrubReport report) {
    return ScrubResponseProto.newBuilder()
        .setBytesRead(report.bytesRead())
        .setBlocks(report.blocks())
        .setDisks(report.disks())
        .setUnitsDone(report.unitsDone())
        .setUnitsTotal(report.unitsTotal())
        .addAllFindings(report.findings().stream().map(SlotMessages::toProto).toList())
        .build();
  }

  static ScrubReport scrubReport(ScrubResponseProto p) {
    return new ScrubReport(
        p.getBytesRead(),
        p.getBlocks(),
        p.getDisks(),
        p.getFindingsList().stream().map(SlotMessages::finding).toList(),
        p.getUnitsDone(),
        p.getUnitsTotal());
  }

  private static ScrubFindingProto toProto(ScrubFinding finding) {
    ScrubFindingProto.Builder b =
        ScrubFindingProto.newBuilder()
            .setDiskId(finding.diskId())
            .setKind(finding.kind())
            .setDetail(finding.detail())
            .setRepaired(finding.repaired());
    finding.storageId().ifPresent(b::setStorageId);
    finding.blockId().ifPresent(b::setBlockId);
    return b.build();
  }

  private static ScrubFinding finding(ScrubFindingProto p) {
    return new ScrubFinding(
        p.getDiskId(),
        p.getKind(),
        p.getDetail(),
        p.getRepaired(),
        p.hasStorageId() ? Optional.of(p.getStorageId()) : Optional.empty(),
        p.hasBlockId() ? OptionalLong.of(p.getBlockId()) : OptionalLong.empty());
  }

  static LstorInfoResponseProto toProto(LstorInfo info) {
    return LstorInfoResponseProto.newBuilder()
        .setDiskId(info.diskId())
        .setClusterId(info.clusterId())
        .setGeometry(toProto(info.geometry()))
        .addAllFrames(info.frames().stream().map(SlotMessages::toProto).toList())
        .setJournalBytes(info.journalBytes())
        .setLocked(info.locked())
        .setEntries(info.entries())
        .setUnacknowledged(info.unacknowledged())
        .build();
  }

  static LstorInfo lstorInfo(LstorInfoResponseProto p) {
    return new LstorInfo(
        p.getDiskId(),
        p.getClusterId(),
        geometry(p.getGeometry()),
        p.getFramesList().stream().map(SlotMessages::frame).toList(),
        p.getJournalBytes(),
        p.getLocked(),
        p.getEntries(),
        p.getUnacknowledged());
  }

  /**
   * By block id.
   *
   * @throws IOException if a block has no stamp, or is named twice
   */
  static Map<Long, Long> generationStamps(ReleaseRequestProto p) throws IOException {
    Map<Long, Long> stamps = new LinkedHashMap<>();
    for (int i = 0; i < Math.min(p.getBlockIdsCount(), p.getGenerationStampsCount()); i++) {
      stamps.put(p.getBlockIds(i), p.getGenerationStamps(i));
    }
    if (stamps.size() != p.getBlockIdsCount() || stamps.size() != p.getGenerationStampsCount()) {
      throw new IOException(
          ErrorMessage.to("release replicas")
              .value("blocks", p.getBlockIdsCount())
              .value("generationStamps", p.getGenerationStampsCount())
              .expected("a generation stamp for each block, and each block once")
              .message());
    }
    return stamps;
  }
}
