/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.bridge.guard.CallerAbilities;
import io.hdfsparity.ecupdate.protocol.Healing;
import io.hdfsparity.ecupdate.updater.LockWait;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.StoredStreams;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;

/** As any reader gets them, in the order in which the file is stored. */
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
    try (CallerAbilities.Statement ignored = orders()) {
      HdfsDataInputStream in = StoredStreams.open(hdfs.getClient(), file.toUri().getPath());
      in.seek(offsetBytes);
      return new Stored(in);
    }
  }

  /** A group is copied as it is stored, so its order does not matter; any client may do that. */
  private static CallerAbilities.Statement orders() {
    return CallerAbilities.state(CallerAbilities.ORDERS);
  }

  /** States that it knows orders in each read too: a stream may ask for locations again. */
  private static final class Stored extends InputStream {
    private final HdfsDataInputStream in;

    Stored(HdfsDataInputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      try (CallerAbilities.Statement ignored = orders()) {
        return in.read();
      }
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      try (CallerAbilities.Statement ignored = orders()) {
        return in.read(target, offset, length);
      }
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
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
