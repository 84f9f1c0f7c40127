/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.correlation;

import io.hdfsparity.caso.format.RecordInput;
import io.hdfsparity.core.framing.FormatException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** Reads a run, see {@link CountRunFormat}. Not thread-safe. */
final class CountRunReader implements Closeable {
  private final RecordInput records;
  private ByteBuffer entries = ByteBuffer.allocate(0);
  private boolean isAtEnd;
  private long key = -1;
  private int count;

  /**
   * @param in is closed with this
   * @param name for messages
   * @throws FormatException if this is no run
   */
  CountRunReader(InputStream in, String name) throws IOException {
    this.records = new RecordInput(CountRunFormat.FILE, in, name);
  }

  /**
   * Goes to the next entry; false after the last one.
   *
   * @throws FormatException if the file is damaged or cut
   */
  boolean next() throws IOException {
    if (isAtEnd) {
      return false;
    }
    if (!entries.hasRemaining()) {
      ByteBuffer more = records.next();
      if (more == null) {
        throw records.corrupt("last record", 0, "one, the file was cut");
      }
      if (!more.hasRemaining()) {
        isAtEnd = true;
        if (records.next() != null) {
          throw records.corrupt("records after the last", 1, "none");
        }
        return false;
      }
      if (more.remaining() % CountRunFormat.ENTRY_BYTES != 0) {
        throw records.corrupt("payloadBytes", more.remaining(), "whole entries");
      }
      entries = more;
    }
    long nextKey = entries.getLong();
    count = entries.getInt();
    if (nextKey <= key || count <= 0) {
      throw records.corrupt(
          "key", nextKey, "above " + key + ", with a count above 0, count=" + count);
    }
    key = nextKey;
    return true;
  }

  /** Key of the entry. */
  long key() {
    return key;
  }

  /** Count of the entry. */
  int count() {
    return count;
  }

  @Override
  public void close() throws IOException {
    records.close();
  }
}
