/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.RebuildOrder;
import java.util.List;

/** What the answer to a node's report orders beside pairings. Thread-safe. */
interface NodeOrders {
  /** Rebuilds that a node shall run; given again until it reports them as done. */
  List<RebuildOrder> rebuilds(String nodeUuid);

  /** Disks of a node that are out of service, and that nothing depends on any more. */
  List<String> unneededDisks(String nodeUuid);
}
