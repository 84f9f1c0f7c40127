/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.dfsio;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one run of one contender measured.
 *
 * @param contender its name
 * @param round 0 for the first
 * @param write writing all files
 * @param settledSeconds from the end of that until the machine was idle: parity that came later,
 *     write-back
 * @param read reading them, from an idle machine on
 * @param rewrite writing the same files again, so that old blocks are deleted meanwhile, from an
 *     idle machine on
 * @param cost of the write
 * @param compilingShare share of the machine's processors that compilers of DataNodes took when the
 *     last warm-up wrote
 */
record Sample(
    String contender,
    int round,
    DfsioJob.Speed write,
    double settledSeconds,
    DfsioJob.Speed read,
    DfsioJob.Speed rewrite,
    Cost cost,
    double compilingShare) {

  /**
   * What writing took.
   *
   * @param receivedBytesPerByte bytes of blocks that DataNodes received from clients and each
   *     other, a byte written, as their metrics have it: replicas without packet headers and
   *     control traffic
   * @param networkBytesPerByte bytes that crossed the wire between nodes (replicas, checksums,
   *     headers, acknowledgements, heartbeats, RAIDP's own calls), a byte written; 0 when not
   *     counted
   * @param processorSecondsPerGiB seconds of one processor that the whole machine worked for a GiB
   *     written, from the job's start until the machine was idle: clients, DataNodes, parity
   */
  record Cost(
      double receivedBytesPerByte, double networkBytesPerByte, double processorSecondsPerGiB) {}

  /** As in a result file. */
  @JsonValue
  Map<String, Object> flat() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("contender", contender);
    json.put("round", round);
    json.put("write", write);
    json.put("settledSeconds", settledSeconds);
    json.put("read", read);
    json.put("rewrite", rewrite);
    json.put("receivedBytesPerByte", cost.receivedBytesPerByte());
    json.put("networkBytesPerByte", cost.networkBytesPerByte());
    json.put("processorSecondsPerGiB", cost.processorSecondsPerGiB());
    json.put("compilingShare", compilingShare);
    return json;
  }

  /** From a result file, where the parts of the cost are beside the others. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static Sample of(JsonNode json) throws JsonProcessingException {
    ObjectMapper mapper = new ObjectMapper();
    return new Sample(
        json.path("contender").asText(),
        json.path("round").asInt(),
        mapper.treeToValue(json.path("write"), DfsioJob.Speed.class),
        json.path("settledSeconds").asDouble(),
        mapper.treeToValue(json.path("read"), DfsioJob.Speed.class),
        mapper.treeToValue(json.path("rewrite"), DfsioJob.Speed.class),
        new Cost(
            json.path("receivedBytesPerByte").asDouble(),
            json.path("networkBytesPerByte").asDouble(),
            json.path("processorSecondsPerGiB").asDouble()),
        json.path("compilingShare").asDouble());
  }
}
