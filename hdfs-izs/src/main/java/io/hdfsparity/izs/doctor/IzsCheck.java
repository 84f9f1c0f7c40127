/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.doctor;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.doctor.ClusterFacts;
import io.hdfsparity.bridge.doctor.DescribedDaemon;
import io.hdfsparity.bridge.doctor.DoctorCheck;
import io.hdfsparity.bridge.doctor.Finding;
import io.hdfsparity.bridge.doctor.FindingKind;
import io.hdfsparity.bridge.doctor.FindingList;
import io.hdfsparity.bridge.status.NameNodeFacts;
import io.hdfsparity.izs.config.AccessKey;
import io.hdfsparity.izs.config.ApplyKey;
import io.hdfsparity.izs.config.LevelKey;
import io.hdfsparity.izs.config.RepairKey;
import io.hdfsparity.izs.config.VerifyKey;
import io.hdfsparity.izs.level.LevelStatus;
import io.hdfsparity.izs.level.VerifyStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Checks of codec izs, levels and verified parity. Stateless. */
public final class IzsCheck implements DoctorCheck {
  static final String GUARDED = "guarded";
  static final String REPLAY_ASSERTS = "replayAsserts";
  static final String VERIFYING = "verifying";
  static final String PROBLEM = "verifyProblem";
  static final String SUSPECTED = "suspectedData";
  static final String GIVEN_UP = "givenUp";

  private static final String FEATURE = "izs";

  /** A DataNode with this feature takes replicas only, so that there is nothing to repair. */
  private static final String REPLICAS_ONLY = "raidp";

  /** Figures that a NameNode tells of itself. */
  public static Map<String, String> figures(LevelStatus status) {
    VerifyStatus parity = status.verification();
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put(GUARDED, String.valueOf(status.readiness().guarded()));
    figures.put(REPLAY_ASSERTS, String.valueOf(status.readiness().replayAsserts()));
    figures.put("groupsLackingUnits", String.valueOf(status.backlog().groupsLackingUnits()));
    figures.put(VERIFYING, String.valueOf(parity.isRunning()));
    figures.put(PROBLEM, parity.problem());
    figures.put("unverified", String.valueOf(parity.unverified()));
    figures.put("wrongParity", String.valueOf(parity.results().wrongParity()));
    figures.put(SUSPECTED, String.valueOf(parity.results().suspectedData()));
    figures.put(GIVEN_UP, String.valueOf(parity.results().givenUp()));
    return figures;
  }

  @Override
  public List<? extends FindingKind> kinds() {
    return List.of(IzsFinding.values());
  }

  @Override
  public List<ConfigKey> keys() {
    List<ConfigKey> keys = new ArrayList<>(List.of(AccessKey.values()));
    keys.addAll(List.of(ApplyKey.values()));
    keys.addAll(List.of(LevelKey.values()));
    keys.addAll(List.of(RepairKey.values()));
    keys.addAll(List.of(VerifyKey.values()));
    return keys;
  }

  @Override
  public void check(ClusterFacts facts, FindingList found) {
    boolean hasPolicies = facts.policies().stream().anyMatch(each -> each.codec().equals(FEATURE));
    if (facts.isServed(FEATURE) && !hasPolicies) {
      found.add(IzsFinding.NO_POLICY, Finding.CLUSTER, "policies of codec izs=0");
    }
    facts.describedNameNodes().forEach(each -> nameNode(each, found));
    if (hasPolicies) {
      facts.describedDataNodes().forEach(each -> dataNode(each, found));
    }
  }

  private static void nameNode(DescribedDaemon daemon, FindingList found) {
    if (!daemon.status().serves(FEATURE)) {
      return;
    }
    Map<String, String> figures = daemon.status().part(FEATURE).orElseThrow().figures();
    onValue(daemon, figures, GUARDED, "false", IzsFinding.BLOCK_MAP_UNGUARDED, found);
    onValue(daemon, figures, REPLAY_ASSERTS, "true", IzsFinding.REPLAY_ASSERTS, found);
    if (daemon.status().nameNode().filter(NameNodeFacts::isActive).isEmpty()) {
      // Only the active NameNode verifies.
      return;
    }
    String problem = figures.getOrDefault(PROBLEM, "");
    if ("false".equals(figures.get(VERIFYING))) {
      found.add(IzsFinding.VERIFICATION_OFF, daemon.place(), VERIFYING + "=false: " + problem);
    } else if (!problem.isEmpty()) {
      found.add(IzsFinding.VERIFICATION_PROBLEM, daemon.place(), problem);
    }
    found.addIfPositive(IzsFinding.SUSPECTED_DATA, daemon, FEATURE, SUSPECTED);
    found.addIfPositive(IzsFinding.GROUPS_GIVEN_UP, daemon, FEATURE, GIVEN_UP);
  }

  private static void onValue(
      DescribedDaemon daemon,
      Map<String, String> figures,
      String name,
      String bad,
      IzsFinding kind,
      FindingList found) {
    if (bad.equals(figures.get(name))) {
      found.add(kind, daemon.place(), name + "=" + bad);
    }
  }

  private static void dataNode(DescribedDaemon daemon, FindingList found) {
    if (daemon.status().serves(REPLICAS_ONLY)) {
      return;
    }
    // One that has failed closed is found by the check of all features.
    daemon
        .status()
        .whyOff(FEATURE)
        .ifPresent(
            words ->
                found.add(IzsFinding.NODE_WITHOUT_REPAIR, daemon.place(), FEATURE + "=" + words));
  }
}
