/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.history;

import io.hdfsparity.core.framing.RecordFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * A part of a history file in memory, which moves with what is read: so a file of any length is
 * read with {@value #WINDOW_BYTES} bytes of heap. The file must not change. Not thread-safe.
 */
final class FileWindow {
  static final int WINDOW_BYTES = 4 << 20;

  private static final int MAX_RECORD_BYTES =
      RecordFormat.recordBytes(HistoryFormat.MAX_RECORD_PAYLOAD_BYTES);

  private final FileChannel file;
  private final long fileBytes;
  private final ByteBuffer window;
  private long begin;

  FileWindow(FileChannel file) throws IOException {
    this.file = file;
    this.fileBytes = file.size();
    this.window = ByteBuffer.allocate((int) Math.min(WINDOW_BYTES, fileBytes)).limit(0);
  }

  /** Length of the file when this was made. */
  long fileBytes() {
    return fileBytes;
  }

  /**
   * What is in the file from an offset on: as much as the longest record takes, or all up to the
   * end of the file. Valid until the next call.
   *
   * @param offset in the file, at most its length
   */
  ByteBuffer at(long offset) throws IOException {
    long wantedEnd = Math.min(offset + MAX_RECORD_BYTES, fileBytes);
    if (offset < begin || wantedEnd > begin + window.limit()) {
      move(offset);
    }
    return window.duplicate().position((int) (offset - begin));
  }

  /**
   * Where a number stands first from an offset on.
   *
   * @return the offset in the file, or -1 when it stands nowhere
   */
  long find(int number, long from) throws IOException {
    for (long at = from; at + Integer.BYTES <= fileBytes; at++) {
      if (at < begin || at + Integer.BYTES > begin + window.limit()) {
        move(at);
      }
      if (window.getInt((int) (at - begin)) == number) {
        return at;
      }
    }
    return -1;
  }

  private void move(long offset) throws IOException {
    begin = offset;
    window.clear().limit((int) Math.min(window.capacity(), fileBytes - offset));
    while (window.hasRemaining()) {
      if (file.read(window, offset + window.position()) < 0) {
        throw new IOException(
            "Cannot read a history: fileBytes="
                + (offset + window.position())
                + ", expected "
                + fileBytes
                + "; it was cut while it was read");
      }
    }
    window.position(0);
  }
}
