/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import io.hdfsparity.caso.correlation.CorrelationGraph;
import io.hdfsparity.caso.correlation.GraphBuilder;
import io.hdfsparity.core.trace.TraceVolume;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.SequenceFile;

/** Reads what jobs have written. Stateless, thread-safe. */
final class JobFiles {
  private JobFiles() {}

  private static List<Path> parts(Configuration conf, Path folder) throws IOException {
    FileSystem fs = folder.getFileSystem(conf);
    List<Path> parts = new ArrayList<>();
    for (FileStatus each : fs.listStatus(folder)) {
      if (each.getPath().getName().startsWith("part-")) {
        parts.add(each.getPath());
      }
    }
    return parts;
  }

  /** Keys of the cell count, ascending. */
  static long[] cells(Configuration conf, Path folder) throws IOException {
    long[] cells = new long[64];
    int size = 0;
    LongWritable cell = new LongWritable();
    IntWritable count = new IntWritable();
    for (Path part : parts(conf, folder)) {
      try (SequenceFile.Reader reader = reader(conf, part)) {
        while (reader.next(cell, count)) {
          if (size == cells.length) {
            cells = Arrays.copyOf(cells, Math.multiplyExact(2, size));
          }
          cells[size++] = cell.get();
        }
      }
    }
    long[] sorted = Arrays.copyOf(cells, size);
    Arrays.sort(sorted);
    return sorted;
  }

  private record Edge(int low, int high, int degree) {}

  /**
   * The graph of the pair count.
   *
   * @param cells all that can be correlated, ascending
   * @throws IllegalStateException if there are more than {@code maxPairs}
   */
  static CorrelationGraph graph(
      Configuration conf, Path folder, long[] cells, int maxPairs, long leftOutWindows)
      throws IOException {
    List<Edge> edges = new ArrayList<>();
    Pair pair = new Pair();
    IntWritable degree = new IntWritable();
    for (Path part : parts(conf, folder)) {
      try (SequenceFile.Reader reader = reader(conf, part)) {
        while (reader.next(pair, degree)) {
          if (edges.size() == maxPairs) {
            throw GraphBuilder.tooMany(maxPairs + 1L, maxPairs);
          }
          edges.add(
              new Edge(
                  Arrays.binarySearch(cells, pair.low()),
                  Arrays.binarySearch(cells, pair.high()),
                  degree.get()));
        }
      }
    }
    // Each part is in order already; the sort merges them.
    edges.sort(Comparator.comparingInt(Edge::low).thenComparingInt(Edge::high));
    GraphBuilder graph = new GraphBuilder(cells, maxPairs);
    edges.forEach(edge -> graph.add(edge.low(), edge.high(), edge.degree()));
    return graph.build(leftOutWindows);
  }

  /**
   * Notes the volumes that a task has seen, a line each.
   *
   * @param task name of the file
   */
  static void writeVolumes(Configuration conf, String task, Set<TraceVolume> volumes)
      throws IOException {
    if (volumes.isEmpty()) {
      return;
    }
    Path file = new Path(conf.get(JobKeys.VOLUMES, ""), task);
    try (OutputStream out = file.getFileSystem(conf).create(file)) {
      for (TraceVolume volume : volumes) {
        out.write((volume + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  /** What all tasks have noted, those included that were made twice. */
  static Set<String> volumes(Configuration conf) throws IOException {
    Path folder = new Path(conf.get(JobKeys.VOLUMES, ""));
    FileSystem fs = folder.getFileSystem(conf);
    Set<String> volumes = new TreeSet<>();
    if (fs.exists(folder)) {
      for (FileStatus each : fs.listStatus(folder)) {
        try (InputStream in = fs.open(each.getPath())) {
          new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(volumes::add);
        }
      }
    }
    return volumes;
  }

  private static SequenceFile.Reader reader(Configuration conf, Path part) throws IOException {
    return new SequenceFile.Reader(conf, SequenceFile.Reader.file(part));
  }
}
