/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

import io.hdfsparity.bridge.status.DataNodeAvailability;
import io.hdfsparity.bridge.status.DirectorySpace;
import io.hdfsparity.bridge.status.EnabledPolicy;
import io.hdfsparity.bridge.status.NameNodeFacts;
import io.hdfsparity.bridge.status.RegisteredNode;
import io.hdfsparity.core.cli.SizesAndDurations;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The state of HDFS, as far as the suite needs it. */
final class ClusterCheck implements DoctorCheck {
  /** Minimum free space of a data directory, in percent. */
  static final int MIN_FREE_PERCENT = 5;

  private static final String PLACEMENT_KEY = "dfs.block.placement.ec.classname";
  private static final String LOGGERS_KEY = "dfs.namenode.audit.loggers";
  private static final List<String> GUARDED =
      List.of(".GuardedEcPlacementPolicy", ".HintedEcPlacementPolicy");

  /** HDFS enables it by itself, whether anybody uses it or not. */
  private static final String ENABLED_BY_HDFS = "RS-6-3-1024k";

  @Override
  public List<? extends FindingKind> kinds() {
    return List.of(ClusterFinding.values());
  }

  @Override
  public void check(ClusterFacts facts, FindingList found) {
    actives(facts, found);
    facts.describedNameNodes().forEach(each -> nameNode(each, found));
    nodes(facts, found);
    facts.describedDataNodes().forEach(each -> dataNode(each, found));
    policies(facts, found);
  }

  private static void actives(ClusterFacts facts, FindingList found) {
    facts
        .actives()
        .forEach(
            (nameservice, places) -> {
              String what = nameservice.isEmpty() ? "" : "nameservice=" + nameservice + ", ";
              if (places.isEmpty()) {
                found.add(ClusterFinding.NO_ACTIVE, Finding.CLUSTER, what + "active=none");
              } else if (places.size() > 1) {
                found.add(
                    ClusterFinding.SEVERAL_ACTIVE,
                    Finding.CLUSTER,
                    what + "active=" + String.join(" and ", places));
              }
            });
  }

  private static void nameNode(DescribedDaemon daemon, FindingList found) {
    NameNodeFacts view = daemon.status().nameNode().orElse(null);
    if (view == null) {
      return;
    }
    if (view.isActive() && view.isInSafeMode()) {
      found.add(ClusterFinding.SAFE_MODE, daemon.place(), "safeMode=true");
    }
    String placement = daemon.status().key(PLACEMENT_KEY);
    boolean changesGroups = daemon.status().serves("izs") || daemon.status().serves("ecupdate");
    if (view.isHighlyAvailable()
        && changesGroups
        && GUARDED.stream().noneMatch(placement::endsWith)) {
      found.add(
          ClusterFinding.PLACEMENT_UNGUARDED, daemon.place(), PLACEMENT_KEY + "=" + placement);
    }
    List<String> loggers =
        Arrays.stream(daemon.status().key(LOGGERS_KEY).split(",", -1)).map(String::trim).toList();
    if (loggers.stream().anyMatch(each -> !each.isEmpty()) && !loggers.contains("default")) {
      found.add(
          ClusterFinding.AUDIT_LOG_LOST,
          daemon.place(),
          LOGGERS_KEY + "=" + String.join(",", loggers));
    }
  }

  private static void nodes(ClusterFacts facts, FindingList found) {
    for (RegisteredNode each : facts.nodes()) {
      String place = DaemonKind.DATANODE.words() + " " + each.place();
      if (each.state() == DataNodeAvailability.DEAD) {
        found.add(ClusterFinding.NODE_DEAD, place, "state=dead");
      } else if (each.state() == DataNodeAvailability.STALE) {
        found.add(ClusterFinding.NODE_STALE, place, "state=stale");
      }
    }
  }

  private static void dataNode(DescribedDaemon daemon, FindingList found) {
    for (DirectorySpace each : daemon.status().directories()) {
      // Rounded up: exactly the minimum is enough. A capacity of 0 is not known.
      if (each.freeBytes() < Math.ceil(each.capacityBytes() * MIN_FREE_PERCENT / 100.0)) {
        found.add(
            ClusterFinding.SPACE_LOW,
            daemon.place(),
            "directory="
                + each.path()
                + ", free="
                + SizesAndDurations.bytes(each.freeBytes())
                + " of "
                + SizesAndDurations.bytes(each.capacityBytes()));
      }
    }
    String why = daemon.status().software().nativeCode();
    if (!why.isEmpty()) {
      found.add(ClusterFinding.NATIVE_MISSING, daemon.place(), why);
    }
  }

  private static void policies(ClusterFacts facts, FindingList found) {
    List<RegisteredNode> live = facts.liveNodes();
    List<EnabledPolicy> used =
        facts.policies().stream().filter(each -> !each.name().equals(ENABLED_BY_HDFS)).toList();
    used.stream()
        .max(Comparator.comparingInt(EnabledPolicy::width))
        .filter(each -> each.width() > live.size())
        .ifPresent(
            each ->
                found.add(
                    ClusterFinding.TOO_FEW_NODES,
                    Finding.CLUSTER,
                    "policy="
                        + each.name()
                        + ", liveDataNodes="
                        + live.size()
                        + ", expected at least "
                        + each.width()));
    long racks = live.stream().map(RegisteredNode::rack).distinct().count();
    for (EnabledPolicy each : used) {
      // The units of a group are spread evenly over the racks.
      if (racks > 1 && (each.width() + racks - 1) / racks > each.parityUnits()) {
        found.add(
            ClusterFinding.TOO_FEW_RACKS,
            Finding.CLUSTER,
            "policy="
                + each.name()
                + ", racks="
                + racks
                + ", expected at least "
                + (each.width() + each.parityUnits() - 1) / each.parityUnits());
      }
    }
  }
}
