/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode;

import java.util.Set;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * Declares volumes of a DataNode failed.
 *
 * <p>Reaches: DataNode.handleVolumeFailures, public in Hadoop 3.5 and private in 3.4. Checked for
 * Hadoop 3.5.0. Stateless.
 */
public final class VolumeFailures {
  private VolumeFailures() {}

  /** As a failed check of these volumes does. */
  public static void handle(DataNode datanode, Set<FsVolumeSpi> failed) {
    datanode.handleVolumeFailures(failed);
  }
}
