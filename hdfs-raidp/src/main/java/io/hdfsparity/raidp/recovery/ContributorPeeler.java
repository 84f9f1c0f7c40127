/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.raidp.lstor.SlotEntry;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Peeling: when a contributor of an equation has no mirror left, because a further disk died, it
 * may itself be an unknown that the Lstor of that other dead disk can give. It is decoded, verified
 * and then used like a mirror's image.
 *
 * <p>Whole blocks are peeled, so equations that need each other crosswise in different ranges of
 * the same two blocks are not solved. Thread-safe; one block is peeled at a time.
 */
final class ContributorPeeler implements Closeable {
  private final List<DecodeSource> sources;
  private final BlockDecoder decoder;
  private final List<VerifiedBlock> kept = new ArrayList<>();

  ContributorPeeler(List<DecodeSource> sources, BlockDecoder decoder) {
    this.sources = sources;
    this.decoder = decoder;
  }

  /** A peeler for the decode of a block. */
  BlockDecoder.Peeler forBlock(long blockId) {
    return failure -> peel(failure, Set.of(blockId));
  }

  /**
   * @param underWay blocks whose decode waits for this one: they cannot help it
   */
  private synchronized boolean peel(SourceFailure failure, Set<Long> underWay) throws IOException {
    SlotEntry contributor = failure.contributor();
    if (contributor == null || underWay.contains(contributor.blockId())) {
      return false;
    }
    if (failure.disk().peeled(contributor) != null) {
      return true;
    }
    List<BlockDecoder.Candidate> others = new ArrayList<>();
    for (DecodeSource source : sources) {
      if (source == failure.disk()) {
        continue;
      }
      source.rows(contributor.blockId()).stream()
          .filter(row -> Images.same(row, contributor))
          .forEach(row -> others.add(new BlockDecoder.Candidate(source, row)));
    }
    if (others.isEmpty()) {
      return false;
    }
    Set<Long> deeper = new HashSet<>(underWay);
    deeper.add(contributor.blockId());
    try {
      VerifiedBlock block = decoder.decode(others, next -> peel(next, deeper), bytes -> {});
      kept.add(block);
      failure.disk().providePeeled(contributor, block);
      return true;
    } catch (UndecodableException e) {
      return false;
    }
  }

  @Override
  public synchronized void close() throws IOException {
    for (VerifiedBlock block : kept) {
      block.close();
    }
    kept.clear();
  }
}
