/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.bridge.copy.UndecodedInput;
import io.hdfsparity.bridge.guard.CallerAbilities;
import io.hdfsparity.ecupdate.protocol.Healing;
import io.hdfsparity.ecupdate.updater.LockWait;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DecodeCount;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.StoredStreams;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.io.IOUtils;

/**
 * As any reader gets them of the data units, in the order in which the file is stored. What a
 * reader would decode is refused: parity may be wrong, and the units that know better are deleted
 * when the group is replaced.
 */
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
    return new Stored(new UndecodedInput(new Streams(), file.toUri().getPath()), offsetBytes);
  }

  /** A group is copied as it is stored, so its order does not matter; any client may do that. */
  private static CallerAbilities.Statement orders() {
    return CallerAbilities.state(CallerAbilities.ORDERS);
  }

  private final class Streams implements UndecodedInput.Source {
    @Override
    public HdfsDataInputStream open() throws IOException {
      try (CallerAbilities.Statement ignored = orders()) {
        HdfsDataInputStream in = StoredStreams.open(hdfs.getClient(), file.toUri().getPath());
        try {
          DecodeCount.begin(in);
        } catch (RuntimeException e) {
          IOUtils.closeStream(in);
          throw e;
        }
        return in;
      }
    }

    /** The NameNode sees whether the file still has the group. */
    @Override
    public void check(HdfsDataInputStream read) {}
  }

  /** States that it knows orders in each read too: a stream may ask for locations again. */
  private static final class Stored extends InputStream {
    private final UndecodedInput in;
    private long position;

    Stored(UndecodedInput in, long position) {
      this.in = in;
      this.position = position;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      byte[] buffer = offset == 0 ? target : new byte[length];
      int count;
      try (CallerAbilities.Statement ignored = orders()) {
        count = in.read(position, buffer, length);
      }
      if (count > 0) {
        if (offset != 0) {
          System.arraycopy(buffer, 0, target, offset, count);
        }
        position += count;
      }
      return count;
    }

    @Override
    public void close() {
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
