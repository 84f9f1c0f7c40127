/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.SuiteKey;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Keys that are misspelt, and lists of plugins that name the wrong class. */
final class KeyNameCheck implements DoctorCheck {
  private static final String SUITE_PACKAGE = "io.hdfsparity.";
  private static final Map<String, String> PLUGINS =
      Map.of(
          "dfs.namenode.plugins", "io.hdfsparity.ParityNameNodePlugin",
          "dfs.datanode.plugins", "io.hdfsparity.ParityDataNodePlugin");

  private final Set<String> known;

  /**
   * @param keys all that are known here
   */
  KeyNameCheck(List<ConfigKey> keys) {
    known = keys.stream().map(ConfigKey::key).collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public List<? extends FindingKind> kinds() {
    return List.of(
        KeyFinding.UNKNOWN_HERE,
        KeyFinding.UNKNOWN_IN_DAEMON,
        KeyFinding.WRONG_PLUGIN,
        KeyFinding.PLUGIN_TWICE,
        KeyFinding.PLUGIN_MISSING_HERE);
  }

  @Override
  public void check(ClusterFacts facts, FindingList found) {
    Map<String, String> here = facts.local().keys();
    unknown(here).forEach(key -> found.add(KeyFinding.UNKNOWN_HERE, Finding.THIS_HOST, key));
    plugins(here, Finding.THIS_HOST, found);
    if (here.containsKey(SuiteKey.FEATURES.key())) {
      PLUGINS.forEach(
          (key, plugin) -> {
            if (!names(here, key).contains(plugin)) {
              found.add(
                  KeyFinding.PLUGIN_MISSING_HERE,
                  Finding.THIS_HOST,
                  key + "=" + here.getOrDefault(key, "") + ", expected " + plugin + " in it");
            }
          });
    }
    for (DescribedDaemon each : facts.described()) {
      Map<String, String> keys = each.status().keys();
      unknown(keys).forEach(key -> found.add(KeyFinding.UNKNOWN_IN_DAEMON, each.place(), key));
      plugins(keys, each.place(), found);
    }
  }

  private List<String> unknown(Map<String, String> keys) {
    return keys.entrySet().stream()
        .filter(each -> each.getKey().startsWith(ConfigKey.SUITE_PREFIX))
        .filter(each -> !known.contains(each.getKey()))
        .filter(each -> !each.getKey().startsWith(SuiteKey.NAMENODE_RPC_ADDRESS.key() + "."))
        .map(each -> each.getKey() + "=" + each.getValue())
        .toList();
  }

  private static void plugins(Map<String, String> keys, String place, FindingList found) {
    PLUGINS.forEach(
        (key, plugin) -> {
          List<String> names = names(keys, key);
          for (String name : Set.copyOf(names)) {
            if (name.startsWith(SUITE_PACKAGE) && !name.equals(plugin)) {
              found.add(
                  KeyFinding.WRONG_PLUGIN,
                  place,
                  key + "=" + keys.get(key) + ", expected " + plugin + " and not " + name);
            }
          }
          if (names.stream().filter(plugin::equals).count() > 1) {
            found.add(KeyFinding.PLUGIN_TWICE, place, key + "=" + keys.get(key));
          }
        });
  }

  private static List<String> names(Map<String, String> keys, String key) {
    return Arrays.stream(keys.getOrDefault(key, "").split(",", -1)).map(String::trim).toList();
  }
}
