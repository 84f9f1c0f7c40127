/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.raidp.lstor.FrameRow;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What lies on the disks of a cluster of processes and in their Lstors, seen from outside, whether
 * or not the processes run: finalized replicas, rows, and parities that differ from what is
 * recomputed.
 *
 * @param replicas by block
 * @param rows by block
 * @param problems of parities and of replicas whose bytes differ
 */
record StoredBlocks(
    Map<Long, List<Replica>> replicas, Map<Long, List<Row>> rows, List<String> problems) {
  private static final Pattern META = Pattern.compile("blk_([0-9]+)_([0-9]+)\\.meta");

  /** A finalized replica; path of its data. */
  record Replica(int node, long generationStamp, long bytes, Path data) {}

  /** A slot row; the superchunk is that of its frame. */
  record Row(int node, SlotState state, long generationStamp, long coveredBytes, long superchunk) {}

  /** A block as the NameNode knows it. */
  record FileBlock(String path, long id, long generationStamp, long bytes) {}

  /**
   * Looks.
   *
   * @throws IOException also because something changes meanwhile
   */
  static StoredBlocks of(ProcessCluster processes) throws IOException {
    Map<Long, List<Replica>> replicas = new HashMap<>();
    Map<Long, List<Row>> rows = new HashMap<>();
    List<String> problems = new ArrayList<>();
    for (Map.Entry<Integer, ParityTwin.Verdict> each : processes.verdicts().entrySet()) {
      int node = each.getKey();
      problems.addAll(each.getValue().problems());
      Map<Integer, Long> superchunks = new HashMap<>();
      for (FrameRow frame : each.getValue().frames()) {
        superchunks.put(frame.frameIndex(), frame.isAssigned() ? frame.superchunkId() : -1);
      }
      for (SlotEntry row : each.getValue().rows()) {
        rows.computeIfAbsent(row.blockId(), id -> new ArrayList<>())
            .add(
                new Row(
                    node,
                    row.state(),
                    row.generationStamp(),
                    row.coveredBytes(),
                    superchunks.getOrDefault(row.frameIndex(), -1L)));
      }
      for (Path file : LiveFiles.under(processes.diskRoot(node))) {
        Matcher meta = META.matcher(file.getFileName().toString());
        if (meta.matches() && file.toString().contains("/finalized/")) {
          Path data = file.resolveSibling("blk_" + meta.group(1));
          replicas
              .computeIfAbsent(Long.valueOf(meta.group(1)), id -> new ArrayList<>())
              .add(new Replica(node, Long.parseLong(meta.group(2)), Files.size(data), data));
        }
      }
    }
    for (Map.Entry<Long, List<Replica>> each : replicas.entrySet()) {
      Replica first = each.getValue().get(0);
      for (Replica other : each.getValue()) {
        if (other.generationStamp() == first.generationStamp()
            && Files.mismatch(first.data(), other.data()) >= 0) {
          problems.add("replicas differ: " + first + " and " + other);
        }
      }
    }
    return new StoredBlocks(replicas, rows, problems);
  }

  /** Nodes with a whole replica. */
  private Set<Integer> nodesOf(FileBlock block) {
    Set<Integer> nodes = new HashSet<>();
    for (Replica replica : replicas.getOrDefault(block.id(), List.of())) {
      if (replica.generationStamp() == block.generationStamp()
          && replica.bytes() == block.bytes()) {
        nodes.add(replica.node());
      }
    }
    return nodes;
  }

  /** Nodes with a whole replica that the node's parity covers to its end, by superchunk. */
  private Map<Long, Set<Integer>> coveringNodesOf(FileBlock block) {
    Set<Integer> whole = nodesOf(block);
    Map<Long, Set<Integer>> covering = new HashMap<>();
    for (Row row : rows.getOrDefault(block.id(), List.of())) {
      if (row.state() == SlotState.LIVE
          && row.coveredBytes() == block.bytes()
          && row.generationStamp() == block.generationStamp()
          && row.superchunk() >= 0
          && whole.contains(row.node())) {
        covering.computeIfAbsent(row.superchunk(), id -> new HashSet<>()).add(row.node());
      }
    }
    return covering;
  }

  /** Whether both sides of a superchunk have the block and its parity. */
  boolean isCovered(FileBlock block) {
    return coveringNodesOf(block).values().stream().anyMatch(nodes -> nodes.size() == 2);
  }

  /** Blocks that neither lie on three nodes, nor on two with both parities. */
  List<String> unsafe(List<FileBlock> blocks) {
    List<String> unsafe = new ArrayList<>(problems);
    for (FileBlock block : blocks) {
      if (!isCovered(block) && nodesOf(block).size() < 3) {
        unsafe.add(describe(block));
      }
    }
    return unsafe;
  }

  /** Blocks that do not lie in a superchunk, on its two disks and no other. */
  List<String> notAdopted(List<FileBlock> blocks) {
    List<String> not = new ArrayList<>(problems);
    for (FileBlock block : blocks) {
      if (!isCovered(block)
          || replicas.get(block.id()).size() != 2
          || rows.get(block.id()).size() != 2) {
        not.add(describe(block));
      }
    }
    return not;
  }

  private String describe(FileBlock block) {
    return block
        + " replicas="
        + replicas.getOrDefault(block.id(), List.of())
        + " rows="
        + rows.getOrDefault(block.id(), List.of());
  }

  /** How far the adoption of a block has come, in one word. */
  String step(FileBlock block) {
    List<Row> its = rows.getOrDefault(block.id(), List.of());
    if (its.isEmpty()) {
      return "no-row";
    }
    if (isCovered(block)) {
      return "covered-" + nodesOf(block).size();
    }
    String states = String.join("+", its.stream().map(row -> row.state().name()).sorted().toList());
    return its.stream()
            .anyMatch(row -> row.coveredBytes() > 0 && row.coveredBytes() < block.bytes())
        ? states + "-growing"
        : states;
  }
}
