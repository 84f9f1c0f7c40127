/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode;

import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * Replicas that a reader has found damaged, for the block scanner, which looks at them next.
 *
 * <p>Reaches BlockScanner.markSuspectBlock (package-private), as BlockSender does. Checked for
 * Hadoop 3.5.0. Stateless.
 */
public final class SuspectReplicas {
  private SuspectReplicas() {}

  /** Does nothing where the scanner is switched off, as HDFS. */
  public static void mark(DataNode datanode, String storageId, ExtendedBlock block) {
    datanode.getBlockScanner().markSuspectBlock(storageId, block);
  }
}
