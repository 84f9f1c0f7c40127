/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.fs;

import io.hdfsparity.bridge.client.ClientFeatures;
import io.hdfsparity.bridge.client.HadoopClassPath;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.FeatureClient;

/**
 * Hadoop's HDFS for {@code FileContext} with {@link FeatureClient} as its client, which does all
 * the work; {@code org.apache.hadoop.hdfs.FeatureFileSystem} is the same for {@code FileSystem}.
 *
 * <p>It extends Hadoop's class, and does not delegate to a file system (DelegateToFileSystem): that
 * one renames with overwriting by deleting first, lists directories as a whole, asks for each
 * entry's locations, and knows no ACLs, attributes, policies or snapshots.
 *
 * <p>Reaches: the package-private constructor of Hdfs, which makes a client that is closed here,
 * and its package-private field dfs. Checked for Hadoop 3.5.0. Thread-safe as its parent.
 */
public abstract class FeatureHdfs extends Hdfs {
  /**
   * As the parent's.
   *
   * @throws IOException also if a feature's jar is there and cannot be used
   */
  protected FeatureHdfs(URI uri, Configuration conf) throws IOException, URISyntaxException {
    super(checked(uri), conf);
    DFSClient stock = dfs;
    try {
      dfs = new FeatureClient(uri, conf, getStatistics(), ClientFeatures.installed());
    } finally {
      stock.close();
    }
  }

  private static URI checked(URI uri) throws IOException {
    HadoopClassPath.require(FeatureHdfs.class, Hdfs.class);
    return uri;
  }
}
