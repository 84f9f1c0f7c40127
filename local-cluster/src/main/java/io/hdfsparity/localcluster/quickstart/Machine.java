/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.localcluster.ClusterSpec;
import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.LiveFolder;
import io.hdfsparity.localcluster.LstorPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/** What this machine has. */
final class Machine {
  /** Not what a DataNode notes of a block for updates of it. */
  private static final Pattern BLOCK_FILE = Pattern.compile("blk_-?\\d+(_\\d+\\.meta)?");

  private Machine() {}

  /**
   * What a cluster needs and finds here.
   *
   * @param replicaBytes most bytes of replicas
   */
  static Room room(long replicaBytes, ClusterSpec spec, Path clusterDir) throws IOException {
    long lstorBytes = spec.mode().hasRaidp() ? LstorPlace.neededBytes(spec) : 0;
    return new Room(
        Daemon.of(spec).size(),
        replicaBytes,
        lstorBytes,
        LstorPlace.roomInMemory(lstorBytes),
        Files.getFileStore(clusterDir).getUsableSpace(),
        LstorPlace.availableMemoryBytes(),
        clusterDir.toString());
  }

  /**
   * Bytes of block and checksum files below a folder; files that go away meanwhile are not counted.
   */
  static long replicaBytes(Path dir) throws QuickstartException {
    return QuickstartException.attempt("Cannot count replicas", () -> sumOfReplicas(dir));
  }

  private static long sumOfReplicas(Path dir) throws IOException {
    AtomicLong bytes = new AtomicLong();
    LiveFolder.visit(
        dir,
        (file, attributes) -> {
          if (BLOCK_FILE.matcher(file.getFileName().toString()).matches()) {
            bytes.addAndGet(attributes.size());
          }
        });
    return bytes.get();
  }
}
