/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * The forms of block groups that a client has lately learned from the NameNode. A group's located
 * block does not say it, only the answer that it came with; Hadoop's streams keep the block and
 * drop the answer. A group has one form as long as it lives: the number of parity units may change
 * in place, nothing else. Thread-safe.
 */
final class GroupForms {
  /** A few megabytes; what is forgotten is asked for again. */
  private static final int MOST = 20_000;

  private final Map<BlockName, Form> byGroup =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<BlockName, Form> eldest) {
          return size() > MOST;
        }
      };

  /** Where the bytes of a group are in its data units, and what its parity units are. */
  record Form(String codec, int dataUnits, int cellBytes) {
    static Form of(ErasureCodingPolicy policy) {
      return new Form(policy.getCodecName(), policy.getNumDataUnits(), policy.getCellSize());
    }
  }

  /** Remembers an answer of the NameNode; null, as for a file that does not exist, says nothing. */
  void note(LocatedBlocks answer) {
    if (answer == null || answer.getErasureCodingPolicy() == null) {
      return;
    }
    Form form = Form.of(answer.getErasureCodingPolicy());
    synchronized (byGroup) {
      for (LocatedBlock group : answer.getLocatedBlocks()) {
        byGroup.put(BlockName.of(group), form);
      }
      LocatedBlock last = answer.getLastLocatedBlock();
      if (last != null) {
        byGroup.put(BlockName.of(last), form);
      }
    }
  }

  /** The form of a group; none if it is not known any more. */
  Optional<Form> of(BlockName group) {
    synchronized (byGroup) {
      return Optional.ofNullable(byGroup.get(group));
    }
  }
}
