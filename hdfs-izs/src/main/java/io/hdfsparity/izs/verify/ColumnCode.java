/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.verify;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An erasure code, as verification needs it. Columns are buffers of one length, from position to
 * limit, which stay; together they are one codeword. To be closed after use.
 */
public interface ColumnCode extends Closeable {
  int dataUnits();

  int parityUnits();

  /**
   * Rows of a cell that parity mixes. The same stretch of every row of every column, one after the
   * other, is a codeword with rows as long as the stretch.
   */
  int rows();

  /**
   * Whether a parity unit is the XOR of the data units.
   *
   * @param parity from 0
   */
  boolean isXor(int parity);

  /** Computes all parity columns. */
  void encode(ByteBuffer[] data, ByteBuffer[] parity) throws IOException;

  /**
   * Computes columns from others.
   *
   * @param columns all by number; null: not to be used. At least as many as data units are there
   * @param wanted null in {@code columns}; at most as many as parity units
   */
  void decode(@Nullable ByteBuffer[] columns, int[] wanted, ByteBuffer[] outputs)
      throws IOException;

  /** Releases memory that is not Java's, if it has any. */
  @Override
  default void close() {}
}
