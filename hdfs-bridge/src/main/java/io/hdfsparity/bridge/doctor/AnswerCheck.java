/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

import io.hdfsparity.bridge.status.DaemonStatus;
import io.hdfsparity.bridge.status.HadoopLine;
import java.util.List;

/** Whether all daemons answer, with one build and one time. */
final class AnswerCheck implements DoctorCheck {
  /** How far a clock may be ahead or behind. */
  static final long MAX_CLOCK_DIFFERENCE_MS = 5_000;

  @Override
  public List<? extends FindingKind> kinds() {
    return List.of(AnswerFinding.values());
  }

  @Override
  public void check(ClusterFacts facts, FindingList found) {
    facts.answers().forEach(each -> failure(each, found));
    if (!facts.problem().isEmpty()) {
      found.add(AnswerFinding.NODES_UNKNOWN, Finding.CLUSTER, facts.problem());
    }
    facts
        .answers()
        .forEach(
            each ->
                each.status()
                    .ifPresent(
                        status -> {
                          versions(facts.local(), each.place(), status, found);
                          clock(each, found);
                        }));
  }

  private static void failure(DaemonAnswer answer, FindingList found) {
    answer
        .failure()
        .ifPresent(why -> found.add(kind(answer.kind(), why), answer.place(), why.message()));
  }

  private static AnswerFinding kind(DaemonKind daemon, CallFailure why) {
    boolean isNameNode = daemon == DaemonKind.NAMENODE;
    return switch (why.cause()) {
      case REFUSED -> isNameNode ? AnswerFinding.NAMENODE_REFUSES : AnswerFinding.DATANODE_REFUSES;
      case TIMEOUT -> isNameNode ? AnswerFinding.NAMENODE_SILENT : AnswerFinding.DATANODE_SILENT;
      case NOT_SERVED ->
          isNameNode ? AnswerFinding.NAMENODE_NOT_SERVED : AnswerFinding.DATANODE_NOT_SERVED;
      case DENIED -> AnswerFinding.CALL_DENIED;
      case OTHER -> AnswerFinding.CALL_FAILED;
    };
  }

  private static void versions(
      LocalFacts local, String place, DaemonStatus status, FindingList found) {
    if (!status.software().suiteVersion().equals(local.suiteVersion())) {
      found.add(
          AnswerFinding.SUITE_VERSIONS_DIFFER,
          place,
          "suite=" + status.software().suiteVersion() + ", expected " + local.suiteVersion());
    }
    HadoopLine line = HadoopLine.current();
    if (!line.fits(status.software().hadoopVersion())) {
      found.add(
          AnswerFinding.HADOOP_VERSION,
          place,
          "hadoop=" + status.software().hadoopVersion() + ", expected " + line.versions());
    }
  }

  private static void clock(DaemonAnswer answer, FindingList found) {
    long ahead = answer.clockAheadMs();
    if (Math.abs(ahead) > MAX_CLOCK_DIFFERENCE_MS) {
      found.add(
          AnswerFinding.CLOCK_DIFFERS,
          answer.place(),
          "clock is " + Math.abs(ahead) + " ms " + (ahead > 0 ? "ahead" : "behind"));
    }
  }
}
