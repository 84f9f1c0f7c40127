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
final class WatchedArea extends ForwardingArea {
  private final DamageWatch watch;

  WatchedArea(ReservedArea area, DamageWatch watch) {
    super(area);
    this.watch = watch;
  }

  @Override
  public void read(long offset, ByteBuffer into) throws IOException {
    int lengthBytes = into.remaining();
    try {
      super.read(offset, into);
    } catch (IOException e) {
      throw watch.found(e, offset, () -> super.read(offset, ByteBuffer.allocate(lengthBytes)));
    }
  }

  @Override
  public IOException damaged(IOException failure) {
    watch.damaged();
    return ReadFailures.damage(failure, 0);
  }

  @Override
  public void prepareWrite() throws IOException {
    try {
      super.prepareWrite();
    } catch (IOException e) {
      throw watch.found(e, 0, () -> super.read(0, ByteBuffer.allocate(1)));
    }
  }
}
