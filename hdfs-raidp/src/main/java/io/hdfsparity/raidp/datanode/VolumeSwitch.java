/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.datanode.ForwardingVolumeHooks;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.nio.file.Path;

/**
 * The hooks that HDFS holds of a volume: they refuse while the disk is refused, and are served by
 * its frame once the disk has an Lstor again. Thread-safe.
 */
final class VolumeSwitch extends ForwardingVolumeHooks {
  private final Path directory;
  private final String storageId;
  private volatile VolumeHooks target;

  VolumeSwitch(Path directory, String storageId, VolumeHooks target) {
    this.directory = directory;
    this.storageId = storageId;
    this.target = target;
  }

  Path directory() {
    return directory;
  }

  String storageId() {
    return storageId;
  }

  void serveBy(VolumeHooks hooks) {
    target = hooks;
  }

  @Override
  protected VolumeHooks target() {
    return target;
  }

  @Override
  protected VolumeHooks target(String pool, long blockId) {
    return target;
  }
}
