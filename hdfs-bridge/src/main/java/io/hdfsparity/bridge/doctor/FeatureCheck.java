/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.status.FeatureState;
import io.hdfsparity.bridge.status.FeatureStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Whether the features that should be in service are. */
final class FeatureCheck implements DoctorCheck {
  private static final String LIST = SuiteKey.FEATURES.key();

  @Override
  public List<? extends FindingKind> kinds() {
    return List.of(FeatureFinding.values());
  }

  @Override
  public void check(ClusterFacts facts, FindingList found) {
    List<DescribedDaemon> all = facts.described();
    all.forEach(each -> features(each, found));
    if (all.isEmpty()) {
      return;
    }
    listsOf(facts.describedNameNodes(), found);
    if (all.stream().allMatch(each -> listed(each).isEmpty())) {
      found.add(FeatureFinding.NOT_LISTED, Finding.CLUSTER, LIST + "=");
    }
  }

  /** NameNodes only: DataNodes may be of different features. */
  private static void listsOf(List<DescribedDaemon> nameNodes, FindingList found) {
    for (DescribedDaemon each : nameNodes) {
      Set<String> expected = listed(nameNodes.get(0));
      if (!listed(each).equals(expected)) {
        found.add(
            FeatureFinding.LISTS_DIFFER,
            each.place(),
            LIST
                + "="
                + String.join(",", listed(each))
                + ", expected "
                + String.join(",", expected)
                + " as in "
                + nameNodes.get(0).place());
      }
    }
  }

  private static void features(DescribedDaemon daemon, FindingList found) {
    Set<String> listed = listed(daemon);
    for (FeatureStatus each : daemon.status().features()) {
      String what = "feature=" + each.part() + ", " + each.words();
      if (each.state() == FeatureState.FAILED) {
        found.add(FeatureFinding.FAILED_CLOSED, daemon.place(), what);
      } else if (each.isInService() && !each.reason().isEmpty()) {
        found.add(FeatureFinding.TROUBLE, daemon.place(), what);
      } else if (!each.isInService()
          && each.part().equals(each.name())
          && listed.contains(each.name())) {
        found.add(FeatureFinding.LISTED_NOT_IN_SERVICE, daemon.place(), what);
      }
    }
  }

  private static Set<String> listed(DescribedDaemon daemon) {
    return Arrays.stream(daemon.status().key(LIST).split(",", -1))
        .map(String::trim)
        .filter(each -> !each.isEmpty())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
