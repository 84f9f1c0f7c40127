/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkRequest;
import org.apache.hadoop.ipc.RetriableException;

/** Tells DataNodes which superchunks blocks belong to. Thread-safe. */
interface SuperchunkAnswers {
  /**
   * Answers a node.
   *
   * @throws RetriableException when it has to ask again
   */
  SuperchunkAnswer answer(SuperchunkRequest request) throws RetriableException;

  /** This NameNode is not the active one. */
  default void stop() {}
}
