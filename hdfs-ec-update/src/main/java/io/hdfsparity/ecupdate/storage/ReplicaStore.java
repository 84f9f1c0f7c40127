/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The files of one replica. Reads may come from several threads at once, also while {@link #write}
 * changes other bytes or the same ones (what they read then is not used); all else from one thread
 * at a time.
 */
public interface ReplicaStore {
  /** What is expected of a replica of which damage was found, and who mends it: for messages. */
  String UNDAMAGED =
      "bytes that fit their checksums: programs that have the file open rewrite its block group;"
          + " see hdfs fsck";

  /** What is expected of a replica that cannot be read now, of whose bytes nothing is known. */
  String READABLE =
      "files that can be opened and read: try again; if it stays so, see the log of the DataNode,"
          + " and raise its limit of open files (ulimit -n) if they are too many";

  ReplicaLayout layout();

  /** Name of the update scheme of its path, as the session that opened it says. */
  String scheme();

  /** Fills {@code into} from a place of the file. */
  void read(int offset, byte[] into) throws IOException;

  /**
   * As {@link #read}, for several ranges.
   *
   * @param pieces what is to be filled, by its place
   */
  default void readAll(SortedMap<Integer, byte[]> pieces) throws IOException {
    for (Map.Entry<Integer, byte[]> piece : pieces.entrySet()) {
      read(piece.getKey(), piece.getValue());
    }
  }

  /**
   * Whether a failure of {@link #read} or {@link #prepareWrite} says that bytes of this replica are
   * damaged, or cannot be read from the disk: then no other attempt helps, and it is a matter of
   * this replica alone.
   */
  default boolean isDamage(IOException failure) {
    return false;
  }

  /**
   * Changes stay in the log for now, as reading or opening the files has failed; it is tried again.
   * Called once for each cause, to log it.
   */
  default void postponed(IOException why) {}

  /**
   * Asked under the lock of a request's slot, before it is executed. Takes no time.
   *
   * @throws IOException if requests of this replica are refused for good
   */
  default void requireServed() throws IOException {}

  /**
   * Whether a failure of {@link #writeState} or {@link #reserve} says that the storage is full, or
   * the process has no file descriptor left, and both work otherwise: then what was there is there,
   * and it may be tried again.
   */
  default boolean isShortage(IOException failure) {
    return false;
  }

  /**
   * Opens what {@link #write} and {@link #force} need, until the latter: so that neither fails half
   * way because the process has no file descriptor left.
   */
  default void prepareWrite() throws IOException {}

  /**
   * Replaces whole chunks of the file and their checksums. A crash may leave any part of it; it is
   * called again with the same bytes then, and must not trip over what it finds.
   */
  void write(int offset, byte[] bytes) throws IOException;

  /** Makes all writes so far durable, checksums too. */
  void force() throws IOException;

  /**
   * What {@link #writeState} wrote last; empty before the first. Durable on return, also if a
   * process that was killed had written it and not got so far: whoever has read it acts on it.
   */
  byte[] readState() throws IOException;

  /** Replaces the state by another one: atomically, and durable on return. */
  void writeState(byte[] state) throws IOException;

  /** The space that is reserved for parity deltas, if there is any. */
  Optional<ReservedArea> reserved() throws IOException;

  /**
   * Reserves space: preallocated, next to the replica as well as the file system can. An area that
   * is there keeps what it has and is made larger if it is smaller. Its size is durable on return,
   * also if a process that was killed had made it so large.
   *
   * @return the area, the same object for as long as the replica is open
   */
  ReservedArea reserve(long sizeBytes) throws IOException;
}
