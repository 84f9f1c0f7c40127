/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.store.AtomicFiles;
import io.hdfsparity.core.store.PrivateFiles;
import io.hdfsparity.raidp.image.FrameDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says whether the hooks were there in a DataNode's last run on a volume.
 *
 * <p>Every DataNode, with hooks or without, empties its directory of temporary replicas when it
 * opens a block pool (BlockPoolSlice of Hadoop 3.5.0). So a file there that is seen before is of
 * the last run. Only one with hooks makes it, when rows and replicas have been reconciled.
 *
 * <p><b>Crash</b> before the file is made again: the next start takes the run for one without
 * hooks, which is safe. Stateless.
 */
final class HooksMarker {
  private static final Logger LOG = LoggerFactory.getLogger(HooksMarker.class);
  private static final String NAME = "raidp-hooks";

  private HooksMarker() {}

  private static Path file(FrameDirectory volume, String pool) {
    return volume.temporaryDirectory(pool).resolve(NAME);
  }

  /** Those of the pools whose last run had the hooks; to be asked before HDFS opens them. */
  static Set<String> poolsOfLastRun(FrameDirectory volume, Collection<String> pools) {
    return pools.stream()
        .filter(pool -> Files.exists(file(volume, pool)))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** From now on all changes of a pool's replicas come to the hooks, until it is opened again. */
  static void write(FrameDirectory volume, String pool) {
    Path file = file(volume, pool);
    try {
      Files.createDirectories(volume.temporaryDirectory(pool));
      PrivateFiles.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE).close();
      AtomicFiles.syncName(file);
    } catch (IOException e) {
      // The next start recomputes more parity than it needs to.
      LOG.warn("Cannot note that the hooks are there: file={}", file, e);
    }
  }
}
