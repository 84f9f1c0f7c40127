/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * A block whose bytes follow from its id, with the checksum file that HDFS would write for any
 * prefix of it.
 */
final class TestImage implements BlockImage {
  private final byte[] data;
  private final ChecksumSpec checksum;

  TestImage(int frame, long blockId, int sizeBytes, ChecksumSpec checksum) {
    this.data = new byte[sizeBytes];
    new Random(blockId * 31 + frame).nextBytes(data);
    this.checksum = checksum;
  }

  @Override
  public void readData(long position, ByteBuffer dst) {
    dst.put(data, (int) position, dst.remaining());
  }

  @Override
  public void readMeta(long prefixBytes, long position, ByteBuffer dst) {
    dst.put(meta((int) prefixBytes), (int) position, dst.remaining());
  }

  byte[] data() {
    return data;
  }

  byte[] meta(int prefixBytes) {
    ByteBuffer meta = ByteBuffer.allocate((int) checksum.metaLength(prefixBytes));
    meta.putShort((short) 1).put((byte) checksum.typeId()).putInt(checksum.bytesPerChecksum());
    if (checksum.typeId() != 0) {
      for (int at = 0; at < prefixBytes; at += checksum.bytesPerChecksum()) {
        Checksum crc = checksum.typeId() == 1 ? new CRC32() : new CRC32C();
        crc.update(data, at, Math.min(checksum.bytesPerChecksum(), prefixBytes - at));
        meta.putInt((int) crc.getValue());
      }
    }
    return meta.array();
  }
}
