/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.ecupdate.storage.ReservedArea;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reserved space that hands all calls on: the one place that has to know all of them. */
class ForwardingArea implements ReservedArea {
  private final ReservedArea area;

  ForwardingArea(ReservedArea area) {
    this.area = area;
  }

  @Override
  public long sizeBytes() throws IOException {
    return area.sizeBytes();
  }

  @Override
  public void read(long offset, ByteBuffer into) throws IOException {
    area.read(offset, into);
  }

  @Override
  public IOException damaged(IOException failure) {
    return area.damaged(failure);
  }

  @Override
  public void prepareWrite() throws IOException {
    area.prepareWrite();
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
