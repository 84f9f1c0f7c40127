/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.util.List;

/**
 * What a pass over an Lstor found.
 *
 * @param cells parity cells verified
 * @param bytesRead bytes read
 * @param corruptCells cells whose CRC does not match
 * @param tableFindings rows of the tables on the store that differ from the ones in memory or fail
 *     their CRC
 */
public record ScrubResult(
    long cells, long bytesRead, List<CorruptCell> corruptCells, List<String> tableFindings) {
  public ScrubResult {
    corruptCells = List.copyOf(corruptCells);
    tableFindings = List.copyOf(tableFindings);
  }

  public boolean isClean() {
    return corruptCells.isEmpty() && tableFindings.isEmpty();
  }

  /**
   * A parity cell that fails its CRC.
   *
   * @param kind region
   * @param cell index in the region
   * @param firstUnit first unit with bytes in the cell
   * @param lastUnit last unit with bytes in the cell, inclusive
   * @param fileOffset where the cell starts in the store
   */
  public record CorruptCell(
      ParityKind kind, long cell, int firstUnit, int lastUnit, long fileOffset) {}

  /**
   * Notified during a pass, outside the Lstor's lock: the place to throttle, or to stop by
   * throwing.
   */
  @FunctionalInterface
  public interface Progress {
    void verified(long doneBytes, long totalBytes) throws java.io.IOException;
  }
}
