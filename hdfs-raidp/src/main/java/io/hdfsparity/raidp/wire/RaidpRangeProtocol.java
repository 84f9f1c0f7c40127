/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.raidp.wire.message.RangeRequest;
import java.io.IOException;

/** What clients ask a DataNode that decodes ranges of lost blocks. Thread-safe, idempotent. */
public interface RaidpRangeProtocol {
  /**
   * Decodes a range.
   *
   * @return exactly {@code request.count()} bytes, which have matched their CRCs
   * @throws org.apache.hadoop.ipc.RetriableException where too many ranges are being decoded
   * @throws org.apache.hadoop.security.token.SecretManager.InvalidToken where the block token does
   *     not let its owner read the block
   * @throws NotLostException where no Lstor of a failed disk has the block
   * @throws IOException where the range cannot be decoded
   */
  byte[] readRange(RangeRequest request) throws IOException;
}
