/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import io.hdfsparity.bridge.config.KeyReader;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;

/**
 * What the control server of a DataNode and its clients are configured with. Immutable, validated
 * together.
 *
 * @param address where the server listens
 * @param handlerCount RPC handlers
 * @param clientTimeoutMs how long a client waits
 */
public record ControlOptions(InetSocketAddress address, int handlerCount, int clientTimeoutMs) {
  private static final int MAX_HANDLERS = 1000;
  private static final int HOUR_MS = 3600 * 1000;

  /** Longer than a server works on one call. */
  private static final int MIN_TIMEOUT_MS = 15_000;

  /**
   * Reads and validates all keys.
   *
   * @throws IllegalArgumentException naming the first key that cannot be used
   */
  public static ControlOptions of(Configuration conf) {
    KeyReader keys = UpdateKey.reader(conf);
    return new ControlOptions(
        keys.address(ControlKey.RPC_ADDRESS),
        keys.count(ControlKey.HANDLER_COUNT, 1, MAX_HANDLERS),
        (int) keys.millis(ControlKey.CLIENT_TIMEOUT, MIN_TIMEOUT_MS, HOUR_MS));
  }
}
