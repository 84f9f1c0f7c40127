/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.doctor.ClusterFacts;
import io.hdfsparity.bridge.doctor.DaemonAnswer;
import io.hdfsparity.bridge.doctor.DescribedDaemon;
import io.hdfsparity.bridge.status.DaemonStatus;
import io.hdfsparity.bridge.status.DataNodeAvailability;
import io.hdfsparity.bridge.status.FeatureState;
import io.hdfsparity.bridge.status.FeatureStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The document of {@code hdfs parity status -json}. Stateless. */
final class StatusDocument {
  private StatusDocument() {}

  static ObjectNode of(ClusterFacts facts) {
    ObjectNode doc = JsonNodeFactory.instance.objectNode();
    doc.put("schema", 1);
    doc.put("suiteVersion", facts.local().suiteVersion());
    doc.put("hadoopVersion", facts.local().hadoopVersion());
    doc.put("healthy", isHealthy(facts));
    ArrayNode nameNodes = doc.putArray("nameNodes");
    facts.nameNodes().forEach(each -> nameNode(each, nameNodes.addObject()));
    dataNodes(facts, doc.putObject("dataNodes"));
    ArrayNode features = doc.putArray("features");
    parts(facts).forEach((part, daemons) -> feature(part, daemons, features.addObject()));
    return doc;
  }

  private static boolean isHealthy(ClusterFacts facts) {
    return facts.problem().isEmpty()
        && facts.answers().allMatch(each -> each.status().isPresent())
        && facts.hasOneActiveEach()
        && facts.described().stream()
            .flatMap(each -> each.status().features().stream())
            .noneMatch(each -> each.state() == FeatureState.FAILED);
  }

  private static void nameNode(DaemonAnswer answer, ObjectNode into) {
    into.put("address", answer.address());
    answer.failure().ifPresent(why -> into.put("failure", why.message()));
    answer.status().ifPresent(status -> nameNode(status, into));
  }

  private static void nameNode(DaemonStatus status, ObjectNode into) {
    into.put("suiteVersion", status.software().suiteVersion());
    into.put("hadoopVersion", status.software().hadoopVersion());
    status
        .nameNode()
        .ifPresent(
            view -> {
              into.put("nameservice", view.nameservice());
              into.put("id", view.nameNodeId());
              into.put("state", view.haState());
              into.put("safeMode", view.isInSafeMode());
            });
  }

  private static void dataNodes(ClusterFacts facts, ObjectNode into) {
    for (DataNodeAvailability each : DataNodeAvailability.values()) {
      String name =
          switch (each) {
            case LIVE -> "live";
            case STALE -> "stale";
            case DEAD -> "dead";
            case OUT_OF_SERVICE -> "outOfService";
          };
      into.put(name, facts.nodes().stream().filter(node -> node.state() == each).count());
    }
    into.put("asked", facts.dataNodes().size());
    into.put("answered", facts.describedDataNodes().size());
    into.put("problem", facts.problem());
    ArrayNode silent = into.putArray("silent");
    for (DaemonAnswer each : facts.dataNodes()) {
      each.failure()
          .ifPresent(
              why ->
                  silent.addObject().put("address", each.address()).put("failure", why.message()));
    }
  }

  /** A part of a feature in a daemon. */
  private record PartStatus(DescribedDaemon daemon, FeatureStatus status) {}

  private static Map<String, List<PartStatus>> parts(ClusterFacts facts) {
    Map<String, List<PartStatus>> parts = new TreeMap<>();
    for (DescribedDaemon daemon : facts.described()) {
      for (FeatureStatus each : daemon.status().features()) {
        parts
            .computeIfAbsent(each.part(), part -> new ArrayList<>())
            .add(new PartStatus(daemon, each));
      }
    }
    return parts;
  }

  private static void feature(String part, List<PartStatus> daemons, ObjectNode into) {
    into.put("part", part);
    ArrayNode nameNodes = into.putArray("nameNodes");
    ObjectNode dataNodes = into.putObject("dataNodes");
    for (FeatureState each : FeatureState.values()) {
      long count =
          daemons.stream()
              .filter(one -> !one.daemon().isNameNode() && one.status().state() == each)
              .count();
      if (count > 0) {
        dataNodes.put(each.words(), count);
      }
    }
    ArrayNode troubles = into.putArray("troubles");
    for (PartStatus each : daemons) {
      FeatureStatus status = each.status();
      if (each.daemon().isNameNode()) {
        ObjectNode one = nameNodes.addObject();
        one.put("place", each.daemon().place());
        one.put("state", status.state().words());
        one.put("reason", status.reason());
        ObjectNode figures = one.putObject("figures");
        status.figures().forEach(figures::put);
      } else if (status.state() != FeatureState.OFF && !status.reason().isEmpty()) {
        troubles
            .addObject()
            .put("place", each.daemon().place())
            .put("state", status.state().words())
            .put("reason", status.reason());
      }
    }
  }
}
