/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.adoption.AdoptableFile;
import io.hdfsparity.raidp.adoption.AdoptableFile.Trait;
import io.hdfsparity.raidp.adoption.FileOutcome;
import io.hdfsparity.raidp.adoption.FileSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Files that were written into protected directories, and have to be adopted or lowered: the
 * NameNode names those with more than two replicas when it meets a block of theirs that lacks the
 * third, and those with a plain block when it places the block. Never over. Not thread-safe.
 */
final class WrittenFileSource implements FileSource {
  private static final int FILES = 100;

  /** Until an open file is looked at again. */
  static final long OPEN_PAUSE_MS = 10_000;

  /** Until one is that could not be adopted: superchunks may have room by then. */
  static final long FAILED_PAUSE_MS = 600_000;

  /** What may end in another way later. */
  private static final Set<FileOutcome> WORTH_ANOTHER_LOOK =
      EnumSet.of(
          FileOutcome.BEING_COVERED,
          FileOutcome.NO_SUPERCHUNK,
          FileOutcome.NO_ROOM,
          FileOutcome.OPEN,
          FileOutcome.LACKS_REPLICAS,
          FileOutcome.CHANGED,
          FileOutcome.NODE_REFUSES);

  private final FilesToLower queue;
  private final Function<Long, Optional<AdoptableFile>> look;
  private final LongSupplier clockMs;
  private final PriorityQueue<Later> later = new PriorityQueue<>();

  /** A file that is looked at again. */
  private record Later(long inodeId, long atMs) implements Comparable<Later> {
    @Override
    public int compareTo(Later other) {
      return Long.compare(atMs, other.atMs);
    }
  }

  WrittenFileSource(
      FilesToLower queue, Function<Long, Optional<AdoptableFile>> look, LongSupplier clockMs) {
    this.queue = queue;
    this.look = look;
    this.clockMs = clockMs;
  }

  @Override
  public List<AdoptableFile> next(int maxBlocks) {
    List<AdoptableFile> files = new ArrayList<>();
    int blocks = 0;
    for (int i = 0; i < FILES && blocks < maxBlocks; i++) {
      OptionalLong inodeId = takeOne();
      if (inodeId.isEmpty()) {
        break;
      }
      Optional<AdoptableFile> file = look.apply(inodeId.getAsLong());
      if (file.isPresent() && file.get().traits().contains(Trait.OPEN)) {
        again(inodeId.getAsLong(), OPEN_PAUSE_MS);
      } else if (file.isPresent()) {
        files.add(file.get());
        blocks += file.get().blocks().size();
      }
    }
    return files;
  }

  private OptionalLong takeOne() {
    Later longest = later.peek();
    if (longest != null && longest.atMs() <= clockMs.getAsLong()) {
      return OptionalLong.of(later.remove().inodeId());
    }
    List<Long> taken = queue.take(1);
    return taken.isEmpty() ? OptionalLong.empty() : OptionalLong.of(taken.get(0));
  }

  private void again(long inodeId, long pauseMs) {
    if (later.size() < FilesToLower.MAX_FILES) {
      later.add(new Later(inodeId, clockMs.getAsLong() + pauseMs));
    } else {
      queue.add(inodeId);
    }
  }

  @Override
  public void ended(long inodeId, FileOutcome outcome) {
    if (WORTH_ANOTHER_LOOK.contains(outcome)) {
      again(inodeId, FAILED_PAUSE_MS);
    }
  }

  @Override
  public boolean isOver() {
    return false;
  }

  @Override
  public Totals count() {
    return Totals.UNKNOWN;
  }

  @Override
  public Optional<AdoptableFile> look(long inodeId) {
    return look.apply(inodeId);
  }
}
