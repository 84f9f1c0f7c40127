/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import static io.hdfsparity.bridge.config.KeyUser.DATANODE;
import static io.hdfsparity.bridge.config.ValueForm.DIRECTORY;
import static io.hdfsparity.bridge.config.ValueForm.DURATION;
import static io.hdfsparity.bridge.config.ValueForm.FLAG;
import static io.hdfsparity.bridge.config.ValueForm.FRACTION;
import static io.hdfsparity.bridge.config.ValueForm.SIZE;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.KeySpec;
import io.hdfsparity.bridge.config.KeyUser;
import io.hdfsparity.bridge.config.ValueForm;
import java.util.Set;

/**
 * Every key of a storage's engine and of its readers, with default and meaning. All start with
 * {@link #PREFIX}; an unknown one under it is an error.
 */
public enum StorageKey implements ConfigKey {
  LOG_BYTES(
      "log.bytes",
      SIZE,
      "256M",
      Set.of(DATANODE),
      "Size of the update log of each storage, when it is made; afterwards the file's size"
          + " counts."),
  RECORD_BYTES(
      "record.max.bytes",
      SIZE,
      "4M",
      Set.of(DATANODE),
      "Longest record of the log: more than twice the cell size of every policy that is updated."),
  OVERLAY_BYTES(
      "overlay.bytes",
      SIZE,
      "8M",
      Set.of(DATANODE),
      "Changes of one replica that are in the log only, beyond which further ones wait."),
  DRAIN_DELAY(
      "drain.delay",
      DURATION,
      "200ms",
      Set.of(DATANODE),
      "How long changes gather before they are moved on."),
  SEAL_AFTER(
      "seal.after",
      DURATION,
      "1s",
      Set.of(DATANODE),
      "How long a log must be idle before it is sealed."),
  QUIESCENT_AFTER(
      "quiescent.after",
      DURATION,
      "10s",
      Set.of(DATANODE),
      "How long a replica must be without changes before the protocol state of its quiescent cells"
          + " is reduced to their epochs, in memory and in its state file."),
  RECEIPT_BYTES(
      "receipts.bytes",
      SIZE,
      "64M",
      Set.of(DATANODE),
      "Bytes that writes have replaced and clients have not collected, in the memory of each"
          + " storage. A write is refused when its session would have more of them than are left,"
          + " until it has collected, which programs do by themselves. A session that has none may"
          + " always make one write."),
  RESERVED_ALPHA(
      "reserved.alpha",
      FRACTION,
      "0.3",
      Set.of(DATANODE),
      "Weight of the latest period in Algorithm 1."),
  RESERVED_CHUNK_BYTES(
      "reserved.chunk.bytes",
      SIZE,
      "1M",
      Set.of(DATANODE),
      "Reserved space is given back in multiples of this, or of `reserved.bytes` if that is less."),
  RESERVED_BYTES(
      "reserved.bytes",
      SIZE,
      "1M",
      Set.of(DATANODE),
      "Reserved space that a parity replica begins with; a shorter one begins with its length,"
          + " rounded up to chunks, or to 64K if chunks are longer."),
  RESERVED_UTILITY(
      "reserved.utility",
      FRACTION,
      "0.5",
      Set.of(DATANODE),
      "Utility of reserved space before its first period."),
  RESERVED_PERIOD(
      "reserved.period",
      DURATION,
      "12h",
      Set.of(DATANODE),
      "Length of a period of Algorithm 1, at whose end reserved space is fitted to its use; periods"
          + " end at multiples of it since 1970, UTC. 0: space stays as it is."),
  RESERVED_MERGE(
      "reserved.merge",
      FLAG,
      "true",
      Set.of(DATANODE),
      "Whether deltas are merged into the parity block at the end of a period, too (the paper's"
          + " shrink+merge); false: shrink only."),
  SNAPSHOT_AGE(
      "snapshot.max.age",
      DURATION,
      "10m",
      Set.of(DATANODE),
      "Age at which a stock reader's snapshot is closed, since changes wait for it. The reader gets"
          + " an IOException and may open the block again."),
  SNAPSHOT_FULL_AGE(
      "snapshot.full.age",
      DURATION,
      "20s",
      Set.of(DATANODE),
      "Age at which a stock reader's snapshot is closed if changes find no room because of it, in"
          + " the overlay of its replica or in the log. The reader gets an IOException and may open"
          + " the block again. The block scanner's snapshot is closed at any age then."),
  QUIET(
      "fence.quiet",
      DURATION,
      "10s",
      Set.of(DATANODE),
      "How long a stock decoder may take from closing a parity block to opening its last data"
          + " block: admission to updates is refused so long."),
  IO_TRACE(
      "io.trace",
      DIRECTORY,
      "",
      Set.of(DATANODE),
      "Directory in which each read, write and force of an engine's files is noted, a file a"
          + " storage; for measurements. Empty: none.");

  /** Prefix of all names. */
  public static final String PREFIX = SUITE_PREFIX + "ecupdate.storage.";

  private final KeySpec spec;

  StorageKey(
      String suffix, ValueForm form, String defaultValue, Set<KeyUser> users, String meaning) {
    spec =
        new KeySpec(
            SUITE_PREFIX + "ecupdate.storage." + suffix, form, defaultValue, users, meaning);
  }

  @Override
  public KeySpec spec() {
    return spec;
  }
}
