/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.ecupdate.net.ServerLimits;
import io.hdfsparity.ecupdate.net.TransferProtection;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;

/**
 * How a DataNode serves updates. Immutable, validated together.
 *
 * @param address where the data channel listens; port 0 takes any that is free
 * @param limits how much it takes on
 */
record ServingOptions(InetSocketAddress address, ServerLimits limits) {
  private static final long MOST_BYTES = 1L << 40;

  /**
   * Reads and validates.
   *
   * @throws IllegalArgumentException naming the key that cannot be used
   */
  static ServingOptions of(Configuration conf) {
    TransferProtection.require(
        conf.get("dfs.data.transfer.protection"),
        conf.getBoolean("dfs.encrypt.data.transfer", false));
    KeyReader reader = new KeyReader(conf);
    reader.refuseUnknown(
        List.of(ServingKey.PREFIX), ServingKey.values(), Set.of(), "docs/ec-update-datanode.md");
    return new ServingOptions(address(reader), limits(reader));
  }

  private static InetSocketAddress address(KeyReader reader) {
    String text = reader.text(ServingKey.ADDRESS);
    try {
      return NetUtils.createSocketAddr(text, -1, ServingKey.ADDRESS.key());
    } catch (IllegalArgumentException e) {
      throw KeyReader.refused(ServingKey.ADDRESS.key(), text, "host:port", e);
    }
  }

  private static ServerLimits limits(KeyReader reader) {
    ServerLimits standard = ServerLimits.standard();
    long connections = reader.count(ServingKey.MAX_CONNECTIONS, 1, 1 << 20);
    long leastBytes = 2L * standard.maxPayloadBytes();
    long bytes = reader.quantity(ServingKey.IN_FLIGHT_BYTES, leastBytes, MOST_BYTES);
    return standard.with(
        (int) connections,
        (int) reader.count(ServingKey.MAX_USER_CONNECTIONS, 1, 1 << 20),
        bytes,
        reader.quantity(ServingKey.USER_IN_FLIGHT_BYTES, leastBytes, MOST_BYTES),
        reader.count(ServingKey.MAX_USER_LOCKS, 1, Long.MAX_VALUE / 2));
  }
}
