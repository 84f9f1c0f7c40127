/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The files of a replica that has never changed, as they are. */
final class FileSource implements SnapshotSource {
  private final FileInputStream data;
  private final FileChannel meta;
  private final boolean isForGood;
  private boolean isTaken;

  private FileSource(FileInputStream data, FileChannel meta, boolean isForGood) {
    this.data = data;
    this.meta = meta;
    this.isForGood = isForGood;
  }

  /**
   * Opens the files.
   *
   * @param isForGood whether these files never change, whatever becomes of the replica
   */
  static FileSource open(Path block, Path checksums, boolean isForGood) throws IOException {
    FileInputStream data = new FileInputStream(block.toFile());
    try {
      return new FileSource(data, FileChannel.open(checksums, StandardOpenOption.READ), isForGood);
    } catch (IOException e) {
      data.close();
      throw e;
    }
  }

  /** Whether what is read here stays as it is. */
  boolean isForGood() {
    return isForGood;
  }

  /** The block file, for one who reads it by its position; null if it may change, or the second. */
  @Nullable FileInputStream takeData() {
    if (!isForGood || isTaken) {
      return null;
    }
    isTaken = true;
    return data;
  }

  long metaBytes() throws IOException {
    return meta.size();
  }

  @Override
  public int readData(long position, byte[] into, int offset, int lengthBytes) throws IOException {
    return read(data.getChannel(), position, ByteBuffer.wrap(into, offset, lengthBytes));
  }

  @Override
  public int readMeta(long position, byte[] into, int offset, int lengthBytes) throws IOException {
    return read(meta, position, ByteBuffer.wrap(into, offset, lengthBytes));
  }

  private static int read(FileChannel file, long position, ByteBuffer into) throws IOException {
    try {
      return file.read(into, position);
    } catch (IOException e) {
      throw ReadFailures.of(e, position);
    }
  }

  @Override
  public void close() throws IOException {
    try (data) {
      meta.close();
    }
  }
}
