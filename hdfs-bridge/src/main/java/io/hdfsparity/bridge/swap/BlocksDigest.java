/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;

/** Makes {@link FileIdentity#blocksDigest} of the blocks of a file in order; not thread-safe. */
public final class BlocksDigest {
  private final ByteBuffer numbers = ByteBuffer.allocate(3 * Long.BYTES);
  private final MessageDigest digest = FileIdentity.sha256();

  /** Takes the next block or block group. */
  public void add(long id, long generation, long lengthBytes) {
    numbers.clear();
    numbers.putLong(id).putLong(generation).putLong(lengthBytes).flip();
    digest.update(numbers);
  }

  /** The digest; call it once. */
  public String hex() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
