/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import io.hdfsparity.raidp.recovery.BlockInstaller;
import io.hdfsparity.raidp.recovery.ChecksumFile;
import io.hdfsparity.raidp.recovery.ReplicaConflictException;
import io.hdfsparity.raidp.recovery.VerificationException;
import io.hdfsparity.raidp.recovery.VerifiedBlock;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;

/** Puts recovered blocks into a frame of this DataNode. Thread-safe as the dataset is. */
final class DatasetInstaller implements BlockInstaller {
  private static final String FINALIZED = "FINALIZED";
  private static final int READ_BYTES = 1 << 20;

  private final DatasetAccess dataset;
  private final String storageId;
  private final Claim claim;

  /** Gives a block to the frame that is rebuilt. */
  interface Claim {
    void make(long blockId) throws IOException;

    void end(long blockId);
  }

  DatasetInstaller(DatasetAccess dataset, String storageId, Claim claim) {
    this.dataset = dataset;
    this.storageId = storageId;
    this.claim = claim;
  }

  /**
   * {@inheritDoc} An older replica is none: the node was away while the block was written to. It
   * stays until the block is decoded, and HDFS deletes it when the new one is made.
   */
  @Override
  public boolean holds(long blockId, long generationStamp, long lengthBytes) throws IOException {
    ReplicaView replica = dataset.replica(storageId, blockId);
    if (replica == null || replica.generationStamp() < generationStamp) {
      return false;
    }
    if (!replica.state().equals(FINALIZED)
        || replica.generationStamp() != generationStamp
        || replica.lengthBytes() != lengthBytes) {
      throw new ReplicaConflictException(
          "Cannot install block: block="
              + blockId
              + " has a replica with state="
              + replica.state()
              + " GS="
              + replica.generationStamp()
              + " lengthBytes="
              + replica.lengthBytes()
              + ", expected none, an older one, or a finalized one with GS="
              + generationStamp
              + " lengthBytes="
              + lengthBytes
              + ", storage="
              + storageId);
    }
    verify(replica);
    // Its row may have been lost since it was installed.
    claim.make(blockId);
    return true;
  }

  @Override
  public void install(VerifiedBlock block, long generationStamp) throws IOException {
    long blockId = block.row().blockId();
    claim.make(blockId);
    try {
      dataset.install(
          storageId,
          blockId,
          generationStamp,
          block.lengthBytes(),
          (data, meta) -> {
            meta.write(block.checksumFile(), 0, block.checksumFile().length);
            block.copyData(
                bytes ->
                    data.write(
                        bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining()));
          });
    } catch (IOException | RuntimeException e) {
      claim.end(blockId);
      throw e;
    }
  }

  /** A replica that an earlier run installed counts only if its bytes are right. */
  private static void verify(ReplicaView replica) throws IOException {
    ChecksumFile checksums =
        ChecksumFile.ofReplica(
            replica.blockId(),
            replica.lengthBytes(),
            Files.readAllBytes(replica.metaFile().toPath()));
    int chunk = checksums.bytesPerChecksum();
    int step = Math.max(chunk, READ_BYTES / chunk * chunk);
    try (FileChannel file =
        FileChannel.open(replica.blockFile().toPath(), StandardOpenOption.READ)) {
      ByteBuffer buffer =
          ByteBuffer.allocate((int) Math.min(step, Math.max(1, replica.lengthBytes())));
      for (long at = 0; at < replica.lengthBytes(); at += step) {
        buffer.clear().limit((int) Math.min(step, replica.lengthBytes() - at));
        readFully(file, at, buffer);
        String mismatch = checksums.mismatch(at, buffer.flip());
        if (mismatch != null) {
          throw new VerificationException(
              "Cannot keep replica: block="
                  + replica.blockId()
                  + " "
                  + mismatch
                  + ", expected the CRC of its checksum file, file="
                  + replica.blockFile());
        }
      }
    }
  }

  private static void readFully(FileChannel file, long position, ByteBuffer dst)
      throws IOException {
    long at = position;
    while (dst.hasRemaining()) {
      int count = file.read(dst, at);
      if (count < 0) {
        throw new EOFException(
            "Cannot read replica: offset=" + at + ", expected " + dst.remaining() + " more bytes");
      }
      at += count;
    }
  }
}
