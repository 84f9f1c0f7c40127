/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

/**
 * Counters of an Lstor since it was opened, and its present load.
 *
 * @param bytesXored image bytes XORed into either parity
 */
public record LstorStats(Journal journal, Rows rows, long bytesXored) {
  /**
   * Transactions.
   *
   * @param bytesInUse bytes of records not yet checkpointed
   * @param capacityBytes size of the journal
   * @param records transactions committed
   * @param recordBytes bytes of those records
   * @param checkpoints checkpoints made
   * @param replayedRecords records replayed at open
   * @param commitNanosSum time in commits (append, sync, apply), in nanoseconds
   * @param commitNanosMax slowest commit in nanoseconds
   */
  public record Journal(
      long bytesInUse,
      long capacityBytes,
      long records,
      long recordBytes,
      long checkpoints,
      long replayedRecords,
      long commitNanosSum,
      long commitNanosMax) {}

  /**
   * The slot table.
   *
   * @param entries all rows
   * @param maxEntries rows that fit
   * @param unacknowledged rows whose partner has not said that it covers the same prefix
   * @param unacknowledgedBytes sum of {@code coveredBytes} of those
   * @param limbo rows in state LIMBO
   * @param limboBytes sum of {@code coveredBytes} of those
   */
  public record Rows(
      int entries,
      int maxEntries,
      int unacknowledged,
      long unacknowledgedBytes,
      int limbo,
      long limboBytes) {}
}
