/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.store.AtomicFiles;
import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.core.store.FileByteStore;
import io.hdfsparity.ecupdate.storage.ReservedArea;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * The files of a replica in a DataNode's volume.
 *
 * @param block block file
 * @param checksums checksum file
 * @param state the engine's state
 * @param reservedSpace preallocated for parity deltas
 */
record LocalReplicaFiles(Path block, Path checksums, Path state, Path reservedSpace)
    implements ReplicaFiles {
  @Override
  public ByteStore data() throws IOException {
    return FileByteStore.open(block);
  }

  @Override
  public ByteStore meta() throws IOException {
    return FileByteStore.open(checksums);
  }

  @Override
  public byte[] readState() throws IOException {
    // Not Files.exists: it says no of a file that cannot be looked at, and its changes were lost.
    try {
      byte[] bytes = Files.readAllBytes(state);
      // Forced before it got its name; whoever gave it that may have been killed then.
      AtomicFiles.syncName(state);
      return bytes;
    } catch (NoSuchFileException e) {
      return new byte[0];
    }
  }

  @Override
  public void writeState(byte[] bytes) throws IOException {
    AtomicFiles.replace(state, bytes);
  }

  @Override
  public Optional<ReservedArea> reserved() throws IOException {
    try {
      Files.readAttributes(reservedSpace, BasicFileAttributes.class);
      return Optional.of(SideFile.of(reservedSpace));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Override
  public ReservedArea reserve(long sizeBytes) throws IOException {
    return SideFile.reserve(reservedSpace, sizeBytes);
  }
}
