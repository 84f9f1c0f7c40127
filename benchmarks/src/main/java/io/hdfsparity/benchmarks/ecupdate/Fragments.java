/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.ecupdate.admin.EcUpdateAdmin;
import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Jumps of a disk that it takes to read a chunk as it is now (the paper's Table 3), by FIEMAP:
 * those inside its block file, one for each change of it that lies in the log only, and those to
 * and inside its reserved space where that has changes.
 */
final class Fragments {
  private Fragments() {}

  /**
   * Of a chunk.
   *
   * @param block where its block file lies
   * @param inLog changes that are in the log only; they lie between those of other chunks
   * @param reserved where its reserved space lies, if that has changes
   */
  static int of(Extents block, long inLog, Optional<Extents> reserved) {
    int beside = reserved.map(extents -> extents.parts().size()).orElse(0);
    return Math.toIntExact(block.jumps() + inLog + beside);
  }

  /**
   * Means over all chunks of a cluster; not numbers where the file system does not tell, which is
   * said once.
   *
   * @param updateBytes of a change
   */
  static Map<String, Double> measure(LocalCluster cluster, int dataUnits, long updateBytes)
      throws IOException {
    JsonNode status = command(cluster, "-status", "-replicas", "-json");
    Map<String, Path> files = new HashMap<>();
    for (int node = 0; node < cluster.spec().nodes(); node++) {
      try (var all = Files.walk(new ClusterPaths(cluster.dir()).diskRoot(node, 0))) {
        all.filter(file -> file.getFileName().toString().matches("blk_[-0-9]+(\\.plr)?"))
            .forEach(file -> files.put(file.getFileName().toString(), file));
      }
    }
    double[] sums = new double[2];
    int[] counts = new int[2];
    for (JsonNode replica : status.findParents("overlayBytes")) {
      if (!replica.has("block")) {
        continue;
      }
      String name = "blk_" + replica.path("block").asText();
      Optional<Extents> block = extents(files.get(name));
      if (block.isEmpty()) {
        System.out.println(
            "No fragments: the file system of " + files.get(name) + " has no FIEMAP");
        return Map.of();
      }
      Optional<Extents> reserved =
          replica.path("reservedUsedBytes").asLong() > 0
              ? extents(files.get(name + ".plr"))
              : Optional.empty();
      long inLog = (replica.path("overlayBytes").asLong() + updateBytes - 1) / updateBytes;
      int kind = replica.path("unit").asInt() < dataUnits ? 0 : 1;
      sums[kind] += of(block.get(), inLog, reserved);
      counts[kind]++;
    }
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("F data", sums[0] / counts[0]);
    figures.put("F parity", sums[1] / counts[1]);
    return figures;
  }

  private static Optional<Extents> extents(Path file) {
    return file == null ? Optional.empty() : Fiemap.of(file);
  }

  /**
   * Runs {@code hdfs ecupdate}.
   *
   * @return the document that it prints
   * @throws IOException when it fails
   */
  static JsonNode command(LocalCluster cluster, String... arguments) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PrintStream text = new PrintStream(out, false, StandardCharsets.UTF_8)) {
      int exit =
          new EcUpdateAdmin(cluster.conf(), InputStream.nullInputStream(), text, System.err)
              .run(arguments);
      text.flush();
      if (exit != 0) {
        throw new IOException(
            "Cannot measure: ecupdate " + List.of(arguments) + " exit=" + exit + ", expected 0");
      }
    }
    return new ObjectMapper().readTree(out.toByteArray());
  }
}
