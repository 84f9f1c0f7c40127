/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.update;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import org.apache.hadoop.io.WritableUtils;

/**
 * Looks through the identifier of a block token before Hadoop parses it. In its older form
 * BlockTokenIdentifier.readFieldsLegacy makes arrays as long as the bytes say, up to 2^31 elements,
 * so a few bytes of somebody who has proven nothing could take all memory. The newer form is
 * protobuf, which counts lengths only as far as there are bytes. Checked for Hadoop 3.5.0.
 *
 * <p>Stateless, thread-safe.
 */
public final class TokenIdentifierBounds {
  private TokenIdentifierBounds() {}

  /**
   * Allocates nothing that the bytes announce.
   *
   * @throws IOException if a length is negative, or goes beyond the end
   */
  public static void check(byte[] identifier) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(identifier))) {
      if (identifier.length > 0 && identifier[0] > 0) {
        return;
      }
      WritableUtils.readVLong(in); // expiry
      WritableUtils.readVInt(in); // key
      skipString(in); // user
      skipString(in); // block pool
      WritableUtils.readVLong(in); // block
      for (int modes = readCount(in); modes > 0; modes--) {
        skip(in, WritableUtils.readVInt(in));
      }
      if (in.available() == 0) {
        return; // older than storage types
      }
      for (int types = readCount(in); types > 0; types--) {
        skip(in, WritableUtils.readVInt(in));
      }
      if (in.available() == 0) {
        return;
      }
      for (int storages = readCount(in); storages > 0; storages--) {
        skipString(in);
      }
      if (in.available() > 0) {
        skip(in, WritableUtils.readVInt(in)); // handshake message
      }
    }
  }

  /** Of elements that take a byte at least. */
  private static int readCount(DataInputStream in) throws IOException {
    int count = WritableUtils.readVInt(in);
    require(count >= 0 && count <= in.available(), "count", count, in.available());
    return count;
  }

  /** As WritableUtils writes one: -1 is null. */
  private static void skipString(DataInputStream in) throws IOException {
    int lengthBytes = in.readInt();
    if (lengthBytes != -1) {
      skip(in, lengthBytes);
    }
  }

  private static void skip(DataInputStream in, int lengthBytes) throws IOException {
    require(
        lengthBytes >= 0 && lengthBytes <= in.available(),
        "lengthBytes",
        lengthBytes,
        in.available());
    in.skipNBytes(lengthBytes);
  }

  private static void require(boolean isGood, String name, int value, int left) throws IOException {
    if (!isGood) {
      throw new IOException(
          ErrorMessage.to("read the identifier of a block token")
              .value(name, value)
              .expected("0.." + left + ", for which there are bytes")
              .message());
    }
  }
}
