/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.raidp.wire.message.LostBlock;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.IOException;
import java.util.List;

/** What readers of lost blocks ask the manager in the active NameNode. Thread-safe, idempotent. */
public interface RaidpReadProtocol {
  /**
   * For clients: DataNodes that decode ranges of a lost block, the one to be asked first first.
   *
   * @return empty: no disk is lost that could have had a block
   * @throws org.apache.hadoop.ipc.StandbyException where the NameNode is not the active one
   */
  List<PeerAddress> findDecoders(String blockPoolId, long blockId) throws IOException;

  /**
   * For DataNodes: from what a block is decoded.
   *
   * @param nodeUuid of the asking node
   * @throws org.apache.hadoop.ipc.StandbyException where the NameNode is not the active one
   */
  LostBlock findLostBlock(String nodeUuid, String blockPoolId, long blockId) throws IOException;
}
