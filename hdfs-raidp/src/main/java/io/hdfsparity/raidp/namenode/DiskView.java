/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.lstor.LstorGeometry;
import java.util.List;
import java.util.Optional;

/**
 * A disk as the manager knows it.
 *
 * @param diskId durable id
 * @param nodeUuid DataNode that has or had it
 * @param path root on the node; empty when only its Lstor is known
 * @param health of its frames
 * @param why reason when it is not usable
 * @param geometry shape, when known
 * @param storageIds its volumes, each once, in the order of their first frames
 * @param frames how many frames it has
 */
public record DiskView(
    String diskId,
    String nodeUuid,
    String path,
    FrameHealth health,
    String why,
    Optional<LstorGeometry> geometry,
    List<String> storageIds,
    int frames) {
  /** Why a disk is not usable that an administrator has declared failed. */
  static final String DECLARED_FAILED = "declared failed by an administrator";

  /** A disk that nobody has reported. */
  static final DiskView UNKNOWN =
      new DiskView("", "", "", FrameHealth.DEAD, "", Optional.empty(), List.of(), 0);

  public DiskView {
    storageIds = List.copyOf(storageIds);
  }

  /** Whether a DataNode has reported it to this manager, and not its Lstor only. */
  boolean isReportedByDataNode() {
    return !path.isEmpty();
  }

  /** Whether an administrator has declared it failed. */
  boolean isDeclaredFailed() {
    return why.equals(DECLARED_FAILED);
  }
}
