/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.ecupdate.storage.ReservedArea;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reserved space whose damage is damage of its replica: without its deltas no byte is right. */
record WatchedArea(ReservedArea area, DamageWatch watch) implements ReservedArea {
  @Override
  public long sizeBytes() {
    return area.sizeBytes();
  }

  @Override
  public void read(long offset, ByteBuffer into) throws IOException {
    int lengthBytes = into.remaining();
    try {
      area.read(offset, into);
    } catch (IOException e) {
      throw watch.found(e, offset, () -> area.read(offset, ByteBuffer.allocate(lengthBytes)));
    }
  }

  @Override
  public void prepareWrite() throws IOException {
    try {
      area.prepareWrite();
    } catch (IOException e) {
      throw watch.found(e, 0, () -> area.read(0, ByteBuffer.allocate(1)));
    }
  }

  @Override
  public void write(long offset, ByteBuffer from) throws IOException {
    area.write(offset, from);
  }

  @Override
  public void force() throws IOException {
    area.force();
  }

  @Override
  public void shrink(long toBytes) throws IOException {
    area.shrink(toBytes);
  }

  @Override
  public void endWrite() throws IOException {
    area.endWrite();
  }
}
