/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.KeyUser;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.config.ValueForm;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keys that must be equal in all daemons that read them, and keys of NameNodes, any of which may
 * become active.
 */
final class KeyValueCheck implements DoctorCheck {
  /** Of Hadoop, in all daemons. */
  private static final List<String> EVERYWHERE =
      List.of(
          "dfs.block.access.token.enable",
          "dfs.data.transfer.protection",
          "dfs.encrypt.data.transfer",
          "hadoop.rpc.protection",
          "hadoop.security.authentication");

  /** Of Hadoop, in NameNodes. */
  private static final List<String> IN_NAMENODES =
      List.of(
          "dfs.block.placement.ec.classname",
          "dfs.block.replicator.classname",
          "dfs.namenode.audit.loggers",
          "dfs.permissions.enabled");

  /** What one host or daemon has for itself. */
  private static final Set<ValueForm> OWN =
      Set.of(ValueForm.ADDRESS, ValueForm.DIRECTORY, ValueForm.DIRECTORIES);

  private final Map<String, Compared> everywhere = new LinkedHashMap<>();
  private final Map<String, Compared> inNameNodes = new LinkedHashMap<>();

  /**
   * How a key is compared.
   *
   * @param standard where it is not set
   * @param form null: as text
   */
  private record Compared(String standard, ValueForm form) {}

  /**
   * @param keys of the suite
   */
  KeyValueCheck(List<ConfigKey> keys) {
    EVERYWHERE.forEach(key -> everywhere.put(key, new Compared("", ValueForm.TEXT)));
    IN_NAMENODES.forEach(key -> inNameNodes.put(key, new Compared("", ValueForm.TEXT)));
    for (ConfigKey key : keys) {
      // The list of features has findings of its own.
      if (OWN.contains(key.form()) || key == SuiteKey.FEATURES) {
        continue;
      }
      Compared compared = new Compared(key.defaultValue(), key.form());
      if (key.users().containsAll(Set.of(KeyUser.NAMENODE, KeyUser.DATANODE))) {
        everywhere.put(key.key(), compared);
      } else if (key.users().contains(KeyUser.NAMENODE)) {
        inNameNodes.put(key.key(), compared);
      }
    }
  }

  @Override
  public List<? extends FindingKind> kinds() {
    return List.of(KeyFinding.MUST_AGREE, KeyFinding.NAMENODES_DIFFER);
  }

  @Override
  public void check(ClusterFacts facts, FindingList found) {
    everywhere.forEach(
        (key, how) -> compare(key, how, facts.described(), KeyFinding.MUST_AGREE, found));
    inNameNodes.forEach(
        (key, how) ->
            compare(key, how, facts.describedNameNodes(), KeyFinding.NAMENODES_DIFFER, found));
  }

  /** With the first, which is a NameNode where one has answered. */
  private static void compare(
      String key, Compared how, List<DescribedDaemon> daemons, KeyFinding kind, FindingList found) {
    if (daemons.isEmpty()) {
      return;
    }
    DescribedDaemon first = daemons.get(0);
    String expected = value(first, key, how);
    String canonical = ValueComparison.canonical(how.form(), expected);
    for (DescribedDaemon each : daemons) {
      String value = value(each, key, how);
      if (!ValueComparison.canonical(how.form(), value).equals(canonical)) {
        found.add(
            kind,
            each.place(),
            key + "=" + value + ", expected " + expected + " as in " + first.place());
      }
    }
  }

  private static String value(DescribedDaemon daemon, String key, Compared how) {
    return daemon.status().keys().getOrDefault(key, how.standard());
  }
}
