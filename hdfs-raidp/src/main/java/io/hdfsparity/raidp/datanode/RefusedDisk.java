/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A disk that could not be opened: its Lstor is missing, foreign or damaged, or a frame does not
 * belong to it. Its replicas can still be read by clients, but nothing on it may change, because no
 * parity would follow. New plain replicas are made there all the same.
 *
 * @param root its root
 * @param diskId durable id, or a stand-in when it could not be read
 * @param reason the named error
 * @param isTaken HDFS has taken its volume out of service, so its replicas are gone too
 */
record RefusedDisk(Path root, String diskId, String reason, boolean isTaken) {
  /** One whose replicas can be read. */
  static RefusedDisk of(Path root, String diskId, String reason) {
    return new RefusedDisk(root, diskId, reason, false);
  }

  /** The same disk without its volume. */
  RefusedDisk taken() {
    return new RefusedDisk(root, diskId, reason, true);
  }

  /** Hooks that refuse what may change a covered replica. */
  VolumeHooks hooks(Path directory, FrameChoice choice) {
    return new RefusedVolume(this, directory, choice);
  }

  IOException refused(String operation) {
    return new IOException(
        "Cannot "
            + operation
            + ": disk="
            + diskId
            + ", expected a disk in service, file="
            + root
            + " cause="
            + reason);
  }
}
