/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import io.hdfsparity.bridge.client.ClientFeatures;
import io.hdfsparity.bridge.client.GroupVisitor;
import io.hdfsparity.bridge.client.HadoopClassPath;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * Hadoop's file system with {@link FeatureClient} as its client, which does all the work; {@code
 * org.apache.hadoop.fs.FeatureHdfs} is the same for {@code FileContext}.
 *
 * <p>Reaches: DistributedFileSystem.initDFSClient(URI, Configuration), package-private, which
 * initialize calls to make the client, and the field dfs that it sets; getPathName,
 * package-private. Checked for Hadoop 3.5.0. Thread-safe as its parent.
 */
public abstract class FeatureFileSystem extends DistributedFileSystem {
  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    HadoopClassPath.require(FeatureFileSystem.class, DistributedFileSystem.class);
    super.initialize(uri, conf);
  }

  @Override
  void initDFSClient(URI nameNode, Configuration conf) throws IOException {
    this.dfs = new FeatureClient(nameNode, conf, statistics, ClientFeatures.installed());
  }

  /**
   * Shows all units of the block groups of a file, as they are stored.
   *
   * @throws IOException if the file cannot be opened, no feature of this client has a reader for
   *     its policy, or the visitor throws
   */
  public final void visitGroups(Path file, GroupVisitor visitor) throws IOException {
    String path = getPathName(fixRelativePart(file));
    try (DFSInputStream stream = getClient().open(path, 0, true)) {
      if (!(stream instanceof DecodingInputStream decoding)) {
        throw new IOException(
            ErrorMessage.to("look at the units of a file")
                .value("features", ClientFeatures.installed())
                .expected("one that reads files of its policy")
                .where("file", file)
                .message());
      }
      decoding.visitGroups(visitor);
    }
  }
}
