/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import java.io.Closeable;
import java.io.IOException;

/** Where a snapshot's bytes come from. For one thread at a time. */
interface SnapshotSource extends Closeable {
  /** As {@link io.hdfsparity.bridge.datanode.ReplicaSnapshot#readData}. */
  int readData(long position, byte[] into, int offset, int lengthBytes) throws IOException;

  /** As {@link io.hdfsparity.bridge.datanode.ReplicaSnapshot#readMeta}. */
  int readMeta(long position, byte[] into, int offset, int lengthBytes) throws IOException;
}
