/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.verify;

import java.util.List;

/**
 * What a DataNode has found of a block group. Immutable.
 *
 * @param taskId of the task
 * @param groupId of the group
 * @param finding in a word
 * @param isWhole whether every byte of all parity was compared, by itself or by its checksum
 * @param units WRONG_PARITY: parity units that do not fit the data; SUSPECT_DATA: data units each
 *     of which would explain all; else none
 * @param readBytes read to compare
 * @param reason in words, for the log
 */
public record VerifyReport(
    long taskId,
    long groupId,
    Finding finding,
    boolean isWhole,
    List<Integer> units,
    long readBytes,
    String reason) {
  public VerifyReport {
    units = List.copyOf(units);
  }

  /** What was found. */
  public enum Finding {
    /** All that was compared fits. */
    FITS,
    /**
     * Parity does not fit the data: units of it if every byte was compared; else a sample, or what
     * checksums say, so that every byte is to be compared.
     */
    WRONG_PARITY,
    /** Every byte was compared, and one data unit with other bytes would make all parity fit. */
    SUSPECT_DATA,
    /** Some unit could not be read. */
    NOT_COMPARED,
    /** Updates have taken units. */
    UPDATED
  }
}
