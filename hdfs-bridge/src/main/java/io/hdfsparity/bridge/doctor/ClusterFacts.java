/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

import io.hdfsparity.bridge.status.DaemonStatus;
import io.hdfsparity.bridge.status.DataNodeAvailability;
import io.hdfsparity.bridge.status.EnabledPolicy;
import io.hdfsparity.bridge.status.NameNodeFacts;
import io.hdfsparity.bridge.status.RegisteredNode;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * All that checks look at. Immutable.
 *
 * @param dataNodes those that were asked
 * @param problem why DataNodes could not be found or asked; empty: nothing
 */
public record ClusterFacts(
    LocalFacts local, List<DaemonAnswer> nameNodes, List<DaemonAnswer> dataNodes, String problem) {
  public ClusterFacts {
    nameNodes = List.copyOf(nameNodes);
    dataNodes = List.copyOf(dataNodes);
  }

  /** NameNodes, then DataNodes. */
  public Stream<DaemonAnswer> answers() {
    return Stream.concat(nameNodes.stream(), dataNodes.stream());
  }

  /** Daemons that have answered, NameNodes first. */
  public List<DescribedDaemon> described() {
    return answers()
        .flatMap(
            each ->
                each.status().stream()
                    .map(status -> new DescribedDaemon(each.kind(), each.place(), status)))
        .toList();
  }

  /** NameNodes that have answered. */
  public List<DescribedDaemon> describedNameNodes() {
    return described().stream().filter(DescribedDaemon::isNameNode).toList();
  }

  /** DataNodes that have answered. */
  public List<DescribedDaemon> describedDataNodes() {
    return described().stream().filter(each -> !each.isNameNode()).toList();
  }

  /** Whether a NameNode has a feature in service. */
  public boolean isServed(String feature) {
    return describedNameNodes().stream().anyMatch(each -> each.status().serves(feature));
  }

  /** Where the active NameNodes are, by nameservice; empty: it has none. */
  public SortedMap<String, List<String>> actives() {
    SortedMap<String, List<String>> actives = new TreeMap<>();
    for (DescribedDaemon each : describedNameNodes()) {
      NameNodeFacts view = each.status().nameNode().orElse(null);
      if (view != null) {
        List<String> places =
            actives.computeIfAbsent(view.nameservice(), name -> new ArrayList<>());
        if (view.isActive()) {
          places.add(each.place());
        }
      }
    }
    return actives;
  }

  /** Whether each nameservice has one NameNode that is active, and no more. */
  public boolean hasOneActiveEach() {
    SortedMap<String, List<String>> actives = actives();
    return !actives.isEmpty() && actives.values().stream().allMatch(each -> each.size() == 1);
  }

  /** What active NameNodes know, else what the others do. */
  public List<NameNodeFacts> views() {
    List<NameNodeFacts> all =
        describedNameNodes().stream()
            .map(DescribedDaemon::status)
            .flatMap((DaemonStatus each) -> each.nameNode().stream())
            .toList();
    List<NameNodeFacts> active = all.stream().filter(NameNodeFacts::isActive).toList();
    return active.isEmpty() ? all : active;
  }

  /** DataNodes that a NameNode knows, each once. */
  public List<RegisteredNode> nodes() {
    return views().stream().flatMap(each -> each.nodes().stream()).distinct().toList();
  }

  /** Those that can take data. */
  public List<RegisteredNode> liveNodes() {
    return nodes().stream().filter(each -> each.state() == DataNodeAvailability.LIVE).toList();
  }

  /** Erasure coding policies that are enabled. */
  public List<EnabledPolicy> policies() {
    return views().stream().flatMap(each -> each.policies().stream()).distinct().toList();
  }
}
