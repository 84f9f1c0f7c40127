/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Three disks on three nodes, of which each two share a superchunk. Losing them is the hardest case
 * for three disks: three superchunks without a replica, and three Lstors to rebuild them from.
 *
 * @param disks the disks
 * @param superchunks ids of what they share
 * @param blocks blocks in these
 * @param freeUnits free allocation units in these
 */
record DiskTriangle(List<Disk> disks, List<Long> superchunks, long blocks, long freeUnits) {
  /**
   * A disk.
   *
   * @param id as the manager calls it
   * @param node address of its DataNode
   * @param path where it is on this machine
   */
  record Disk(String id, String node, String path) {}

  /** A superchunk of two disks. */
  private record Shared(long id, String first, String second, long blocks, long freeUnits) {
    private String other(String disk) {
      return disk.equals(first) ? second : first;
    }

    private boolean has(String disk) {
      return disk.equals(first) || disk.equals(second);
    }
  }

  DiskTriangle {
    disks = List.copyOf(disks);
    superchunks = List.copyOf(superchunks);
  }

  /**
   * The three disks that share the fullest superchunks: losing them loses most.
   *
   * @param layout answer of {@code raidp -layout -json}
   * @param status answer of {@code raidp -status -json}
   * @return none when no three disks share superchunks pairwise that are whole and hold blocks
   */
  static Optional<DiskTriangle> fullest(JsonNode layout, JsonNode status) {
    Map<String, Disk> disks = disks(status);
    List<Shared> all = new ArrayList<>();
    for (JsonNode superchunk : layout.path("superchunks")) {
      Shared shared = shared(superchunk);
      if (superchunk.path("state").asText().equals("ACTIVE")
          && disks.containsKey(shared.first())
          && disks.containsKey(shared.second())
          && shared.blocks() > 0) {
        all.add(shared);
      }
    }
    List<DiskTriangle> found = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      for (int j = i + 1; j < all.size(); j++) {
        for (int k = j + 1; k < all.size(); k++) {
          triangle(disks, List.of(all.get(i), all.get(j), all.get(k))).ifPresent(found::add);
        }
      }
    }
    return found.stream().min(Comparator.comparingLong(DiskTriangle::freeUnits));
  }

  private static Map<String, Disk> disks(JsonNode status) {
    Map<String, Disk> disks = new HashMap<>();
    for (JsonNode node : status.path("nodes")) {
      for (JsonNode disk : node.path("disks")) {
        disks.put(
            disk.path("id").asText(),
            new Disk(
                disk.path("id").asText(),
                node.path("host").asText() + ":" + node.path("xferPort").asInt(),
                disk.path("path").asText()));
      }
    }
    return disks;
  }

  private static Shared shared(JsonNode superchunk) {
    JsonNode a = superchunk.path("replicas").path(0);
    JsonNode b = superchunk.path("replicas").path(1);
    return new Shared(
        superchunk.path("id").asLong(),
        a.path("disk").asText(),
        b.path("disk").asText(),
        Math.min(a.path("blocks").asLong(), b.path("blocks").asLong()),
        Math.max(a.path("freeUnits").asLong(), b.path("freeUnits").asLong()));
  }

  private static Optional<DiskTriangle> triangle(Map<String, Disk> disks, List<Shared> sides) {
    Shared ab = sides.get(0);
    Shared ac = sides.get(1);
    Shared bc = sides.get(2);
    String a = ac.has(ab.first()) ? ab.first() : ab.second();
    if (!ac.has(a) || !bc.has(ab.other(a)) || !bc.has(ac.other(a))) {
      return Optional.empty();
    }
    return Optional.of(
        new DiskTriangle(
            List.of(disks.get(a), disks.get(ab.other(a)), disks.get(ac.other(a))),
            sides.stream().map(Shared::id).toList(),
            sides.stream().mapToLong(Shared::blocks).sum(),
            sides.stream().mapToLong(Shared::freeUnits).sum()));
  }

  /**
   * Health of a disk as the manager sees it: USABLE, HELD, DEAD; UNKNOWN when nobody reports it.
   */
  static String health(JsonNode status, Disk disk) {
    for (JsonNode node : status.path("nodes")) {
      for (JsonNode entry : node.path("disks")) {
        if (entry.path("id").asText().equals(disk.id())) {
          return entry.path("health").asText();
        }
      }
    }
    return "UNKNOWN";
  }
}
