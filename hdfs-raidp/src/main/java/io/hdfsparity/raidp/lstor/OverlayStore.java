/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import io.hdfsparity.core.store.ByteStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Another store, read only, with writes kept in memory: to replay a journal without touching the
 * file. Thread-safe.
 */
final class OverlayStore implements ByteStore {
  private static final int PAGE_BYTES = 4096;

  private final ByteStore base;
  private final Map<Long, byte[]> pages = new HashMap<>();

  OverlayStore(ByteStore base) {
    this.base = base;
  }

  @Override
  public long sizeBytes() {
    return base.sizeBytes();
  }

  @Override
  public synchronized void read(long offset, ByteBuffer dst) throws IOException {
    if (pages.isEmpty()) {
      base.read(offset, dst);
      return;
    }
    long at = offset;
    int limit = dst.limit();
    while (dst.position() < limit) {
      int inPage = (int) (at % PAGE_BYTES);
      int count = Math.min(limit - dst.position(), PAGE_BYTES - inPage);
      byte[] page = pages.get(at / PAGE_BYTES);
      if (page != null) {
        dst.put(page, inPage, count);
      } else {
        base.read(at, dst.limit(dst.position() + count));
        dst.limit(limit);
      }
      at += count;
    }
  }

  @Override
  public synchronized void write(long offset, ByteBuffer src) throws IOException {
    long at = offset;
    while (src.hasRemaining()) {
      int inPage = (int) (at % PAGE_BYTES);
      int count = Math.min(src.remaining(), PAGE_BYTES - inPage);
      byte[] page = pages.get(at / PAGE_BYTES);
      if (page == null) {
        page = basePage(at / PAGE_BYTES);
        pages.put(at / PAGE_BYTES, page);
      }
      src.get(page, inPage, count);
      at += count;
    }
  }

  @Override
  public void sync(long offset, long lengthBytes) {
    // Nothing of an overlay is meant to last.
  }

  @Override
  public void close() throws IOException {
    base.close();
  }

  @Override
  public String toString() {
    return base.toString();
  }

  private byte[] basePage(long index) throws IOException {
    byte[] page = new byte[PAGE_BYTES];
    long start = index * PAGE_BYTES;
    int count = (int) Math.min(PAGE_BYTES, base.sizeBytes() - start);
    if (count <= 0) {
      throw new IOException(
          "Cannot write: offset="
              + start
              + ", expected below size "
              + base.sizeBytes()
              + ", file="
              + base);
    }
    base.read(start, ByteBuffer.wrap(page, 0, count));
    return page;
  }
}
