/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Which row of which Lstor a block is decoded from. Pure.
 *
 * @param blockId HDFS block id
 * @param candidates rows that stand for the chosen image, of one or more Lstors; empty when there
 *     is none
 * @param generationStamp for the replica
 * @param refusal why no row may be used; empty when there are candidates
 * @param required whether the NameNode counts on the block
 */
record BlockChoice(
    long blockId,
    List<BlockDecoder.Candidate> candidates,
    long generationStamp,
    String refusal,
    boolean required) {

  private static final Comparator<BlockDecoder.Candidate> BETTER =
      Comparator.<BlockDecoder.Candidate, Boolean>comparing(c -> c.row().coversAnything())
          .thenComparingLong(c -> c.row().generationStamp())
          .thenComparingLong(c -> c.row().coveredBytes())
          .reversed();

  /** Data bytes to decode. */
  long lengthBytes() {
    return candidates.isEmpty() ? 0 : candidates.get(0).row().coveredBytes();
  }

  /** Chooses for all blocks of a job, in its order. */
  static List<BlockChoice> all(
      List<DecodeSource> sources, List<List<SlotEntry>> lostRows, List<WantedBlock> wanted) {
    Map<Long, List<BlockDecoder.Candidate>> rows = new TreeMap<>();
    for (int i = 0; i < sources.size(); i++) {
      for (SlotEntry row : lostRows.get(i)) {
        rows.computeIfAbsent(row.blockId(), id -> new ArrayList<>())
            .add(new BlockDecoder.Candidate(sources.get(i), row));
      }
    }
    List<BlockChoice> choices = new ArrayList<>();
    if (wanted.isEmpty()) {
      rows.forEach(
          (blockId, candidates) -> {
            if (candidates.stream().anyMatch(BlockChoice::mayBeMissed)) {
              choices.add(
                  best(
                      candidates, new WantedBlock(blockId, 0, false, OptionalLong.empty()), false));
            }
          });
      return choices;
    }
    Map<Long, WantedBlock> once = new LinkedHashMap<>();
    wanted.forEach(block -> once.putIfAbsent(block.blockId(), block));
    for (WantedBlock block : once.values()) {
      choices.add(best(rows.getOrDefault(block.blockId(), List.of()), block, block.complete()));
    }
    return choices;
  }

  /** Chooses for one block, among all rows of it. */
  static BlockChoice of(List<DecodeSource> sources, WantedBlock wanted) {
    List<BlockDecoder.Candidate> rows = new ArrayList<>();
    for (DecodeSource source : sources) {
      source.rows(wanted.blockId()).forEach(r -> rows.add(new BlockDecoder.Candidate(source, r)));
    }
    return best(rows, wanted, wanted.complete());
  }

  /** Without the NameNode's list: a block that both sides have deleted is nobody's loss. */
  private static boolean mayBeMissed(BlockDecoder.Candidate candidate) {
    return candidate.row().state() != SlotState.LIMBO && candidate.row().coversAnything();
  }

  /**
   * The best row that the NameNode's record allows. A lesser one is never taken in its stead: it
   * would bring an older or shorter block back as if nothing were missing.
   */
  private static BlockChoice best(
      List<BlockDecoder.Candidate> rows, WantedBlock wanted, boolean required) {
    List<BlockDecoder.Candidate> sorted = new ArrayList<>(rows);
    sorted.sort(BETTER);
    List<String> refusals = new ArrayList<>();
    for (BlockDecoder.Candidate candidate : sorted) {
      WantedBlock.Decision decision = wanted.decide(candidate.row());
      if (decision.accepted()) {
        List<BlockDecoder.Candidate> same =
            sorted.stream().filter(other -> Images.same(other.row(), candidate.row())).toList();
        return new BlockChoice(wanted.blockId(), same, decision.generationStamp(), "", true);
      }
      refusals.add("Lstor of disk " + candidate.source().diskId() + ": " + decision.refusal());
    }
    String refusal = refusals.isEmpty() ? "no Lstor has a row of it" : String.join("; ", refusals);
    return new BlockChoice(wanted.blockId(), List.of(), 0, refusal, required);
  }
}
