/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge;

import io.hdfsparity.bridge.RecordingHooks.Event;
import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A cluster whose DataNodes record the hooks that are called. */
abstract class HookFixture {
  @TempDir static Path dir;
  static BridgeCluster c;

  @BeforeAll
  static void start() throws Exception {
    c = BridgeCluster.start(BridgeCluster.conf("sequence", dir), 2);
  }

  @AfterAll
  static void stop() {
    c.close();
  }

  @AfterEach
  void reset() {
    c.script.failing.clear();
    c.script.limbo = false;
    c.script.packets = false;
    c.script.finishing = (hooks, event) -> {};
  }

  static List<Event> on(String storage, long blockId) {
    return c.script.of(blockId).stream().filter(e -> e.storageId().equals(storage)).toList();
  }

  /** A DataNode that has a replica of a block, and the storage it is on. */
  record Holder(RecordingHooks hooks, String storage) {
    ReplicaView replica(long blockId) {
      return hooks.access.replica(storage, blockId);
    }
  }

  // Asked once: the NameNode shuffles the locations anew at each call.
  static Holder holder(String path) throws Exception {
    String storage = c.storages(path).get(0);
    return new Holder(
        c.script.instances.stream()
            .filter(h -> !h.closed && h.volumes.contains(storage))
            .findFirst()
            .orElseThrow(),
        storage);
  }
}
