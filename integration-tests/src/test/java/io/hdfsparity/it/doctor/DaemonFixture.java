/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.doctor;

import io.hdfsparity.bridge.doctor.CallFailure;
import io.hdfsparity.bridge.doctor.DaemonAnswer;
import io.hdfsparity.bridge.doctor.DaemonKind;
import io.hdfsparity.bridge.status.DaemonStatus;
import io.hdfsparity.bridge.status.DirectorySpace;
import io.hdfsparity.bridge.status.EnabledPolicy;
import io.hdfsparity.bridge.status.FeatureState;
import io.hdfsparity.bridge.status.FeatureStatus;
import io.hdfsparity.bridge.status.NameNodeFacts;
import io.hdfsparity.bridge.status.RegisteredNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A daemon's answer that a test changes before it is made. */
final class DaemonFixture {
  static final long ASKED_MS = 1_000_000;
  static final long ANSWERED_MS = 1_000_100;

  private final DaemonKind kind;
  private final String address;
  private final Map<String, FeatureStatus> features = new LinkedHashMap<>();
  private @Nullable CallFailure failure;

  final Map<String, String> keys = new TreeMap<>();
  final List<RegisteredNode> nodes = new ArrayList<>();
  final List<EnabledPolicy> policies = new ArrayList<>();
  String suiteVersion = ClusterFixture.SUITE;
  String hadoopVersion = ClusterFixture.HADOOP;
  String nativeCode = "";
  String haState = "active";
  String nameservice = "ns";
  String nameNodeId = "nn1";
  boolean safeMode;
  long clockMs = ASKED_MS + 50;
  DirectorySpace space = new DirectorySpace("/data/1", 1_000, 500);

  DaemonFixture(DaemonKind kind, String address) {
    this.kind = kind;
    this.address = address;
  }

  DaemonFixture fails(CallFailure.Cause cause) {
    failure = new CallFailure(cause, "as the test wants");
    return this;
  }

  DaemonFixture key(String name, String value) {
    keys.put(name, value);
    return this;
  }

  /** A feature that is in service, with figures as name, value, name, value. */
  DaemonFixture serves(String feature, String... figures) {
    Map<String, String> all = new LinkedHashMap<>();
    for (int i = 0; i < figures.length; i += 2) {
      all.put(figures[i], figures[i + 1]);
    }
    features.put(feature, new FeatureStatus(feature, feature, FeatureState.IN_SERVICE, "", all));
    return this;
  }

  /** Changes one figure of a feature. */
  DaemonFixture figure(String feature, String name, String value) {
    FeatureStatus before = features.get(feature);
    Map<String, String> all = new LinkedHashMap<>(before.figures());
    all.put(name, value);
    features.put(
        feature, new FeatureStatus(feature, feature, before.state(), before.reason(), all));
    return this;
  }

  DaemonFixture feature(String feature, FeatureState state, String reason) {
    features.put(feature, new FeatureStatus(feature, feature, state, reason, Map.of()));
    return this;
  }

  DaemonAnswer answer() {
    if (failure != null) {
      return DaemonAnswer.failed(kind, address, failure);
    }
    boolean isNameNode = kind == DaemonKind.NAMENODE;
    DaemonStatus status =
        new DaemonStatus(
            new DaemonStatus.Software(suiteVersion, hadoopVersion, nativeCode),
            clockMs,
            List.copyOf(features.values()),
            keys,
            isNameNode ? List.of() : List.of(space),
            isNameNode
                ? Optional.of(
                    new NameNodeFacts(
                        nameservice, nameNodeId, haState, safeMode, nodes, 0, policies))
                : Optional.empty(),
            isNameNode ? "" : address);
    return DaemonAnswer.of(kind, address, status, ASKED_MS, ANSWERED_MS);
  }
}
