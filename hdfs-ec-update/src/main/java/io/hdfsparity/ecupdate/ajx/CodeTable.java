/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.gf.GfMatrix;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * All that makes a code: what data is multiplied with, and where in a parity block it goes. To be
 * kept, compared and checked; {@link StripeCode} computes with it. Immutable, thread-safe.
 *
 * @param coefficients one row a parity block, one column a data block; of rows and tail alike
 * @param rowMap for the same blocks
 */
public record CodeTable(GfMatrix coefficients, RowMap rowMap) {
  public CodeTable {
    Checks.argument(
        coefficients.rows() == rowMap.parityBlocks()
            && coefficients.columns() == rowMap.dataBlocks(),
        "make a code",
        "rowMap",
        rowMap.parityBlocks() + " * " + rowMap.dataBlocks(),
        "that of " + coefficients.rows() + " * " + coefficients.columns() + " coefficients");
  }

  /** Of a code in which parity bytes depend on data bytes of the same place. */
  public static CodeTable plain(GfMatrix coefficients) {
    return new CodeTable(coefficients, RowMap.plain(coefficients.rows(), coefficients.columns()));
  }

  public int parityBlocks() {
    return coefficients.rows();
  }

  public int dataBlocks() {
    return coefficients.columns();
  }

  /**
   * CRC-32 by which both ends of a connection know that they have one code: of the coefficients,
   * row by row, and unless the map is plain of its number of rows (4 bytes) and its targets.
   */
  public int crc() {
    CRC32 crc = new CRC32();
    crc.update(coefficients.toBytes());
    if (!rowMap.isPlain()) {
      crc.update(ByteBuffer.allocate(Integer.BYTES).putInt(rowMap.rows()).flip());
      crc.update(rowMap.toBytes());
    }
    return (int) crc.getValue();
  }
}
