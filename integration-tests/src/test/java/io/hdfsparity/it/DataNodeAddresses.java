/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.core.check.FreePorts;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * Addresses for the DataNodes of a MiniDFSCluster that are nobody else's while a DataNode is down.
 * Those that it asks the system for may be given to another socket then, and the restart fails.
 */
final class DataNodeAddresses {
  private DataNodeAddresses() {}

  /** For MiniDFSCluster.Builder, with {@code checkDataNodeAddrConfig(true)}. */
  static Configuration[] overlays(int nodes) {
    return Stream.generate(DataNodeAddresses::overlay).limit(nodes).toArray(Configuration[]::new);
  }

  /** For one DataNode; a restart keeps all but the port of HTTP. */
  static Configuration overlay() {
    Configuration c = new Configuration(false);
    c.set(DFSConfigKeys.DFS_DATANODE_ADDRESS_KEY, "127.0.0.1:" + FreePorts.next());
    c.set(DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_KEY, "127.0.0.1:" + FreePorts.next());
    c.set(DFSConfigKeys.DFS_DATANODE_HTTP_ADDRESS_KEY, "127.0.0.1:0");
    return c;
  }
}
