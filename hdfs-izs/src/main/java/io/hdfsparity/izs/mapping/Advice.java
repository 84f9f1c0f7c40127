/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.mapping;

import io.hdfsparity.izs.mapping.MappingTable.Rule;
import java.util.Optional;

/**
 * What a file should be.
 *
 * @param file as it is
 * @param verdict whether and how it changes
 * @param rule that says so; empty when there is no advice
 * @param form that it should have; empty when there is no advice
 * @param why one sentence
 * @param rate of its accesses
 * @param rawBytesNow on disks
 * @param rawBytesThen on disks in the new form; the same as now when there is no advice
 */
public record Advice(
    FileFacts file,
    Verdict verdict,
    Optional<Rule> rule,
    Optional<StorageForm> form,
    String why,
    AccessRate rate,
    long rawBytesNow,
    long rawBytesThen) {
  /** What is to be done. */
  public enum Verdict {
    /** It is as it should be. */
    KEEP,
    /** Another number of copies: in place. */
    SET_REPLICATION,
    /** More or fewer parity blocks: in place. */
    SET_LEVEL,
    /** Between copies and code, or between codes: its bytes are rewritten. */
    REWRITE,
    /** Too little is known to say. */
    UNDECIDED,
    /** The attribute has a value that the table does not know. */
    INVALID_IMPORTANCE
  }

  /** Bytes spent; negative when saved. */
  public long deltaBytes() {
    return rawBytesThen - rawBytesNow;
  }
}
