/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.ecupdate.protocol.Healing;
import io.hdfsparity.ecupdate.updater.LockWait;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** As any reader gets them. */
final class StockSource implements GroupSource {
  private final DistributedFileSystem hdfs;
  private final Path file;
  private final long offsetBytes;

  StockSource(DistributedFileSystem hdfs, Path file, long offsetBytes) {
    this.hdfs = hdfs;
    this.file = file;
    this.offsetBytes = offsetBytes;
  }

  @Override
  public InputStream open(LockWait waiting) throws IOException {
    FSDataInputStream in = hdfs.open(file);
    in.seek(offsetBytes);
    return in;
  }

  @Override
  public Optional<Healing> healing() {
    return Optional.empty();
  }

  @Override
  public void know(GroupOutcome fate) {}

  @Override
  public void requireWanted() {}

  @Override
  public void close() {}
}
