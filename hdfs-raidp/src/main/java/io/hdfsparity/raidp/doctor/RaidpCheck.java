/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.doctor;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.doctor.ClusterFacts;
import io.hdfsparity.bridge.doctor.DescribedDaemon;
import io.hdfsparity.bridge.doctor.DoctorCheck;
import io.hdfsparity.bridge.doctor.Finding;
import io.hdfsparity.bridge.doctor.FindingKind;
import io.hdfsparity.bridge.doctor.FindingList;
import io.hdfsparity.bridge.status.FeatureStatus;
import io.hdfsparity.bridge.status.NameNodeFacts;
import io.hdfsparity.raidp.config.RaidpKey;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks of RAIDP. Stateless. */
public final class RaidpCheck implements DoctorCheck {
  /** Figure of a DataNode: Lstors on the device of their disk. */
  public static final String ON_DISK_DEVICE = "lstorsOnDiskDevice";

  /** Figure of a DataNode: Lstors on the device of another disk. */
  public static final String ON_OTHER_DISK = "lstorsOnOtherDisk";

  /** Figure of a DataNode: pairs of Lstors that lie on the devices of each other's disks. */
  public static final String ON_EACH_OTHER = "lstorsOnEachOther";

  /** Figure of a DataNode: directories of Lstors that others can read or change. */
  public static final String OPEN_TO_OTHERS = "lstorsOpenToOthers";

  /** Figure of a NameNode: superchunks with one frame. */
  public static final String DEGRADED = "superchunksDegraded";

  /** Figure of a NameNode: superchunks without a frame. */
  public static final String LOST = "superchunksLost";

  /** Figure of a NameNode: problems in reports. */
  public static final String PROBLEMS = "problems";

  /** Figure of a NameNode: live DataNodes whose plugin does not report. */
  public static final String NODES_WITHOUT_PLUGIN = "nodesWithoutPlugin";

  /** Figure of a NameNode: DataNodes whose Lstors no Lstor daemon reports. */
  public static final String NODES_WITHOUT_LSTOR_DAEMON = "nodesWithoutLstorDaemon";

  /** Figure of a NameNode: how little room is left for protected blocks; empty: enough is. */
  public static final String ROOM_LOW = "protectedRoomLow";

  private static final String FEATURE = "raidp";
  private static final String PLACEMENT_KEY = "dfs.block.replicator.classname";
  private static final String REPLICATION_KEY = "dfs.replication";
  private static final Set<String> FEW_REPLICAS = Set.of("1", "2");

  @Override
  public List<? extends FindingKind> kinds() {
    return List.of(RaidpFinding.values());
  }

  @Override
  public List<ConfigKey> keys() {
    return List.of(RaidpKey.values());
  }

  @Override
  public void check(ClusterFacts facts, FindingList found) {
    facts.describedNameNodes().forEach(each -> nameNode(each, found));
    boolean isServed = facts.isServed(FEATURE);
    if (isServed) {
      facts.describedDataNodes().forEach(each -> dataNode(each, found));
      frameSizes(facts.describedDataNodes(), found);
    }
    boolean isListedHere =
        Arrays.stream(facts.local().key("dfs.parity.features").split(",", -1))
            .anyMatch(each -> each.trim().equals(FEATURE));
    if (isListedHere) {
      wire(Finding.THIS_HOST, facts.local().keys(), found);
    }
  }

  private static void nameNode(DescribedDaemon daemon, FindingList found) {
    boolean isServed = daemon.status().serves(FEATURE);
    String placement = daemon.status().key(PLACEMENT_KEY);
    if (!isServed && placement.endsWith(".PairPlacementPolicy")) {
      found.add(
          RaidpFinding.PLACEMENT_WITHOUT_FEATURE,
          daemon.place(),
          PLACEMENT_KEY + "=" + placement + ", raidp=" + words(daemon));
    }
    String replication = daemon.status().key(REPLICATION_KEY);
    if (isServed && FEW_REPLICAS.contains(replication)) {
      found.add(RaidpFinding.REPLICATION, daemon.place(), REPLICATION_KEY + "=" + replication);
    }
    if (daemon.status().nameNode().filter(NameNodeFacts::isActive).isPresent()) {
      found.addIfPositive(RaidpFinding.SUPERCHUNKS_DEGRADED, daemon, FEATURE, DEGRADED);
      found.addIfPositive(RaidpFinding.SUPERCHUNKS_LOST, daemon, FEATURE, LOST);
      found.addIfPositive(RaidpFinding.REPORT_PROBLEMS, daemon, FEATURE, PROBLEMS);
      found.addIfPositive(RaidpFinding.NODES_WITHOUT_PLUGIN, daemon, FEATURE, NODES_WITHOUT_PLUGIN);
      found.addIfPositive(
          RaidpFinding.NODES_WITHOUT_LSTOR_DAEMON, daemon, FEATURE, NODES_WITHOUT_LSTOR_DAEMON);
      filled(daemon, ROOM_LOW, RaidpFinding.ROOM_LOW, found);
    }
  }

  private static void dataNode(DescribedDaemon daemon, FindingList found) {
    // One that has failed closed, or is listed and off, is found as any feature is.
    boolean isOff = daemon.status().part(FEATURE).filter(each -> !each.isInService()).isPresent();
    if (isOff) {
      found.add(RaidpFinding.NODE_WITHOUT_FEATURE, daemon.place(), "raidp=" + words(daemon));
    }
    filled(daemon, ON_DISK_DEVICE, RaidpFinding.LSTOR_ON_DISK_DEVICE, found);
    filled(daemon, ON_OTHER_DISK, RaidpFinding.LSTOR_ON_OTHER_DISK, found);
    filled(daemon, ON_EACH_OTHER, RaidpFinding.LSTORS_ON_EACH_OTHER, found);
    filled(daemon, OPEN_TO_OTHERS, RaidpFinding.LSTOR_OPEN_TO_OTHERS, found);
    wire(daemon.place(), daemon.status().keys(), found);
  }

  private static String words(DescribedDaemon daemon) {
    return daemon.status().part(FEATURE).map(FeatureStatus::words).orElse("not there");
  }

  private static void filled(
      DescribedDaemon daemon, String name, RaidpFinding kind, FindingList found) {
    daemon
        .status()
        .figure(FEATURE, name)
        .filter(each -> !each.isEmpty())
        .ifPresent(each -> found.add(kind, daemon.place(), name + "=" + each));
  }

  /** As WireProtection judges it at the start of a DataNode. */
  private static void wire(String place, Map<String, String> keys, FindingList found) {
    boolean isSecure =
        keys.getOrDefault("hadoop.security.authentication", "").equalsIgnoreCase("kerberos");
    int needed =
        keys.getOrDefault("dfs.encrypt.data.transfer", "false").equals("true")
            ? level("privacy")
            : isSecure ? level(keys.getOrDefault("dfs.data.transfer.protection", "")) : 0;
    String rpc = keys.getOrDefault("hadoop.rpc.protection", "authentication");
    if (needed > level("authentication") && (!isSecure || level(rpc) < needed)) {
      found.add(
          RaidpFinding.WIRE_PROTECTION,
          place,
          "hadoop.rpc.protection="
              + rpc
              + (isSecure ? "" : " without Kerberos")
              + ", dfs.encrypt.data.transfer="
              + keys.getOrDefault("dfs.encrypt.data.transfer", "")
              + ", dfs.data.transfer.protection="
              + keys.getOrDefault("dfs.data.transfer.protection", ""));
    }
  }

  /** Of the weakest that is listed; 0: none. */
  private static int level(String listed) {
    return Arrays.stream(listed.split(",", -1))
        .map(each -> List.of("authentication", "integrity", "privacy").indexOf(each.trim()) + 1)
        .min(Integer::compare)
        .orElse(0);
  }

  private static void frameSizes(List<DescribedDaemon> nodes, FindingList found) {
    List<DescribedDaemon> serving =
        nodes.stream().filter(each -> each.status().serves(FEATURE)).toList();
    String key = RaidpKey.FRAME_SIZE.key();
    for (DescribedDaemon each : serving) {
      String expected = frameSize(serving.get(0));
      if (!frameSize(each).equals(expected)) {
        found.add(
            RaidpFinding.FRAME_SIZE_DIFFERS,
            each.place(),
            key
                + "="
                + frameSize(each)
                + ", expected "
                + expected
                + " as in "
                + serving.get(0).place());
      }
    }
  }

  private static String frameSize(DescribedDaemon node) {
    return node.status()
        .keys()
        .getOrDefault(RaidpKey.FRAME_SIZE.key(), RaidpKey.FRAME_SIZE.defaultValue());
  }
}
