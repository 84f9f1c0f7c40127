/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.wire;

import io.hdfsparity.bridge.verify.UnitHolder;
import io.hdfsparity.izs.level.VerifyStatus;
import io.hdfsparity.izs.repair.GroupShape;
import io.hdfsparity.izs.verify.VerifyReport;
import io.hdfsparity.izs.verify.VerifyReport.Finding;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.UnitHolderProto;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.VerifyReportProto;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.VerifyStatusProto;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.VerifyTaskProto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Records of the verification to messages and back. */
final class VerifyMessages {
  private static final int MAX_UNITS = 16;
  private static final int MAX_REASON = 1000;

  private VerifyMessages() {}

  static VerifyTaskProto toProto(VerifyTask task) {
    VerifyTaskProto.Builder b =
        VerifyTaskProto.newBuilder()
            .setTaskId(task.taskId())
            .setBlockPool(task.blockPool())
            .setGroupId(task.groupId())
            .setGeneration(task.generation())
            .setLengthBytes(task.shape().groupBytes())
            .setCodec(task.codec())
            .setDataUnits(task.shape().dataUnits())
            .setParityUnits(task.shape().parityUnits())
            .setCellBytes(task.shape().cellBytes())
            .setWhole(task.isWhole());
    for (UnitHolder each : task.holders()) {
      b.addHolder(
          UnitHolderProto.newBuilder()
              .setUnit(each.unit())
              .setNodeUuid(each.nodeUuid())
              .setIpAddress(each.ipAddress())
              .setHostName(each.hostName())
              .setTransferPort(each.transferPort()));
    }
    return b.build();
  }

  static VerifyTask fromProto(VerifyTaskProto p) {
    return new VerifyTask(
        p.getTaskId(),
        p.getBlockPool(),
        p.getGroupId(),
        p.getGeneration(),
        p.getCodec(),
        new GroupShape(p.getDataUnits(), p.getParityUnits(), p.getCellBytes(), p.getLengthBytes()),
        p.getWhole(),
        p.getHolderList().stream()
            .map(
                each ->
                    new UnitHolder(
                        each.getUnit(),
                        each.getNodeUuid(),
                        /* storageId= */ "",
                        each.getIpAddress(),
                        each.getHostName(),
                        each.getTransferPort()))
            .toList());
  }

  static VerifyReportProto toProto(VerifyReport report) {
    String reason = report.reason();
    return VerifyReportProto.newBuilder()
        .setTaskId(report.taskId())
        .setGroupId(report.groupId())
        .setFinding(report.finding().name())
        .setWhole(report.isWhole())
        .addAllUnit(report.units())
        .setReadBytes(report.readBytes())
        .setReason(reason.substring(0, Math.min(reason.length(), MAX_REASON)))
        .build();
  }

  /**
   * @throws IOException when there are too many, or one cannot be understood
   */
  static List<VerifyReport> reports(List<VerifyReportProto> all) throws IOException {
    if (all.size() > VerifyProtocol.MAX_REPORTS) {
      throw refused("reports", all.size(), "at most " + VerifyProtocol.MAX_REPORTS + " a call");
    }
    List<VerifyReport> reports = new ArrayList<>();
    for (VerifyReportProto each : all) {
      reports.add(fromProto(each));
    }
    return reports;
  }

  private static VerifyReport fromProto(VerifyReportProto p) throws IOException {
    if (p.getUnitCount() > MAX_UNITS || p.getReason().length() > MAX_REASON) {
      throw refused(
          "units, reason",
          p.getUnitCount() + ", " + p.getReason().length(),
          "at most " + MAX_UNITS + " units and " + MAX_REASON + " characters");
    }
    for (Finding finding : Finding.values()) {
      if (finding.name().equals(p.getFinding())) {
        return new VerifyReport(
            p.getTaskId(),
            p.getGroupId(),
            finding,
            p.getWhole(),
            p.getUnitList(),
            p.getReadBytes(),
            p.getReason().replaceAll("\\p{Cntrl}", " "));
      }
    }
    throw refused("finding", p.getFinding(), "one of VerifyReport.Finding");
  }

  private static IOException refused(String name, Object value, String rule) {
    return new IOException(
        "Cannot take reports of verification: " + name + "=" + value + ", expected " + rule);
  }

  static VerifyStatusProto toProto(VerifyStatus s) {
    return VerifyStatusProto.newBuilder()
        .setRunning(s.isRunning())
        .setProblem(s.problem())
        .setUnverified(s.unverified())
        .setIdsLeft(s.idsLeft())
        .setSampled(s.results().sampled())
        .setVerified(s.results().verified())
        .setWrongParity(s.results().wrongParity())
        .setUnitsReencoded(s.results().unitsReencoded())
        .setSuspectedData(s.results().suspectedData())
        .setNotCompared(s.results().notCompared())
        .setTakenByUpdates(s.results().takenByUpdates())
        .setGivenUp(s.results().givenUp())
        .build();
  }

  static VerifyStatus fromProto(VerifyStatusProto p) {
    return new VerifyStatus(
        p.getRunning(),
        p.getProblem(),
        p.getUnverified(),
        p.getIdsLeft(),
        new VerifyStatus.Results(
            p.getSampled(),
            p.getVerified(),
            p.getWrongParity(),
            p.getUnitsReencoded(),
            p.getSuspectedData(),
            p.getNotCompared(),
            p.getTakenByUpdates(),
            p.getGivenUp()));
  }
}
