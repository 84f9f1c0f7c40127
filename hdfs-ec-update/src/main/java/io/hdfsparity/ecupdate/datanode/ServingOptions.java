/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.Refusal;
import io.hdfsparity.ecupdate.net.TransferProtection;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;

/**
 * How a DataNode serves updates. Immutable.
 *
 * @param address where the data channel listens; port 0 takes any that is free
 */
record ServingOptions(InetSocketAddress address) {
  /** Where the update channel of the DataNode listens, host:port. */
  static final String ADDRESS_KEY = "dfs.parity.ecupdate.datanode.address";

  static final String ADDRESS_DEFAULT = "0.0.0.0:9883";

  /**
   * Reads and validates.
   *
   * @throws IllegalArgumentException naming the key that cannot be used
   */
  static ServingOptions of(Configuration conf) {
    TransferProtection.require(
        conf.get("dfs.data.transfer.protection"),
        conf.getBoolean("dfs.encrypt.data.transfer", false));
    String text = conf.getTrimmed(ADDRESS_KEY, ADDRESS_DEFAULT);
    try {
      return new ServingOptions(NetUtils.createSocketAddr(text, -1, ADDRESS_KEY));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          Refusal.to("use configuration").value(ADDRESS_KEY, text).expected("host:port").message(),
          e);
    }
  }
}
