/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.config.NameNodeServers;
import io.hdfsparity.bridge.wire.ActiveNameNode;
import io.hdfsparity.raidp.wire.ReadClientTranslator;
import io.hdfsparity.raidp.wire.message.LostBlock;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/**
 * Asks the active manager from what a lost block is decoded, as the DataNode. Immutable,
 * thread-safe.
 *
 * @param timeoutMs of a call, connecting included
 * @param nodeUuid of this node
 */
record LostBlockQuery(Configuration conf, int timeoutMs, String nodeUuid, String blockPoolId) {
  LostBlock find(long blockId) throws IOException {
    return ActiveNameNode.call(
        NameNodeServers.all(conf),
        server -> {
          try (ReadClientTranslator manager =
              new ReadClientTranslator(server.address(), conf, timeoutMs)) {
            return manager.findLostBlock(nodeUuid, blockPoolId, blockId);
          }
        });
  }
}
