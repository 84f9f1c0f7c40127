/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import java.io.IOException;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;

/** Streams of what is stored of a file, whatever order its cells are stored in. Stateless. */
public final class StoredStreams {
  private StoredStreams() {}

  /** Opens a file by any client; one with features reads it as Hadoop's own does, too. */
  public static HdfsDataInputStream open(DFSClient client, String path) throws IOException {
    DFSInputStream stream = client.open(path);
    return client instanceof FeatureClient own
        ? own.createStoredStream(stream)
        : client.createWrappedInputStream(stream);
  }
}
