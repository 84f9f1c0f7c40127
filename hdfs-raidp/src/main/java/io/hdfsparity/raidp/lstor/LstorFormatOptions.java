/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

/**
 * What format writes beside geometry and identity.
 *
 * @param journalBytes size of the journal, a multiple of 4096, at least 1 MiB
 * @param checkpointBytes the journal is emptied once so many bytes are in use; more mean fewer
 *     syncs of the parity, fewer stay in the CPU's cache
 * @param maxEntries rows of the slot table
 * @param salt random number that ties rows and records to this Lstor
 */
public record LstorFormatOptions(
    long journalBytes, long checkpointBytes, int maxEntries, long salt) {
  public LstorFormatOptions {
    if (checkpointBytes < 1 || checkpointBytes > journalBytes) {
      throw new IllegalArgumentException(
          "Cannot format: checkpointBytes=" + checkpointBytes + ", expected 1.." + journalBytes);
    }
  }
}
