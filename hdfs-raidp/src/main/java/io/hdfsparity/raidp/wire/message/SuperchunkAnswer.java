/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

/** The manager's answer to a {@link SuperchunkRequest}. */
public sealed interface SuperchunkAnswer {
  /**
   * The block belongs to a superchunk.
   *
   * @param storageId where the asking node stores it
   * @param epoch of the superchunk
   */
  record Pair(String storageId, long superchunkId, long epoch) implements SuperchunkAnswer {}

  /** The block belongs to no superchunk: it is HDFS's business alone. */
  record Plain() implements SuperchunkAnswer {}

  /** The node was not chosen for the block. */
  record Refused(String reason) implements SuperchunkAnswer {}
}
