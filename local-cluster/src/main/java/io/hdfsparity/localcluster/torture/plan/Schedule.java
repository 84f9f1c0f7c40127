/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * All that a run does by choice: its faults, and the seed from which each client draws its
 * operations. The same schedule gives the same faults in the same order and, for each client, the
 * same operations in the same order; how both interleave is up to the machine. Immutable.
 *
 * <p><b>Invariant.</b> No episode takes more DataNodes away than the features survive, nor one of
 * them twice, and at most one fault is of no DataNode.
 *
 * @param seed of all that is drawn
 * @param minutes how long clients work, in minutes
 * @param features what is tortured
 * @param nodes number of DataNodes
 * @param episodes in their order
 */
public record Schedule(
    long seed, int minutes, Set<Feature> features, int nodes, List<Episode> episodes) {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  public Schedule {
    features = Collections.unmodifiableSet(new TreeSet<>(features));
    episodes = List.copyOf(episodes);
    for (Episode episode : episodes) {
      requireSurvivable(episode, Feature.maxAway(features), nodes);
    }
  }

  private static void requireSurvivable(Episode episode, int maxAway, int nodes) {
    Set<Integer> away = new HashSet<>();
    int ofDataNodes = 0;
    for (Fault fault : episode.faults()) {
      if (fault.kind().takesDataNode()) {
        ofDataNodes++;
        away.add(fault.node());
      }
    }
    boolean isSurvivable =
        ofDataNodes == away.size()
            && ofDataNodes <= maxAway
            && away.stream().allMatch(node -> node >= 0 && node < nodes)
            && episode.faults().size() - ofDataNodes <= 1;
    if (episode.faults().isEmpty() || !isSurvivable) {
      throw new IllegalArgumentException(
          ErrorMessage.to("run a schedule")
              .value("faults", episode.faults().stream().map(Fault::describe).toList())
              .expected(
                  "1 to "
                      + maxAway
                      + " different DataNodes of "
                      + nodes
                      + ", and at most one fault of others")
              .where("beginMs", episode.beginMs())
              .message());
    }
  }

  /** Whether any episode has such a fault. */
  public boolean has(FaultKind kind) {
    return episodes.stream()
        .flatMap(episode -> episode.faults().stream())
        .anyMatch(fault -> fault.kind() == kind);
  }

  /** What a client draws its operations from: always the same for the same name. */
  public SplittableRandom random(String client) {
    return new SplittableRandom(seed * 31 + client.hashCode());
  }

  /** How long clients work, in milliseconds. */
  public long durationMs() {
    return minutes * 60_000L;
  }

  /** As JSON. */
  public String toJson() throws IOException {
    return JSON.writeValueAsString(this) + "\n";
  }

  /**
   * Reads a schedule.
   *
   * @throws IOException if it is none, or has an episode that the features do not survive
   */
  public static Schedule load(Path file) throws IOException {
    try {
      return JSON.readValue(Files.readString(file), Schedule.class);
    } catch (JsonProcessingException e) {
      throw new IOException(
          ErrorMessage.to("read a schedule")
              .value("reason", e.getOriginalMessage())
              .expected("a file schedule.json of an earlier run")
              .file(file)
              .message(),
          e);
    }
  }
}
