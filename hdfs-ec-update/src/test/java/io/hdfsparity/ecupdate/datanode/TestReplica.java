/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.ecupdate.ajx.CodeTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.util.DataChecksum;

/** A replica as HDFS writes it. */
final class TestReplica {
  static final int CHUNK_BYTES = 512;

  private TestReplica() {}

  static ReplicaDescriptor descriptor(int lengthBytes) {
    return new ReplicaDescriptor(
        CodeTable.plain(GfMatrix.cauchyParity(3, 2)),
        1,
        2048,
        lengthBytes,
        (lengthBytes + 2047) / 2048,
        7,
        "PL");
  }

  /** The checksum file of these bytes. */
  static byte[] meta(byte[] data) {
    DataChecksum sum = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, CHUNK_BYTES);
    byte[] sums = new byte[(data.length + CHUNK_BYTES - 1) / CHUNK_BYTES * Integer.BYTES];
    sum.calculateChunkedSums(data, 0, data.length, sums, 0);
    return ByteBuffer.allocate(7 + sums.length)
        .putShort((short) 1)
        .put(sum.getHeader())
        .put(sums)
        .array();
  }

  static LocalReplicaFiles write(Path directory, byte[] data) throws IOException {
    LocalReplicaFiles files =
        new LocalReplicaFiles(
            directory.resolve("blk_-1"),
            directory.resolve("blk_-1_7.meta"),
            directory.resolve("blk_-1.state"),
            directory.resolve("blk_-1.plr"));
    Files.write(files.block(), data);
    Files.write(files.checksums(), meta(data));
    return files;
  }
}
