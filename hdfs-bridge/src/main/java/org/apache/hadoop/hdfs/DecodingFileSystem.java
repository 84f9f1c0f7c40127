/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import io.hdfsparity.bridge.client.GroupReaderChoice;
import io.hdfsparity.bridge.client.GroupVisitor;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * Hadoop's file system with another client: files that a feature claims are read by its {@link
 * io.hdfsparity.bridge.client.GroupReader}; all others as Hadoop does, but never by the form of a
 * file that is not there any more.
 *
 * <p>Reaches: DistributedFileSystem.initDFSClient(URI, Configuration), package-private, which
 * initialize calls to make the client, and the field dfs that it sets; getPathName,
 * package-private. Checked for Hadoop 3.5.0. Thread-safe as its parent.
 */
public abstract class DecodingFileSystem extends DistributedFileSystem {
  /**
   * Which files are claimed. Called once, while the file system is initialized.
   *
   * @throws IOException if the configuration does not allow to say it
   */
  protected abstract GroupReaderChoice groupReaderChoice(Configuration conf) throws IOException;

  /**
   * Shows the block groups of a file that is claimed; none of one that is not.
   *
   * @throws IOException if the file cannot be opened, or the visitor throws
   */
  protected final void visitGroups(Path file, GroupVisitor visitor) throws IOException {
    String path = getPathName(fixRelativePart(file));
    try (DFSInputStream stream = getClient().open(path, 0, true)) {
      if (stream instanceof DecodingInputStream decoding) {
        decoding.visitGroups(visitor);
      }
    }
  }

  /**
   * What it states of itself to NameNodes where it asks for locations, one of {@link
   * io.hdfsparity.bridge.guard.CallerAbilities}; empty if nothing.
   */
  protected Optional<String> ability() {
    return Optional.empty();
  }

  @Override
  void initDFSClient(URI nameNode, Configuration conf) throws IOException {
    this.dfs = new DecodingClient(nameNode, conf, statistics, groupReaderChoice(conf), ability());
  }
}
