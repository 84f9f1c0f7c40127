/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import java.io.IOException;
import java.util.zip.CRC32C;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/**
 * CRC32C over the bytes of an answer, so that no wrong byte of the wire gets into a rebuilt block.
 */
final class WireChecksum {
  private WireChecksum() {}

  /** Value as a protobuf uint32. */
  static int of(byte[] data) {
    CRC32C crc = new CRC32C();
    crc.update(data);
    return (int) crc.getValue();
  }

  /**
   * Bytes of an answer after both its length and its CRC were checked.
   *
   * @param what names the request in the message
   */
  static byte[] verified(String what, ByteString data, int crc32c, int expectedBytes)
      throws IOException {
    byte[] bytes = data.toByteArray();
    if (bytes.length != expectedBytes) {
      throw new IOException(
          "Cannot use answer: " + what + " bytes=" + bytes.length + ", expected " + expectedBytes);
    }
    if (of(bytes) != crc32c) {
      throw new IOException(
          "Cannot use answer: "
              + what
              + " crc32c="
              + Integer.toHexString(of(bytes))
              + ", expected "
              + Integer.toHexString(crc32c)
              + " as the sender computed it");
    }
    return bytes;
  }
}
