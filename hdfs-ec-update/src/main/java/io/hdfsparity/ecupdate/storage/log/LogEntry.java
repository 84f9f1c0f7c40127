/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.LogRecord;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import java.util.List;

/** What a record of the log says. One record is one atomic write. */
sealed interface LogEntry {
  /** What it is about. */
  ReplicaKey replica();

  /** A change that AJX made: its tid and its bytes are there together or not at all. */
  record Change(SlotKey slot, LogRecord record) implements LogEntry {
    @Override
    public ReplicaKey replica() {
      return slot.replica();
    }
  }

  /** A slot with all its changes before this record. */
  record Snapshot(SlotKey slot, DurableSlot state) implements LogEntry {
    @Override
    public ReplicaKey replica() {
      return slot.replica();
    }
  }

  /**
   * Part of what is about to be written to a replica's file. It counts when all parts are there: no
   * byte goes to the file before that.
   *
   * @param upTo sequence of the last change that is in it
   * @param part 0..parts-1
   * @param patches absolute bytes, at places in the replica
   */
  record Fold(ReplicaKey replica, long upTo, int part, int parts, List<Patch> patches)
      implements LogEntry {
    public Fold {
      patches = List.copyOf(patches);
    }
  }

  /** The replica is gone: nothing before this record is about a later one of the same name. */
  record Dropped(ReplicaKey replica) implements LogEntry {}
}
