/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.correlation;

import io.hdfsparity.caso.format.RecordOutput;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Writes a run, see {@link CountRunFormat}. Not thread-safe. */
final class CountRunWriter implements Closeable {
  private final RecordOutput records;
  private final ByteBuffer entries =
      ByteBuffer.allocate(CountRunFormat.ENTRIES_PER_RECORD * CountRunFormat.ENTRY_BYTES);

  /**
   * @param out is closed with this
   */
  CountRunWriter(OutputStream out) throws IOException {
    this.records = new RecordOutput(CountRunFormat.FILE, out, "", ByteBuffer.allocate(0));
  }

  /** Appends an entry, whose key is higher than that before. */
  void append(long key, int count) throws IOException {
    entries.putLong(key).putInt(count);
    if (!entries.hasRemaining()) {
      flush();
    }
  }

  private void flush() throws IOException {
    if (entries.flip().hasRemaining()) {
      records.append(entries);
    }
    entries.clear();
  }

  /** Ends the run; without this call the file is one that was cut. */
  void end() throws IOException {
    flush();
    records.append(ByteBuffer.allocate(0));
  }

  @Override
  public void close() throws IOException {
    records.close();
  }
}
