/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.SuiteKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/**
 * All checks: those of the suite and those of the features on the class path. A check that fails is
 * a finding, and hides no other. Immutable.
 */
public final class Doctor {
  private final List<DoctorCheck> checks;

  private Doctor(List<DoctorCheck> checks) {
    this.checks = List.copyOf(checks);
  }

  /** With the features on the class path. */
  public static Doctor ofClassPath() {
    List<DoctorCheck> ofFeatures =
        ServiceLoader.load(DoctorCheck.class, Doctor.class.getClassLoader()).stream()
            .map(each -> (DoctorCheck) each.get())
            .sorted(Comparator.comparing(each -> each.getClass().getName()))
            .toList();
    return of(ofFeatures);
  }

  static Doctor of(List<DoctorCheck> ofFeatures) {
    List<ConfigKey> keys = new ArrayList<>(List.of(SuiteKey.values()));
    ofFeatures.forEach(each -> keys.addAll(each.keys()));
    List<DoctorCheck> all =
        new ArrayList<>(
            List.of(
                new AnswerCheck(),
                new FeatureCheck(),
                new KeyNameCheck(keys),
                new KeyValueCheck(keys),
                new SecurityCheck(),
                new ClusterCheck()));
    all.addAll(ofFeatures);
    return new Doctor(all);
  }

  /** All that can be found, by code. */
  public List<FindingKind> kinds() {
    List<FindingKind> kinds = new ArrayList<>(List.of(DoctorFinding.CHECK_FAILED));
    checks.forEach(each -> kinds.addAll(each.kinds()));
    return kinds.stream().sorted(Comparator.comparing(FindingKind::code)).toList();
  }

  /** What is wrong, the worst first. */
  public List<Finding> examine(ClusterFacts facts) {
    FindingList found = new FindingList();
    for (DoctorCheck each : checks) {
      try {
        each.check(facts, found);
      } catch (RuntimeException e) {
        found.add(
            DoctorFinding.CHECK_FAILED,
            Finding.THIS_HOST,
            each.getClass().getSimpleName() + ": " + e);
      }
    }
    return found.sorted();
  }

  private enum DoctorFinding implements FindingKind {
    CHECK_FAILED(
        new FindingSpec(
            "PARITY-100",
            Severity.WARNING,
            "A check could not be made.",
            "Report it with the output of hdfs parity doctor -json. The other checks were made."));

    private final FindingSpec spec;

    DoctorFinding(FindingSpec spec) {
      this.spec = spec;
    }

    @Override
    public FindingSpec spec() {
      return spec;
    }
  }
}
