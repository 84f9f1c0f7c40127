/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import io.hdfsparity.raidp.wire.RaidpLstorProtocol;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Connections to Lstor daemons and to the DataNodes that hold mirrors. They are kept, and belong to
 * it. Thread-safe.
 */
public interface RebuildClients {
  /** An Lstor daemon. */
  RaidpLstorProtocol lstor(InetSocketAddress daemon) throws IOException;

  /** A DataNode's peer service. */
  RaidpPeerProtocol peer(InetSocketAddress peer) throws IOException;
}
