/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** Tells from {@code hdfs raidp -status -json} what is missing until all disks and Lstors have reported. */
final class RaidpReadiness {
  private final RaidpCommand command;

  RaidpReadiness(Configuration conf) {
    this.command = new RaidpCommand(conf);
  }

  /** What is missing until the manager knows that many nodes. */
  Optional<String> missing(int dataNodes) {
    try {
      JsonNode status = command.json("-status", "-json");
      int nodes = status.path("nodes").isArray() ? status.path("nodes").size() : status.path("nodes").asInt(-1);
      return nodes >= dataNodes ? Optional.empty()
          : Optional.of(nodes + " of " + dataNodes + " nodes have reported their frames to the RAIDP manager");
    } catch (IOException e) {
      return Optional.of("the RAIDP manager does not answer (" + e.getMessage() + ")");
    }
  }
}
