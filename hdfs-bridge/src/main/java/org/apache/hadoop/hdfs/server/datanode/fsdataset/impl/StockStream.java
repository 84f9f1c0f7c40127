/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * A block file as Hadoop itself would serve it: BlockSender takes it for a FileInputStream, so it
 * is sent by reference, read ahead and reported when it is damaged. Only, somebody may refuse
 * further reads while it is open. For one thread at a time, like a FileInputStream.
 */
final class StockStream extends FileInputStream {
  /** Asked before each read. */
  @FunctionalInterface
  interface Permission {
    void require() throws IOException;
  }

  private final FileChannel channel;
  private final Permission permission;
  private final Closeable onClose;
  private boolean isClosed;

  /**
   * Reads on from where a file is.
   *
   * @param file shares its descriptor and position; closed by {@code onClose}, not by this
   * @param onClose called once
   */
  StockStream(FileInputStream file, Permission permission, Closeable onClose) throws IOException {
    super(file.getFD());
    this.permission = permission;
    this.onClose = onClose;
    channel = new PermittedChannel(file.getChannel(), permission);
  }

  @Override
  public int read() throws IOException {
    permission.require();
    return super.read();
  }

  @Override
  public int read(byte[] into) throws IOException {
    return read(into, 0, into.length);
  }

  @Override
  public int read(byte[] into, int offset, int lengthBytes) throws IOException {
    permission.require();
    return super.read(into, offset, lengthBytes);
  }

  @Override
  public FileChannel getChannel() {
    return channel;
  }

  @Override
  public void close() throws IOException {
    // Closing the file closes all streams that share its descriptor: then this is called again.
    if (!isClosed) {
      isClosed = true;
      onClose.close();
    }
  }
}
