/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.image.CoveredImage;
import io.hdfsparity.raidp.image.FrameDirectory;
import io.hdfsparity.raidp.image.Limbo;
import io.hdfsparity.raidp.image.StampRule;
import io.hdfsparity.raidp.wire.message.ImageRequest;
import java.io.IOException;
import java.util.Optional;

/**
 * Replicas on disks whose Lstor is out of service, for the rebuild of blocks of other disks. They
 * do not change there, and a replica with the very stamp that a row has is what the row covers,
 * whatever is known of the Lstor. Thread-safe.
 */
final class RefusedReplicas {
  private final Volumes volumes;
  private final String blockPoolId;

  /** Volumes of refused disks. */
  @FunctionalInterface
  interface Volumes {
    /** Directory of one; empty: it is on a disk in service, or not there. */
    Optional<FrameDirectory> find(String storageId);
  }

  RefusedReplicas(Volumes volumes, String blockPoolId) {
    this.volumes = volumes;
    this.blockPoolId = blockPoolId;
  }

  /**
   * What is asked for.
   *
   * @return empty: the volume is on no refused disk
   */
  Optional<byte[]> read(ImageRequest request) throws IOException {
    FrameDirectory directory = volumes.find(request.storageId()).orElse(null);
    if (directory == null) {
      return Optional.empty();
    }
    try (CoveredImage image =
        CoveredImage.of(
            directory,
            Limbo.look(directory, request.blockId()),
            blockPoolId,
            request.blockId(),
            request.generationStamp(),
            StampRule.NO_OTHER)) {
      return Optional.of(PeerService.bytes(image, request));
    }
  }
}
