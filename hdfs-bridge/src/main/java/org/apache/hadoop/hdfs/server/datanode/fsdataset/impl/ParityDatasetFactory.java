/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.bridge.Rethrow;
import io.hdfsparity.bridge.status.HadoopLine;
import java.io.IOException;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.BlockTokenUsers;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.jspecify.annotations.Nullable;

/**
 * Makes the dataset with hooks; the value of {@code dfs.datanode.fsdataset.factory}.
 *
 * <p>Reaches: FsDatasetImpl (package-private class), as type argument. DataNode.initStorage makes
 * the factory before it lets DataStorage upgrade or roll back, so a rollback can be refused in
 * setConf; the IOException leaves a method that does not declare it and is caught by
 * BPServiceActor.run as a failed initialization. Checked for Hadoop 3.5.0.
 */
public final class ParityDatasetFactory extends FsDatasetSpi.Factory<FsDatasetImpl>
    implements Configurable {
  private @Nullable Configuration conf;

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    try {
      HadoopLine.current().requireOrFail();
      StartRules.checkRollback(conf);
    } catch (IOException e) {
      throw Rethrow.unchecked(e);
    }
  }

  @Override
  public @Nullable Configuration getConf() {
    return conf;
  }

  @Override
  public FsDatasetImpl newInstance(DataNode datanode, DataStorage storage, Configuration conf)
      throws IOException {
    BlockTokenUsers.install(datanode);
    return ParityFsDataset.open(datanode, storage, conf);
  }
}
