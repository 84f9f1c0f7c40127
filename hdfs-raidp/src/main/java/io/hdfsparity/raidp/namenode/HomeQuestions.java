/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Unfiled;
import java.util.Collection;
import java.util.List;

/**
 * Has DataNodes asked which superchunks blocks are in. {@link #ask} and {@link #stop} run on one
 * thread; {@link #want} may be called on any, under locks of the NameNode too.
 */
interface HomeQuestions {
  /** Asks in the next round for a block that is in no queue. */
  void want(long blockId, List<String> storageIds);

  /**
   * Asks for these blocks and for those that are wanted, and waits a moment for the answers.
   *
   * @return how many volumes were asked
   */
  int ask(Collection<Unfiled> unfiled, long nowMs);

  /** Forgets what was asked and answered: this NameNode is not the active one. */
  void stop();
}
