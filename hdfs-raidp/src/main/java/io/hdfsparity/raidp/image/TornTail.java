/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.image;

import io.hdfsparity.raidp.lstor.ChecksumSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Where Hadoop cuts a replica that was being written when its DataNode died: behind the last chunk
 * that its checksum fits, as in BlockPoolSlice.validateIntegrityAndSetLength of Hadoop 3.5.0. What
 * follows was never acknowledged. Stateless.
 */
public final class TornTail {
  private TornTail() {}

  /**
   * Whether a cut takes away only what no checksum fits, of a replica that was being written.
   * Nobody can be given these bytes, neither now nor from {@link Limbo}.
   *
   * @param newLengthBytes length after the cut
   * @throws IOException also if the checksum file is none
   */
  public static boolean isCut(
      FrameDirectory directory, String blockPoolId, Path data, Path meta, long newLengthBytes)
      throws IOException {
    return directory.rbwDirectory(blockPoolId).equals(data.getParent())
        && validBytes(data, meta) == newLengthBytes;
  }

  /**
   * Length in bytes up to which a checksum vouches for the block file; that of the file if nothing
   * is torn.
   *
   * @throws IOException also if the checksum file is none
   */
  public static long validBytes(Path data, Path meta) throws IOException {
    ChecksumSpec checksum = ReplicaSource.readChecksum(meta);
    int chunkBytes = checksum.bytesPerChecksum();
    long dataBytes = Files.size(data);
    long crcs = (Files.size(meta) - ChecksumSpec.HEADER_BYTES) / ChecksumSpec.CRC_BYTES;
    long chunks = Math.min((dataBytes + chunkBytes - 1) / chunkBytes, crcs);
    if (chunks == 0) {
      return 0;
    }
    long lastStart = (chunks - 1) * chunkBytes;
    int lastBytes = (int) Math.min(chunkBytes, dataBytes - lastStart);
    ByteBuffer last = ByteBuffer.allocate(lastBytes);
    read(data, lastStart, last);
    ByteBuffer crc = ByteBuffer.allocate(ChecksumSpec.CRC_BYTES);
    read(meta, ChecksumSpec.HEADER_BYTES + (chunks - 1) * ChecksumSpec.CRC_BYTES, crc);
    boolean fits = new ChunkCrc(checksum).firstMismatch(last, 0, lastBytes, crc) < 0;
    return fits ? lastStart + lastBytes : lastStart;
  }

  private static void read(Path file, long position, ByteBuffer into) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ReplicaSource.readFully(channel, position, into, file);
    }
  }
}
