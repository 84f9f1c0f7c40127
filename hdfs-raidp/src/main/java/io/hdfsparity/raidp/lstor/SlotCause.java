/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

/** Why a slot table row changes. {@link SlotLife} lists from where to where each one leads. */
public enum SlotCause {
  /** Units are set aside for a block that has no row, or one that is used up. */
  RESERVED(Method.RESERVE),
  /** More of the block went into the parity. */
  GROWN(Method.COVER),
  /** The block was cut: less of it is in the parity, its checksum header still is. */
  SHRUNK(Method.COVER),
  /** The block is on its way out of the parity, and some of it is still there. */
  PARTLY_UNCOVERED(Method.COVER),
  /** Nothing of the block is in the parity any more. */
  UNCOVERED(Method.COVER),
  /** The partner covers the same prefix of the same generation. */
  ACKNOWLEDGED(Method.APPLY),
  /** The replica has a new generation stamp, under which the partner has acknowledged nothing. */
  RESTAMPED(Method.APPLY),
  /** The frame has a new partner, which has acknowledged nothing. */
  PARTNER_CHANGED(Method.APPLY),
  /** The partner has the block at other units. */
  MISPLACED(Method.APPLY),
  /** HDFS deletes the replica, or moves it to its trash. */
  DELETED(Method.APPLY),
  /** The replica stays, and leaves the superchunk. */
  UNPROTECTED(Method.APPLY),
  /** The replica's file is gone, and HDFS did not delete it. */
  LOST(Method.APPLY),
  /** No replica was ever made in the units that were set aside. */
  UNUSED(Method.APPLY),
  /** The leader holds units of which only the follower has a row. */
  HELD_FOR_FOLLOWER(Method.APPLY),
  /** The follower, which had released the block, asks for its units again. */
  WANTED_BY_FOLLOWER(Method.APPLY),
  /** A finalized file of a deleted block is there: the delete was undone, or never happened. */
  RESTORED(Method.APPLY),
  /** HDFS makes a new replica of a block that has a row. */
  REUSED(Method.APPLY),
  /** The row of a replica that was not covered yet moved to other units. */
  MOVED_LIVE(Method.APPLY),
  /** The row of a deleted block moved to other units. */
  MOVED_IN_LIMBO(Method.APPLY),
  /** Neither parity covers the deleted block. */
  CLEARED_BY_BOTH(Method.APPLY),
  /** The row ends: limbo has been dropped after {@link #CLEARED_BY_BOTH}. */
  RELEASED(Method.REMOVE),
  /** The row ends: too few units were free, and the caller was refused. */
  WITHDRAWN(Method.REMOVE),
  /** The row ends here, and is made again at other units. */
  MOVED_OUT(Method.REMOVE);

  private final Method method;

  /** Which method of {@link Lstor} commits a change together with what belongs to it. */
  enum Method {
    /** {@link Lstor#reserve}. */
    RESERVE,
    /** {@link Lstor#setCoverage}, {@link Lstor#clearCoverage}, {@link Lstor#clearLostCoverage}. */
    COVER,
    /** {@link Lstor#apply}: nothing but state and flags changes. */
    APPLY,
    /** {@link Lstor#remove}. */
    REMOVE
  }

  SlotCause(Method method) {
    this.method = method;
  }

  Method method() {
    return method;
  }

  void requireMethod(Method expected) {
    if (method != expected) {
      throw new IllegalArgumentException(
          "Cannot change a row: cause=" + this + ", expected a cause of method " + expected);
    }
  }
}
