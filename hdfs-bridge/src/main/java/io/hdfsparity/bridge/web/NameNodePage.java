/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.web;

import io.hdfsparity.bridge.doctor.ClusterFacts;
import io.hdfsparity.bridge.doctor.DaemonAnswer;
import io.hdfsparity.bridge.doctor.DaemonKind;
import io.hdfsparity.bridge.doctor.Doctor;
import io.hdfsparity.bridge.doctor.Finding;
import io.hdfsparity.bridge.doctor.FindingKind;
import io.hdfsparity.bridge.doctor.LocalFacts;
import io.hdfsparity.bridge.doctor.Severity;
import io.hdfsparity.bridge.page.Page;
import io.hdfsparity.bridge.page.PageSection;
import io.hdfsparity.bridge.page.Tone;
import io.hdfsparity.bridge.status.DaemonStatus;
import io.hdfsparity.bridge.status.FeatureStatus;
import io.hdfsparity.bridge.status.NameNodeFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Makes the page of a NameNode from what it knows; asks no other daemon. Thread-safe. */
final class NameNodePage implements Supplier<Page> {
  /** Details of one kind of finding at most. */
  private static final int MAX_DETAILS = 20;

  private final String address;
  private final Supplier<DaemonStatus> status;
  private final Supplier<List<PageSection>> sections;
  private final List<String> others;
  private final Doctor doctor;

  /**
   * @param address of its RPC server
   * @param sections of features in service, asked for each page
   * @param others web addresses of the other NameNodes of its nameservice
   */
  NameNodePage(
      String address,
      Supplier<DaemonStatus> status,
      Supplier<List<PageSection>> sections,
      List<String> others,
      Doctor doctor) {
    this.address = address;
    this.status = status;
    this.sections = sections;
    this.others = List.copyOf(others);
    this.doctor = doctor;
  }

  @Override
  public Page get() {
    DaemonStatus known = status.get();
    String state = known.nameNode().map(NameNodeFacts::haState).orElse("");
    DaemonStatus.Software software = known.software();
    return new Page(
        new Page.Head(
            address,
            state,
            "suite " + software.suiteVersion() + " on Hadoop " + software.hadoopVersion(),
            known.clockMs(),
            /* isComplete= */ true,
            others),
        known.features().stream().map(NameNodePage::health).toList(),
        // One that is not active hears little of DataNodes, and knows of no active one.
        state.equals("active") ? findings(known) : List.of(),
        // What has a map first: it is looked at most.
        sections.get().stream()
            .sorted(Comparator.comparing((PageSection each) -> each.maps().isEmpty()))
            .toList());
  }

  private static Page.Health health(FeatureStatus feature) {
    Tone tone =
        switch (feature.state()) {
          case IN_SERVICE -> feature.reason().isEmpty() ? Tone.GOOD : Tone.WARN;
          case STARTING -> Tone.BUSY;
          case FAILED -> Tone.BAD;
          case OFF, STOPPED, UNKNOWN -> Tone.PLAIN;
        };
    return new Page.Health(feature.part(), feature.state().words(), tone, feature.reason());
  }

  /** What the doctor finds with the answer of this NameNode alone. */
  private List<Page.FoundKind> findings(DaemonStatus known) {
    LocalFacts local =
        new LocalFacts(
            known.software().suiteVersion(),
            known.software().hadoopVersion(),
            known.keys(),
            /* fileSystemProblem= */ "");
    DaemonAnswer own =
        DaemonAnswer.of(DaemonKind.NAMENODE, address, known, known.clockMs(), known.clockMs());
    Map<FindingKind, List<Finding>> byKind = new LinkedHashMap<>();
    for (Finding each :
        doctor.examine(new ClusterFacts(local, List.of(own), List.of(), /* problem= */ ""))) {
      byKind.computeIfAbsent(each.kind(), kind -> new ArrayList<>()).add(each);
    }
    return byKind.entrySet().stream()
        .map(
            each ->
                new Page.FoundKind(
                    each.getKey().code(),
                    tone(each.getKey().severity()),
                    each.getKey().meaning(),
                    each.getKey().remedy(),
                    each.getValue().size(),
                    each.getValue().stream()
                        .limit(MAX_DETAILS)
                        .map(one -> one.place() + ": " + one.detail())
                        .toList()))
        .toList();
  }

  private static Tone tone(Severity severity) {
    return switch (severity) {
      case ERROR -> Tone.BAD;
      case WARNING -> Tone.WARN;
      case INFO -> Tone.PLAIN;
    };
  }
}
