/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** Tells from {@code hdfs raidp -status -json} what is missing until all frames have reported. */
final class RaidpReadiness {
  private final AdminCommand admin;

  RaidpReadiness(Configuration conf) {
    this.admin = new AdminCommand(conf);
  }

  /**
   * What is missing until so many nodes and frames have reported to the manager, and none is late.
   */
  Optional<String> missing(int dataNodes, int frames) {
    try {
      JsonNode status = admin.json("raidp -status -json");
      int nodes = 0;
      for (JsonNode node : status.path("nodes")) {
        nodes += node.path("silence").asText().equals("NONE") ? 1 : 0;
      }
      int live = status.path("frames").path("live").asInt();
      return nodes >= dataNodes && live >= frames
          ? Optional.empty()
          : Optional.of(
              nodes
                  + " of "
                  + dataNodes
                  + " nodes and "
                  + live
                  + " of "
                  + frames
                  + " frames have reported to the RAIDP manager");
    } catch (IOException e) {
      return Optional.of("the RAIDP manager does not answer (" + e.getMessage() + ")");
    }
  }

  /**
   * Pairs all frames that have no superchunk.
   *
   * @throws IOException when the manager refuses
   */
  void applyLayout() throws IOException {
    admin.json("raidp -layout -apply -json");
  }

  /**
   * Marks a directory whose new files are to be protected.
   *
   * @throws IOException when the manager refuses
   */
  void protect(String path) throws IOException {
    admin.json("raidp -protect %s -json", path);
  }

  /** What is missing until all superchunks are known to their frames and take new blocks. */
  Optional<String> layoutMissing() {
    try {
      JsonNode status = admin.json("raidp -status -json");
      int outstanding = status.path("assignmentsOutstanding").asInt();
      int total = status.path("superchunks").path("total").asInt();
      int usable = status.path("superchunks").path("usable").asInt();
      return outstanding == 0 && total > 0 && usable == total
          ? Optional.empty()
          : Optional.of(
              usable
                  + " of "
                  + total
                  + " superchunks are usable, "
                  + outstanding
                  + " assignments are outstanding");
    } catch (IOException e) {
      return Optional.of("the RAIDP manager does not answer (" + e.getMessage() + ")");
    }
  }

  /** What is missing until the manager holds the disk with that root for dead. */
  Optional<String> diskFailureMissing(Path root) {
    try {
      for (JsonNode node : admin.json("raidp -status -json").path("nodes")) {
        for (JsonNode disk : node.path("disks")) {
          String health = disk.path("health").asText();
          if (disk.path("path").asText().equals(root.toString()) && !health.equals("DEAD")) {
            return Optional.of("the manager holds the disk " + root + " for " + health);
          }
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("the RAIDP manager does not answer (" + e.getMessage() + ")");
    }
  }

  /** What is missing until the manager has heard from a node that was started. */
  Optional<String> nodeMissing(String host, int transferPort, int frames) {
    try {
      JsonNode status = admin.json("raidp -status -json");
      for (JsonNode node : status.path("nodes")) {
        if (node.path("host").asText().equals(host)
            && node.path("xferPort").asInt() == transferPort
            && node.path("silence").asText().equals("NONE")) {
          int reported = 0;
          for (JsonNode disk : node.path("disks")) {
            reported +=
                disk.path("health").asText().equals("USABLE") ? disk.path("frames").asInt() : 0;
          }
          return reported >= frames
              ? Optional.empty()
              : Optional.of(reported + " of " + frames + " frames of " + host + " are usable");
        }
      }
      return Optional.of("the node " + host + " has not reported to the RAIDP manager");
    } catch (IOException e) {
      return Optional.of("the RAIDP manager does not answer (" + e.getMessage() + ")");
    }
  }
}
