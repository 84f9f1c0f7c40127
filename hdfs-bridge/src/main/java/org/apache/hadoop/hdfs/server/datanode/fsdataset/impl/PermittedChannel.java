/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * A channel of a file that is read only, which asks before each read. What it transfers the channel
 * behind it transfers, so by reference where that can. Thread-safe as that is; does not close it.
 */
final class PermittedChannel extends FileChannel {
  private final FileChannel file;
  private final StockStream.Permission permission;

  PermittedChannel(FileChannel file, StockStream.Permission permission) {
    this.file = file;
    this.permission = permission;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    permission.require();
    return file.read(into);
  }

  @Override
  public long read(ByteBuffer[] into, int offset, int length) throws IOException {
    permission.require();
    return file.read(into, offset, length);
  }

  @Override
  public int read(ByteBuffer into, long position) throws IOException {
    permission.require();
    return file.read(into, position);
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    permission.require();
    return file.transferTo(position, count, target);
  }

  @Override
  public long position() throws IOException {
    return file.position();
  }

  @Override
  public FileChannel position(long to) throws IOException {
    file.position(to);
    return this;
  }

  @Override
  public long size() throws IOException {
    return file.size();
  }

  /** Refused: what is mapped is read without asking. */
  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) {
    throw new NonReadableChannelException();
  }

  @Override
  public int write(ByteBuffer from) {
    throw new NonWritableChannelException();
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) {
    throw new NonWritableChannelException();
  }

  @Override
  public int write(ByteBuffer from, long position) {
    throw new NonWritableChannelException();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count) {
    throw new NonWritableChannelException();
  }

  @Override
  public FileChannel truncate(long size) {
    throw new NonWritableChannelException();
  }

  @Override
  public void force(boolean metaData) {}

  @Override
  public FileLock lock(long position, long size, boolean shared) {
    throw new NonWritableChannelException();
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) {
    throw new NonWritableChannelException();
  }

  @Override
  protected void implCloseChannel() {}
}
