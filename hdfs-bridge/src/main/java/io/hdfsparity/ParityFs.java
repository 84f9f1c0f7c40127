/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FeatureHdfs;

/**
 * HDFS for clients of the suite that use {@code FileContext}; {@code
 * fs.AbstractFileSystem.hdfs.impl} names it. Reads and refuses what {@link ParityFileSystem} does;
 * everything else is Hadoop's Hdfs. Thread-safe.
 */
public final class ParityFs extends FeatureHdfs {
  /** As AbstractFileSystem makes it. */
  ParityFs(URI uri, Configuration conf) throws IOException, URISyntaxException {
    super(uri, conf);
  }
}
