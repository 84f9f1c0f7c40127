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
import java.util.Set;
import java.util.TreeSet;

/**
 * Three disks on three nodes, of which each two share a superchunk. Losing them is the hardest case
 * for three disks: three superchunks without a replica, and three Lstors to rebuild them from.
 *
 * @param disks the disks
 * @param superchunks ids of what they share
 * @param filled how many of these hold blocks
 * @param blocks blocks in these
 * @param freeUnits free allocation units in these
 */
record DiskTriangle(
    List<Disk> disks, List<Long> superchunks, int filled, long blocks, long freeUnits) {
  /**
   * A disk.
   *
   * @param id as the manager calls it
   * @param node address of its DataNode
   * @param path where it is on this machine
   */
  record Disk(String id, String node, String path) {}

  /** A superchunk of two disks. */
  private record Shared(long id, Set<String> disks, long blocks, long freeUnits) {
    static Shared of(JsonNode superchunk) {
      JsonNode a = superchunk.at("/replicas/0");
      JsonNode b = superchunk.at("/replicas/1");
      return new Shared(
          superchunk.path("id").asLong(),
          new TreeSet<>(superchunk.path("replicas").findValuesAsText("disk")),
          Math.min(a.path("blocks").asLong(), b.path("blocks").asLong()),
          Math.max(a.path("freeUnits").asLong(), b.path("freeUnits").asLong()));
    }
  }

  DiskTriangle {
    disks = List.copyOf(disks);
    superchunks = List.copyOf(superchunks);
  }

  /**
   * The three disks that share the fullest superchunks: losing them loses most.
   *
   * @param minFilled how many of the three superchunks hold blocks at least
   * @param layout answer of {@code raidp -layout -json}
   * @param status answer of {@code raidp -status -json}
   * @return none when no three disks share superchunks pairwise that are whole and hold blocks
   */
  static Optional<DiskTriangle> fullest(JsonNode layout, JsonNode status, int minFilled) {
    Map<String, Disk> disks = disks(status);
    List<Shared> all = new ArrayList<>();
    for (JsonNode superchunk : layout.path("superchunks")) {
      Shared shared = Shared.of(superchunk);
      if (superchunk.path("state").asText().equals("ACTIVE")
          && disks.keySet().containsAll(shared.disks())) {
        all.add(shared);
      }
    }
    List<DiskTriangle> found = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      for (int j = i + 1; j < all.size(); j++) {
        for (int k = j + 1; k < all.size(); k++) {
          triangle(disks, List.of(all.get(i), all.get(j), all.get(k)))
              .filter(each -> each.filled() >= minFilled)
              .ifPresent(found::add);
        }
      }
    }
    return found.stream()
        .min(
            Comparator.comparingInt(DiskTriangle::filled)
                .reversed()
                .thenComparingLong(DiskTriangle::freeUnits));
  }

  private static Map<String, Disk> disks(JsonNode status) {
    Map<String, Disk> disks = new HashMap<>();
    for (JsonNode node : status.path("nodes")) {
      String address = node.path("host").asText() + ":" + node.path("xferPort").asInt();
      for (JsonNode disk : node.path("disks")) {
        String id = disk.path("id").asText();
        disks.put(id, new Disk(id, address, disk.path("path").asText()));
      }
    }
    return disks;
  }

  /** Three different pairs of three disks are each two of them. */
  private static Optional<DiskTriangle> triangle(Map<String, Disk> disks, List<Shared> sides) {
    Set<String> corners = new TreeSet<>();
    sides.forEach(side -> corners.addAll(side.disks()));
    if (corners.size() != 3 || sides.stream().map(Shared::disks).distinct().count() != 3) {
      return Optional.empty();
    }
    return Optional.of(
        new DiskTriangle(
            corners.stream().map(disks::get).toList(),
            sides.stream().map(Shared::id).toList(),
            (int) sides.stream().filter(side -> side.blocks() > 0).count(),
            sides.stream().mapToLong(Shared::blocks).sum(),
            sides.stream().mapToLong(Shared::freeUnits).sum()));
  }

  /**
   * Health of a disk as the manager sees it: USABLE, HELD, DEAD; UNKNOWN when nobody reports it.
   */
  static String health(JsonNode status, Disk disk) {
    for (JsonNode entry : status.path("nodes").findParents("health")) {
      if (entry.path("id").asText().equals(disk.id())) {
        return entry.path("health").asText();
      }
    }
    return "UNKNOWN";
  }
}
