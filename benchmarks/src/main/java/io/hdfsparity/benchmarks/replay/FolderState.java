/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.ecupdate.admin.EcUpdateAdmin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** What {@code hdfs ecupdate -status} says of a folder's replicas. Immutable. */
record FolderState(
    long parityReplicas, long reservedBytes, long reservedUsedBytes, long overlayBytes) {
  /**
   * Asks.
   *
   * @param dataUnits of the folder's policy: units behind these are parity
   * @throws IOException if the command fails
   */
  static FolderState read(Configuration conf, String path, int dataUnits) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int exit;
    try (PrintStream stream = new PrintStream(out, false, StandardCharsets.UTF_8)) {
      exit =
          new EcUpdateAdmin(conf, InputStream.nullInputStream(), stream, System.err)
              .run(new String[] {"-status", path, "-json"});
    }
    if (exit != 0) {
      throw new IOException(
          "Cannot measure: ecupdate -status exit="
              + exit
              + ", expected 0: "
              + out.toString(StandardCharsets.UTF_8));
    }
    long parity = 0;
    long reserved = 0;
    long used = 0;
    long overlay = 0;
    JsonNode doc = new ObjectMapper().readTree(out.toByteArray());
    for (JsonNode node : doc.path("nodes")) {
      for (JsonNode storage : node.path("storages")) {
        for (JsonNode replica : storage.path("replicas")) {
          overlay += replica.path("overlayBytes").asLong();
          if (replica.path("unit").asInt() >= dataUnits) {
            parity++;
            reserved += Math.max(0, replica.path("reservedBytes").asLong());
            used += replica.path("reservedUsedBytes").asLong();
          }
        }
      }
    }
    return new FolderState(parity, reserved, used, overlay);
  }

  Map<String, Double> figures() {
    Map<String, Double> figures = new LinkedHashMap<>();
    double replicas = Math.max(1, parityReplicas);
    figures.put("reserved KB/parity replica", reservedBytes / replicas / 1024);
    figures.put("deltas KB/parity replica", reservedUsedBytes / replicas / 1024);
    figures.put("in log only KB", overlayBytes / 1024.0);
    return figures;
  }
}
