/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.image.CoveredImage;
import io.hdfsparity.raidp.image.ImageException;
import io.hdfsparity.raidp.image.ReplicaFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;

/** Reads a replica against its checksum file. Stateless, thread-safe. */
final class ReplicaCheck {
  private static final int PIECE_BYTES = 1 << 20;

  private ReplicaCheck() {}

  /**
   * Reads all of a replica.
   *
   * @return its length in bytes
   * @throws ImageException.Corrupt when a chunk does not match its CRC, or has none
   */
  static long verify(ReplicaFiles replica) throws IOException {
    long length = Files.size(replica.data());
    try (CoveredImage image = CoveredImage.ofReplica(replica)) {
      if (image.heldBytes() < length) {
        throw new ImageException.Corrupt(
            "Cannot verify replica: lengthBytes="
                + length
                + ", expected CRCs for all, found"
                + " them for "
                + image.heldBytes()
                + ", file="
                + replica.meta());
      }
      ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
      for (long at = 0; at < length; at += piece.limit()) {
        piece.clear().limit((int) Math.min(piece.capacity(), length - at));
        image.readData(at, piece);
      }
    }
    return length;
  }
}
