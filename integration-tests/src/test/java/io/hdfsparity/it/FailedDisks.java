/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.OutputStream;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Files of all kinds on a cluster of RAIDP, and disks of it that fail and are recovered. */
final class FailedDisks {
  private FailedDisks() {}

  static Map<String, byte[]> fill(MiniRaidp raidp, long seed, int blockBytes) throws Exception {
    Random random = new Random(seed);
    DistributedFileSystem fs = raidp.fs();
    Map<String, byte[]> files = new TreeMap<>();
    for (int i = 0; i < 40; i++) {
      String name = "/d/" + i;
      byte[] content = MiniRaidp.bytes(seed * 100 + i, random.nextInt(2 * blockBytes));
      raidp.write(name, content);
      files.put(name, content);
    }
    for (int i = 0; i < 10; i++) {
      String name = "/d/" + i;
      byte[] more = MiniRaidp.bytes(seed + i, 1 + random.nextInt(blockBytes / 2));
      try (OutputStream out = fs.append(new Path(name))) {
        out.write(more);
      }
      byte[] all = java.util.Arrays.copyOf(files.get(name), files.get(name).length + more.length);
      System.arraycopy(more, 0, all, all.length - more.length, more.length);
      files.put(name, all);
    }
    for (int i = 10; i < 14; i++) {
      String name = "/d/" + i;
      int keep = files.get(name).length / 2;
      if (keep < files.get(name).length) {
        fs.truncate(new Path(name), keep);
        files.put(name, java.util.Arrays.copyOf(files.get(name), keep));
      }
    }
    // Together: each waits for a heartbeat.
    for (int i = 10; i < 14; i++) {
      String name = "/d/" + i;
      MiniRaidp.await("truncate").until(() -> fs.isFileClosed(new Path(name)));
    }
    MiniRaidp.await("all replicas").until(() -> Soundness.allBlocksHaveTwoReplicas(raidp));
    for (int i = 20; i < 26; i++) {
      fs.delete(new Path("/d/" + i), false);
      files.remove("/d/" + i);
    }
    return files;
  }

  /** Of all superchunks that have a replica on one of the nodes. */
  static Set<String> superchunksOf(MiniRaidp raidp, Set<Integer> nodes) throws Exception {
    Set<String> ids = new TreeSet<>();
    for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
      for (JsonNode replica : chunk.path("replicas")) {
        if (nodes.contains(nodeIndex(replica))) {
          ids.add(chunk.path("id").asText());
        }
      }
    }
    return ids;
  }

  /** A node, and one with which its disk shares a superchunk. */
  static Set<Integer> pairWith(MiniRaidp raidp, int node) throws Exception {
    for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
      Set<Integer> pair = new TreeSet<>();
      chunk.path("replicas").forEach(replica -> pair.add(nodeIndex(replica)));
      if (pair.size() == 2 && pair.contains(node)) {
        return pair;
      }
    }
    throw new AssertionError("No superchunk with node " + node);
  }

  static void failAndRecover(MiniRaidp raidp, Map<String, byte[]> files, Integer... nodes)
      throws Exception {
    failAndRecover(raidp, nodes);
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertThat(raidp.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
    }
    JsonNode after = raidp.admin("-status", "-json").json().path("furtherFailures");
    assertThat(after.path("disks")).as(after.toString()).isEmpty();
    Soundness.assertSound(raidp);
  }

  /** The first disk of each node fails; what was on them is recovered. */
  static void failAndRecover(MiniRaidp raidp, Integer... nodes) throws Exception {
    Set<String> hit = superchunksOf(raidp, Set.of(nodes));
    assertThat(hit).isNotEmpty();
    for (int node : nodes) {
      raidp.failDisk(node, 0);
    }
    // All of them: a failure that becomes known when the recovery is over is not recovered by it.
    MiniRaidp.await("failures noticed")
        .until(
            () -> {
              JsonNode chunks = raidp.admin("-layout", "-json").json().path("superchunks");
              boolean known = !chunks.isEmpty();
              for (JsonNode chunk : chunks) {
                known &=
                    !hit.contains(chunk.path("id").asText())
                        || !chunk.path("state").asText().equals("ACTIVE");
              }
              return known;
            });
    JsonNode further = raidp.admin("-status", "-json").json().path("furtherFailures");
    assertThat(further.path("cannotBeComputed")).as(further.toString()).isEmpty();
    for (JsonNode disk : further.path("disks")) {
      assertThat(raidp.admin("-status").out())
          .contains("Disk " + disk.path("disk").asText() + " must not fail now");
    }
    MiniRaidp.Printed recovered = raidp.admin("-recover", "-progress", "-json");
    assertThat(recovered.exitCode()).as(recovered.toString()).isZero();
  }

  static int nodeIndex(JsonNode replica) {
    return nodeIndex(replica.path("node").asText());
  }

  static int nodeIndex(String hostName) {
    return Integer.parseInt(hostName.replaceAll("^host([0-9]+)\\..*", "$1"));
  }
}
