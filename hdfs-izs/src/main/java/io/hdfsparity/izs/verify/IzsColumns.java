/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.verify;

import io.hdfsparity.izs.codec.IzsCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Codec izs. Thread-safe. */
public record IzsColumns(IzsCodec codec) implements ColumnCode {
  @Override
  public int dataUnits() {
    return codec.code().dataColumns();
  }

  @Override
  public int parityUnits() {
    return codec.code().parityColumns();
  }

  @Override
  public int rows() {
    return codec.code().rows();
  }

  @Override
  public boolean isXor(int parity) {
    return parity == 0;
  }

  @Override
  public void encode(ByteBuffer[] data, ByteBuffer[] parity) {
    codec.encode(data, parity);
  }

  @Override
  public void decode(@Nullable ByteBuffer[] columns, int[] wanted, ByteBuffer[] outputs)
      throws IOException {
    codec.decode(columns, wanted, outputs);
  }
}
