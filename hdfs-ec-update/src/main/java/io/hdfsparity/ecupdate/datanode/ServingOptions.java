/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.ecupdate.channel.ServerLimits;
import io.hdfsparity.ecupdate.config.ChannelProtection;
import io.hdfsparity.ecupdate.config.ServingKey;
import io.hdfsparity.ecupdate.config.UpdateKey;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;

/**
 * How a DataNode serves updates. Immutable, validated together.
 *
 * @param address where the data channel listens; port 0 takes any that is free
 * @param limits how much it takes on
 * @param isProtectionRequired whether connections in clear are refused
 */
record ServingOptions(
    InetSocketAddress address, ServerLimits limits, boolean isProtectionRequired) {
  private static final long MAX_BYTES = 1L << 40;

  /**
   * Reads and validates.
   *
   * @throws IllegalArgumentException naming the key that cannot be used
   */
  static ServingOptions of(Configuration conf) {
    KeyReader keys = UpdateKey.reader(conf);
    return new ServingOptions(
        keys.address(ServingKey.ADDRESS), limits(keys), ChannelProtection.isRequired(conf));
  }

  private static ServerLimits limits(KeyReader keys) {
    ServerLimits standard = ServerLimits.standard();
    int connections = keys.count(ServingKey.MAX_CONNECTIONS, 1, 1 << 20);
    long minBytes = 2L * standard.maxPayloadBytes();
    long bytes = keys.bytes(ServingKey.IN_FLIGHT_BYTES, minBytes, MAX_BYTES);
    return standard.with(
        connections,
        keys.count(ServingKey.MAX_USER_CONNECTIONS, 1, 1 << 20),
        bytes,
        keys.bytes(ServingKey.USER_IN_FLIGHT_BYTES, minBytes, MAX_BYTES),
        keys.longCount(ServingKey.MAX_USER_LOCKS, 1, Long.MAX_VALUE / 2));
  }
}
