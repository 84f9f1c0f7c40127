/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import io.hdfsparity.caso.layout.FileOrder;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.EOFException;
import java.io.IOException;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.StreamCapabilities;

/**
 * A file in its own order, read from a stream of the stored one. Vectored reads are positioned
 * reads of each range, as {@code PositionedReadable} has them.
 *
 * <p>As Hadoop's own streams: positioned reads by any number of threads, all else by one at a time.
 */
final class CasoInputStream extends FSInputStream implements CanUnbuffer, StreamCapabilities {
  private final FSDataInputStream stored;
  private final FileOrder order;
  private final String file;
  private long position;
  private boolean isClosed;

  /**
   * @param stored of the stored file; closed with this
   * @param file for messages
   */
  CasoInputStream(FSDataInputStream stored, FileOrder order, String file) {
    this.stored = stored;
    this.order = order;
    this.file = file;
  }

  private void requireOpen() throws IOException {
    if (isClosed) {
      throw new IOException(FSExceptionMessages.STREAM_IS_CLOSED);
    }
  }

  @Override
  public synchronized void seek(long to) throws IOException {
    requireOpen();
    if (to < 0) {
      throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK);
    }
    if (to > order.lengthBytes()) {
      throw new EOFException(FSExceptionMessages.CANNOT_SEEK_PAST_EOF);
    }
    position = to;
  }

  @Override
  public synchronized long getPos() {
    return position;
  }

  @Override
  public boolean seekToNewSource(long to) {
    return false;
  }

  @Override
  public synchronized int read() throws IOException {
    byte[] one = new byte[1];
    int count = read(one, 0, 1);
    return count < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public synchronized int read(byte[] buffer, int offset, int length) throws IOException {
    requireOpen();
    validatePositionedReadArgs(position, buffer, offset, length);
    if (length == 0) {
      return 0;
    }
    if (position >= order.lengthBytes()) {
      return -1;
    }
    long from = order.stored(position);
    if (stored.getPos() != from) {
      stored.seek(from);
    }
    int count = stored.read(buffer, offset, (int) Math.min(length, order.run(position)));
    position += some(count, from);
    return count;
  }

  @Override
  public int read(long at, byte[] buffer, int offset, int length) throws IOException {
    validatePositionedReadArgs(at, buffer, offset, length);
    synchronized (this) {
      requireOpen();
    }
    if (length == 0) {
      return 0;
    }
    if (at >= order.lengthBytes()) {
      return -1;
    }
    long from = order.stored(at);
    return some(stored.read(from, buffer, offset, (int) Math.min(length, order.run(at))), from);
  }

  /** The end of the stored file is not the end of this one: something is wrong. */
  private int some(int count, long from) throws IOException {
    if (count <= 0) {
      throw new EOFException(
          ErrorMessage.to("read a file in stored order")
              .value("bytes", count)
              .expected("at least one, since the file has " + order.lengthBytes())
              .where("file", file)
              .offset(from)
              .message());
    }
    return count;
  }

  @Override
  public synchronized int available() throws IOException {
    requireOpen();
    return (int) Math.min(Integer.MAX_VALUE, order.lengthBytes() - position);
  }

  @Override
  public synchronized void unbuffer() {
    stored.unbuffer();
  }

  @Override
  public boolean hasCapability(String capability) {
    return StreamCapabilities.UNBUFFER.equalsIgnoreCase(capability)
        && stored.hasCapability(capability);
  }

  @Override
  public synchronized void close() throws IOException {
    isClosed = true;
    stored.close();
  }
}
