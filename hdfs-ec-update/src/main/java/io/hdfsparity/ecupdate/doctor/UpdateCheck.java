/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.doctor;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.doctor.ClusterFacts;
import io.hdfsparity.bridge.doctor.DescribedDaemon;
import io.hdfsparity.bridge.doctor.DoctorCheck;
import io.hdfsparity.bridge.doctor.FindingKind;
import io.hdfsparity.bridge.doctor.FindingList;
import io.hdfsparity.bridge.status.DaemonStatus;
import io.hdfsparity.bridge.status.NameNodeFacts;
import io.hdfsparity.ecupdate.config.ChannelProtection;
import io.hdfsparity.ecupdate.config.ControlKey;
import io.hdfsparity.ecupdate.config.ServingKey;
import io.hdfsparity.ecupdate.config.SessionKey;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.config.TraceKey;
import io.hdfsparity.ecupdate.config.UpdateKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Checks of updates in place. Stateless. */
public final class UpdateCheck implements DoctorCheck {
  static final String CAPABLE_NODES = "capableNodes";

  private static final String FEATURE = "ecupdate";
  private static final String TOKENS_KEY = "dfs.block.access.token.enable";

  /**
   * Figures that a NameNode tells of itself.
   *
   * @param capableNodes DataNodes that can update replicas
   */
  public static Map<String, String> figures(int openSessions, int capableNodes) {
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put("openSessions", String.valueOf(openSessions));
    figures.put(CAPABLE_NODES, String.valueOf(capableNodes));
    return figures;
  }

  @Override
  public List<? extends FindingKind> kinds() {
    return List.of(UpdateFinding.values());
  }

  @Override
  public List<ConfigKey> keys() {
    List<ConfigKey> keys = new ArrayList<>(List.of(ControlKey.values()));
    keys.addAll(List.of(ServingKey.values()));
    keys.addAll(List.of(SessionKey.values()));
    keys.addAll(List.of(StorageKey.values()));
    keys.addAll(List.of(TraceKey.values()));
    keys.addAll(List.of(UpdateKey.values()));
    return keys;
  }

  @Override
  public void check(ClusterFacts facts, FindingList found) {
    boolean isUsed =
        facts.isServed(FEATURE)
            && facts.describedDataNodes().stream().anyMatch(each -> each.status().serves(FEATURE));
    for (DescribedDaemon each : facts.described()) {
      DaemonStatus status = each.status();
      if (isUsed && status.serves(FEATURE) && !status.key(TOKENS_KEY).equals("true")) {
        found.add(
            UpdateFinding.TOKENS_OFF, each.place(), TOKENS_KEY + "=" + status.key(TOKENS_KEY));
      }
    }
    facts.describedNameNodes().forEach(each -> nameNode(each, isUsed, found));
    facts.describedDataNodes().forEach(each -> dataNode(each, isUsed, found));
  }

  private static void nameNode(DescribedDaemon daemon, boolean isUsed, FindingList found) {
    boolean isActive = daemon.status().nameNode().filter(NameNodeFacts::isActive).isPresent();
    boolean knowsNone =
        daemon.status().figure(FEATURE, CAPABLE_NODES).filter("0"::equals).isPresent();
    if (isUsed && isActive && knowsNone) {
      found.add(UpdateFinding.NO_CAPABLE_NODE, daemon.place(), CAPABLE_NODES + "=0");
    }
  }

  /** The key that allows it allows nothing that Hadoop's keys forbid. */
  private static boolean isInClear(DaemonStatus status) {
    Configuration conf = new Configuration(false);
    for (String key :
        List.of(
            "hadoop.security.authentication",
            "dfs.data.transfer.protection",
            "dfs.encrypt.data.transfer",
            UpdateKey.ALLOW_CLEAR.key())) {
      conf.set(key, status.key(key));
    }
    return !ChannelProtection.isRequired(conf);
  }

  /**
   * Where no DataNode serves updates, nobody is about to make any. One of RAIDP alone takes no
   * units of erasure-coded files.
   */
  private static void dataNode(DescribedDaemon daemon, boolean isUsed, FindingList found) {
    DaemonStatus status = daemon.status();
    if (isUsed && !status.serves("raidp")) {
      status
          .whyOff(FEATURE)
          .ifPresent(
              words ->
                  found.add(
                      UpdateFinding.NODE_WITHOUT_UPDATES, daemon.place(), FEATURE + "=" + words));
    }
    boolean isSecure = status.key("hadoop.security.authentication").equalsIgnoreCase("kerberos");
    if (isSecure && status.key(UpdateKey.ALLOW_CLEAR.key()).equals("true") && isInClear(status)) {
      found.add(
          UpdateFinding.CHANNEL_IN_CLEAR, daemon.place(), UpdateKey.ALLOW_CLEAR.key() + "=true");
    }
  }
}
