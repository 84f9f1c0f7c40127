/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.datanode.VolumeHooks;
import io.hdfsparity.raidp.config.Protection;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A disk that could not be opened: its Lstor is missing, foreign or damaged, or a frame does not
 * belong to it. Its replicas can still be read by clients, but nothing on it may change, because no
 * parity would follow. With protection by directory, new plain replicas are made there all the
 * same.
 *
 * @param root its root
 * @param diskId durable id, or a stand-in when it could not be read
 * @param reason the named error
 */
record RefusedDisk(Path root, String diskId, String reason) {
  /** Hooks that refuse what may change a covered replica. */
  VolumeHooks hooks(Path directory, Protection protection, FrameChoice choice) {
    return protection == Protection.DIRECTORIES
        ? new RefusedVolume(this, directory, choice)
        : new Refusing();
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

  private final class Refusing implements VolumeHooks {
    @Override
    public long capacityBytes() {
      return 0;
    }

    @Override
    public long availableBytes() {
      return 0;
    }

    @Override
    public long usedBytes() {
      return 0;
    }

    @Override
    public void reserve(String pool, long blockId, long maxBytes) throws IOException {
      throw refused("create block " + blockId);
    }

    @Override
    public void reserveFailed(String pool, long blockId) {}

    @Override
    public void finalizing(
        String pool,
        long blockId,
        long generationStamp,
        File blockFile,
        File metaFile,
        long lengthBytes)
        throws IOException {
      throw refused("finalize block " + blockId);
    }

    @Override
    public void reopening(String pool, long blockId, File blockFile, File metaFile, long maxBytes)
        throws IOException {
      throw refused("append to block " + blockId);
    }

    @Override
    public void written(
        String pool,
        long blockId,
        long generationStamp,
        File blockFile,
        File metaFile,
        long lengthBytes)
        throws IOException {
      throw refused("write block " + blockId);
    }

    @Override
    public void truncating(
        String pool, long blockId, File blockFile, File metaFile, long newLengthBytes)
        throws IOException {
      throw refused("truncate block " + blockId);
    }

    @Override
    public boolean removing(String pool, File file) throws IOException {
      throw refused("delete file " + file);
    }

    @Override
    public void restored(String pool, File blockFile) throws IOException {
      throw refused("take in file " + blockFile);
    }
  }
}
