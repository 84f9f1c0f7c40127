/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.raidp.lstor.SlotEntry;
import java.util.OptionalLong;

/**
 * A block that the NameNode misses, and what it knows of it.
 *
 * @param blockId HDFS block id
 * @param generationStamp newest that the NameNode knows
 * @param complete false: under construction, its length is not final
 * @param numBytes length that the NameNode has, of an open block the least that it can have; empty
 *     where any length will do, as the replicas of an open block are lost
 */
public record WantedBlock(
    long blockId, long generationStamp, boolean complete, OptionalLong numBytes) {
  private static final String OPEN_ADVICE =
      " as the NameNode has it for an open block, whose replicas may have more: start a DataNode"
          + " that has it; if its disks are lost for good, first hdfs raidp -failDisk each of"
          + " them with -force, then hdfs raidp -recover";

  /**
   * What to do with a row of this block.
   *
   * @param generationStamp for the replica; meaningful when {@code refusal} is empty
   * @param refusal why the row must not become a replica; empty when it may
   */
  public record Decision(long generationStamp, String refusal) {
    public boolean accepted() {
      return refusal.isEmpty();
    }

    static Decision accept(long generationStamp) {
      return new Decision(generationStamp, "");
    }

    static Decision refuse(String why) {
      return new Decision(0, why);
    }
  }

  /**
   * The generation stamp rule. A complete block is only ever replaced by exactly what the NameNode
   * has on record.
   *
   * <p>An open block may have acknowledged bytes that no parity covers in replicas that are only
   * out of reach. Lease recovery would prefer what is installed here, as it is finalized, and drop
   * them. So a row that may lack some is refused until those replicas are known to be lost. Then
   * what is covered comes back under the stamp that lease recovery asks for.
   */
  public Decision decide(SlotEntry row) {
    if (!row.coversAnything()) {
      return Decision.refuse("nothing of it is in the parity, state=" + row.state());
    }
    if (complete) {
      return decideComplete(row);
    }
    // A newer row is the result of a recovery of the block that did not reach the NameNode.
    if (numBytes.isEmpty() || row.generationStamp() > generationStamp) {
      return Decision.accept(Math.max(row.generationStamp(), generationStamp));
    }
    if (row.generationStamp() < generationStamp) {
      return Decision.refuse(
          "generationStamp="
              + row.generationStamp()
              + " in the Lstor, expected "
              + generationStamp
              + OPEN_ADVICE);
    }
    if (row.coveredBytes() < numBytes.getAsLong()) {
      return Decision.refuse(
          "coveredBytes="
              + row.coveredBytes()
              + " in the Lstor, expected at least "
              + numBytes.getAsLong()
              + OPEN_ADVICE);
    }
    return Decision.accept(generationStamp);
  }

  private Decision decideComplete(SlotEntry row) {
    if (row.generationStamp() != generationStamp) {
      return Decision.refuse(
          "generationStamp="
              + row.generationStamp()
              + " in the Lstor, expected "
              + generationStamp
              + " as the NameNode has it for a complete block");
    }
    if (numBytes.isPresent() && numBytes.getAsLong() != row.coveredBytes()) {
      return Decision.refuse(
          "coveredBytes="
              + row.coveredBytes()
              + " in the Lstor, expected "
              + numBytes.getAsLong()
              + " as the NameNode has it for a complete block");
    }
    return Decision.accept(generationStamp);
  }
}
