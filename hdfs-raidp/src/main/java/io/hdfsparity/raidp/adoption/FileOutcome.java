/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

/** What an adoption has made of a file, or why it has left it. */
public enum FileOutcome {
  /** All blocks are covered, and two replicas are asked for. */
  COVERED(false),
  /** It has a block that is being covered. */
  BEING_COVERED(true),
  /** It could be adopted where it lies. */
  PLAIN(false),
  /** It could be adopted if a block or more are copied once. */
  NEEDS_COPY(false),
  /** Of a block no disk has a superchunk that it can be covered in, with a copy or without. */
  NO_SUPERCHUNK(false),
  /** The superchunks that its replicas share have no room. */
  NO_ROOM(false),
  /** It asks for one replica. */
  ONE_REPLICA(false),
  /** It is being written. */
  OPEN(true),
  HELD_BY_SNAPSHOT(false),
  ERASURE_CODED(false),
  TOO_MANY_BLOCKS(false),
  /** A directory between is marked as plain. */
  NOT_PROTECTED(false),
  /** A block has fewer than two good replicas. */
  LACKS_REPLICAS(true),
  /** It was written, or its blocks moved, meanwhile. */
  CHANGED(true),
  /** A DataNode did not answer, or did not take a replica. */
  NODE_REFUSES(true),
  /** It was deleted meanwhile. */
  GONE(false),
  /** No block of it is covered any more, and all have the replicas that were asked for. */
  RELEASED(false),
  /** It stays covered: its new blocks are protected. */
  PROTECTED(false),
  /** It stays covered: a snapshot asks for fewer replicas than it is to have. */
  FEWER_IN_SNAPSHOT(false),
  /** It stays covered: the quota of a directory leaves no room for its replicas. */
  NO_QUOTA(false),
  /**
   * A DataNode has yet to send a full report since the NameNode has become active, or has sent no
   * heartbeat of late.
   */
  STALE_REPORTS(true);

  private final boolean passing;

  FileOutcome(boolean passing) {
    this.passing = passing;
  }

  /** Whether it is worth a look later. */
  public boolean isPassing() {
    return passing;
  }
}
