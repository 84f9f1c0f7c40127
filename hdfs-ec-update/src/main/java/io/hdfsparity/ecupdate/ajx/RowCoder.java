/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.core.gf.RowReduction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Encodes and decodes codewords of a code whose rows move. Buffers are used from index 0 and may be
 * longer than the codeword; what lies behind it is not touched. Immutable, thread-safe.
 */
final class RowCoder {
  private final Kernel kernel;
  private final GfMatrix coefficients;
  private final RowMap map;
  private final int codewordBytes;
  private final int rowBytes;
  private final int tailOffset;

  RowCoder(Kernel kernel, CodeTable table, int codewordBytes) {
    this.kernel = kernel;
    coefficients = table.coefficients();
    map = table.rowMap();
    this.codewordBytes = codewordBytes;
    rowBytes = map.rowBytes(codewordBytes);
    tailOffset = map.tailOffset(codewordBytes);
  }

  /** Computes all parity blocks. */
  void encode(ByteBuffer[] data, ByteBuffer[] parity) {
    for (int block = 0; block < parity.length; block++) {
      byte[] row = coefficients.row(block);
      if (map.isPlain(block)) {
        combine(row, parts(data, 0, codewordBytes), parity[block], 0, codewordBytes);
        continue;
      }
      for (int target = 0; target < map.rows(); target++) {
        ByteBuffer[] inputs = new ByteBuffer[data.length];
        for (int j = 0; j < data.length; j++) {
          inputs[j] = data[j].slice(map.source(block, j, target) * rowBytes, rowBytes);
        }
        combine(row, inputs, parity[block], target * rowBytes, rowBytes);
      }
      int tailBytes = codewordBytes - tailOffset;
      combine(row, parts(data, tailOffset, tailBytes), parity[block], tailOffset, tailBytes);
    }
  }

  private static ByteBuffer[] parts(ByteBuffer[] blocks, int offset, int lengthBytes) {
    ByteBuffer[] parts = new ByteBuffer[blocks.length];
    for (int i = 0; i < blocks.length; i++) {
      parts[i] = blocks[i].slice(offset, lengthBytes);
    }
    return parts;
  }

  private void combine(
      byte[] row, ByteBuffer[] inputs, ByteBuffer output, int offset, int lengthBytes) {
    if (lengthBytes > 0) {
      kernel.encode(row, inputs, new ByteBuffer[] {output.slice(offset, lengthBytes)});
    }
  }

  /**
   * Computes unknown data blocks.
   *
   * @param parities parity blocks (0..) that are known
   * @param syndromes one each: what is there, less what the known data blocks make of it
   * @param unknown the data blocks
   * @param outputs one each
   * @return false if those parity blocks do not determine them: nothing is written then
   */
  boolean solve(
      List<Integer> parities, ByteBuffer[] syndromes, List<Integer> unknown, ByteBuffer[] outputs) {
    Optional<byte[]> tail = inverse(parities, unknown, /* rows= */ 1);
    Optional<byte[]> rows = inverse(parities, unknown, map.rows());
    if (tail.isEmpty() || rows.isEmpty()) {
      return false;
    }
    if (rowBytes > 0) {
      kernel.encode(rows.get(), rowsOf(syndromes), rowsOf(outputs));
    }
    int tailBytes = codewordBytes - tailOffset;
    if (tailBytes > 0) {
      kernel.encode(
          tail.get(),
          parts(syndromes, tailOffset, tailBytes),
          parts(outputs, tailOffset, tailBytes));
    }
    return true;
  }

  private ByteBuffer[] rowsOf(ByteBuffer[] blocks) {
    List<ByteBuffer> rows = new ArrayList<>();
    for (ByteBuffer block : blocks) {
      for (int row = 0; row < map.rows(); row++) {
        rows.add(block.slice(row * rowBytes, rowBytes));
      }
    }
    return rows.toArray(ByteBuffer[]::new);
  }

  /** What gives each row of the unknown blocks from all rows of the parity blocks. */
  private Optional<byte[]> inverse(List<Integer> parities, List<Integer> unknown, int rows) {
    int width = unknown.size() * rows;
    int height = parities.size() * rows;
    byte[] system = new byte[height * width];
    for (int p = 0; p < parities.size(); p++) {
      for (int u = 0; u < unknown.size(); u++) {
        for (int row = 0; row < rows; row++) {
          int source = rows == 1 ? 0 : map.source(parities.get(p), unknown.get(u), row);
          system[(p * rows + row) * width + u * rows + source] =
              (byte) coefficients.at(parities.get(p), unknown.get(u));
        }
      }
    }
    RowReduction reduction = new RowReduction(GfMatrix.of(height, width, system));
    byte[] inverse = new byte[width * height];
    for (int wanted = 0; wanted < width; wanted++) {
      byte[] unit = new byte[width];
      unit[wanted] = 1;
      Optional<byte[]> combination = reduction.express(unit);
      if (combination.isEmpty()) {
        return Optional.empty();
      }
      System.arraycopy(combination.get(), 0, inverse, wanted * height, height);
    }
    return Optional.of(inverse);
  }
}
