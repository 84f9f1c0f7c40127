/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The files of a replica that has never changed, as they are. */
final class FileSource implements SnapshotSource {
  private final FileChannel data;
  private final FileChannel meta;

  private FileSource(FileChannel data, FileChannel meta) {
    this.data = data;
    this.meta = meta;
  }

  static FileSource open(Path block, Path checksums) throws IOException {
    FileChannel data = FileChannel.open(block, StandardOpenOption.READ);
    try {
      return new FileSource(data, FileChannel.open(checksums, StandardOpenOption.READ));
    } catch (IOException e) {
      data.close();
      throw e;
    }
  }

  long metaBytes() throws IOException {
    return meta.size();
  }

  @Override
  public int readData(long position, byte[] into, int offset, int lengthBytes) throws IOException {
    return data.read(ByteBuffer.wrap(into, offset, lengthBytes), position);
  }

  @Override
  public int readMeta(long position, byte[] into, int offset, int lengthBytes) throws IOException {
    return meta.read(ByteBuffer.wrap(into, offset, lengthBytes), position);
  }

  @Override
  public void close() throws IOException {
    try (data) {
      meta.close();
    }
  }
}
