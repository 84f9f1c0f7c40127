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
 * Two disks that share a superchunk.
 *
 * @param superchunk its id
 * @param blocks blocks in it
 * @param freeUnits free allocation units in it
 * @param first a disk
 * @param second the other one, on another node
 */
record DiskPair(long superchunk, long blocks, long freeUnits, Disk first, Disk second) {
  /**
   * A disk.
   *
   * @param id as the manager calls it
   * @param node address of its DataNode
   * @param path where it is on this machine
   */
  record Disk(String id, String node, String path) {}

  /** Both. */
  List<Disk> disks() {
    return List.of(first, second);
  }

  /**
   * The two disks of the fullest superchunk: losing both loses most.
   *
   * @param layout answer of {@code raidp -layout -json}
   * @param status answer of {@code raidp -status -json}
   * @return none when no superchunk is whole and holds blocks
   */
  static Optional<DiskPair> fullest(JsonNode layout, JsonNode status) {
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
    List<DiskPair> pairs = new ArrayList<>();
    for (JsonNode superchunk : layout.path("superchunks")) {
      JsonNode a = superchunk.path("replicas").path(0);
      JsonNode b = superchunk.path("replicas").path(1);
      Disk first = disks.get(a.path("disk").asText());
      Disk second = disks.get(b.path("disk").asText());
      long blocks = Math.min(a.path("blocks").asLong(), b.path("blocks").asLong());
      if (superchunk.path("state").asText().equals("ACTIVE")
          && first != null
          && second != null
          && blocks > 0) {
        pairs.add(
            new DiskPair(
                superchunk.path("id").asLong(),
                blocks,
                Math.max(a.path("freeUnits").asLong(), b.path("freeUnits").asLong()),
                first,
                second));
      }
    }
    return pairs.stream().min(Comparator.comparingLong(DiskPair::freeUnits));
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
