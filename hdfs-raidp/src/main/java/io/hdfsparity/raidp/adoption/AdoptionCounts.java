/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import java.util.EnumMap;
import java.util.Map;

/** Sums of an adoption. Not thread-safe. */
final class AdoptionCounts {
  private final Map<FileOutcome, Tally> files = new EnumMap<>(FileOutcome.class);
  private final Map<BlockState, Tally> blocks = new EnumMap<>(BlockState.class);
  private final BlockSizes sizes;
  private Tally newlyCovered = Tally.NONE;
  private Tally copied = Tally.NONE;

  AdoptionCounts(long unitBytes) {
    sizes = new BlockSizes(unitBytes);
  }

  /** A file that was not looked at closely. */
  void glanced(FileOutcome outcome, long bytes) {
    files.merge(outcome, Tally.NONE.plus(bytes), AdoptionCounts::sum);
  }

  void finished(FileWork work, FileOutcome outcome) {
    glanced(outcome, work.file().bytes());
    for (BlockWork block : work.blocks()) {
      long bytes = block.block().lengthBytes();
      blocks.merge(block.state(), Tally.NONE.plus(bytes), AdoptionCounts::sum);
      sizes.add(bytes);
    }
  }

  /** A block was covered, or is not any more, as the run was to do. */
  void covered(long bytes) {
    newlyCovered = newlyCovered.plus(bytes);
  }

  /** A copy was begun. */
  void copied(long bytes) {
    copied = copied.plus(bytes);
  }

  private static Tally sum(Tally one, Tally other) {
    return new Tally(one.count() + other.count(), one.bytes() + other.bytes());
  }

  AdoptionProgress progress(
      boolean over, FileSource.Totals totals, Tally inFlight, long elapsedMs) {
    return new AdoptionProgress(
        over, totals, files, blocks, inFlight, newlyCovered, copied, sizes.classes(), elapsedMs);
  }
}
