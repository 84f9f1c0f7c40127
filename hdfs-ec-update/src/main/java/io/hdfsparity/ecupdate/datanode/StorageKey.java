/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

/**
 * Every key of a storage's engine and of its readers, with default and meaning. All start with
 * {@link #PREFIX}; an unknown one under it is an error.
 */
public enum StorageKey {
  LOG_BYTES(
      "log.bytes",
      "256M",
      "Size of the update log of each storage, when it is made; afterwards the file's size"
          + " counts."),
  RECORD_BYTES(
      "record.max.bytes",
      "4M",
      "Longest record of the log: more than twice the cell size of every policy that is updated."),
  OVERLAY_BYTES(
      "overlay.bytes",
      "8M",
      "Changes of one replica that are in the log only, beyond which further ones wait."),
  DRAIN_DELAY("drain.delay", "200ms", "How long changes gather before they are moved on."),
  SEAL_AFTER("seal.after", "1s", "How long a log must be idle before it is sealed."),
  RESERVED_ALPHA("reserved.alpha", "0.3", "Weight of the latest period in Algorithm 1."),
  RESERVED_CHUNK_BYTES(
      "reserved.chunk.bytes",
      "1M",
      "Reserved space is given back in multiples of this, or of `reserved.bytes` if that is less."),
  RESERVED_BYTES(
      "reserved.bytes",
      "1M",
      "Reserved space that a parity replica begins with; a shorter one begins with its length,"
          + " rounded up to chunks, or to 64K if chunks are longer."),
  RESERVED_UTILITY("reserved.utility", "0.5", "Utility of reserved space before its first period."),
  RESERVED_PERIOD(
      "reserved.period",
      "12h",
      "Length of a period of Algorithm 1, at whose end reserved space is fitted to its use; periods"
          + " end at multiples of it since 1970, UTC. 0: space stays as it is."),
  RESERVED_MERGE(
      "reserved.merge",
      "true",
      "Whether deltas are merged into the parity block at the end of a period, too (the paper's"
          + " shrink+merge); false: shrink only."),
  SNAPSHOT_AGE(
      "snapshot.max.age",
      "10m",
      "Age at which a stock reader's snapshot is closed, since changes wait for it. The reader gets"
          + " an IOException and may open the block anew."),
  QUIET(
      "fence.quiet",
      "10s",
      "How long a stock decoder may take from closing a parity block to opening its last data"
          + " block: admission to updates is refused so long."),
  IO_TRACE(
      "io.trace",
      "",
      "Directory in which each read, write and force of an engine's files is noted, a file a"
          + " storage; for measurements. Empty: none.");

  /** Of all names. */
  public static final String PREFIX = "dfs.parity.ec-update.storage.";

  private final String key;
  private final String defaultValue;
  private final String meaning;

  StorageKey(String suffix, String defaultValue, String meaning) {
    key = "dfs.parity.ec-update.storage." + suffix;
    this.defaultValue = defaultValue;
    this.meaning = meaning;
  }

  /** Full name. */
  public String key() {
    return key;
  }

  /** As it would stand in a site file. */
  public String defaultValue() {
    return defaultValue;
  }

  /** For the operator. */
  public String meaning() {
    return meaning;
  }
}
