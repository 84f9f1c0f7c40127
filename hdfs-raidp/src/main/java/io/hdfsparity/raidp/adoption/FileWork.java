/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A file that an adoption has in hand. Not thread-safe. */
final class FileWork {
  /** In this order a state of one block decides for the file. */
  private static final Map<BlockState, FileOutcome> OBSTACLES =
      new java.util.EnumMap<>(
          Map.of(
              BlockState.LACKS_REPLICAS, FileOutcome.LACKS_REPLICAS,
              BlockState.NO_SUPERCHUNK, FileOutcome.NO_SUPERCHUNK,
              BlockState.NO_ROOM, FileOutcome.NO_ROOM));

  private final AdoptableFile file;
  private final int looks;
  private final List<BlockWork> blocks;
  private long progressMs;
  private long progress;
  private int refusals;

  /**
   * @param looks at it before this one
   */
  FileWork(AdoptableFile file, int looks, long nowMs) {
    this.file = file;
    this.looks = looks;
    this.progressMs = nowMs;
    this.blocks = file.blocks().stream().map(BlockWork::new).toList();
  }

  AdoptableFile file() {
    return file;
  }

  int looks() {
    return looks;
  }

  List<BlockWork> blocks() {
    return blocks;
  }

  /** Why a file is not looked at more closely; empty: it is. */
  static Optional<FileOutcome> firstGlance(AdoptableFile file) {
    for (AdoptableFile.Trait trait : AdoptableFile.Trait.values()) {
      if (file.traits().contains(trait)
          && trait != AdoptableFile.Trait.PROTECTED
          && trait != AdoptableFile.Trait.STALE_REPORTS) {
        return Optional.of(FileOutcome.valueOf(trait.name()));
      }
    }
    if (file.blocks().isEmpty()) {
      return Optional.of(FileOutcome.COVERED);
    }
    return file.replication() < 2 ? Optional.of(FileOutcome.ONE_REPLICA) : Optional.empty();
  }

  boolean has(BlockState state) {
    return blocks.stream().anyMatch(block -> block.state() == state);
  }

  boolean isInFlight() {
    return blocks.stream().anyMatch(BlockWork::isInFlight);
  }

  boolean isAll(BlockState state) {
    return blocks.stream().allMatch(block -> block.state() == state);
  }

  /** What keeps the file from being covered whole; empty: nothing. */
  Optional<FileOutcome> obstacle() {
    return OBSTACLES.entrySet().stream()
        .filter(each -> has(each.getKey()))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /** Of a file that is only counted. */
  FileOutcome counted() {
    return obstacle()
        .orElse(
            has(BlockState.NEEDS_COPY)
                ? FileOutcome.NEEDS_COPY
                : has(BlockState.PLAIN)
                    ? FileOutcome.PLAIN
                    : has(BlockState.BEING_COVERED) || file.replication() > 2
                        ? FileOutcome.BEING_COVERED
                        : FileOutcome.COVERED);
  }

  /** How long nothing has changed in its rows. */
  long stuckMs(long nowMs) {
    long now = 0;
    for (BlockWork block : blocks) {
      now = 31 * now + 7 * block.state().ordinal() + block.coveredBytes();
    }
    if (now != progress) {
      progress = now;
      progressMs = nowMs;
    }
    return nowMs - progressMs;
  }

  /** It waits for its turn, and is not stuck. */
  void waits(long nowMs) {
    progressMs = nowMs;
  }

  int refused() {
    return ++refusals;
  }

  /** When the oldest of what is known of its blocks was asked for. */
  long knownMs() {
    return blocks.stream().mapToLong(BlockWork::knownMs).min().orElse(0);
  }

  Map<Long, Long> stamps() {
    Map<Long, Long> stamps = new HashMap<>();
    blocks.forEach(each -> stamps.put(each.block().blockId(), each.block().generationStamp()));
    return stamps;
  }
}
