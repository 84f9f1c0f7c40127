/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.adoption.AdoptableFile;
import io.hdfsparity.raidp.adoption.AdoptableFile.Trait;
import io.hdfsparity.raidp.adoption.FileSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;

/**
 * Files that were written into protected directories, and have to be adopted or lowered: the
 * NameNode names those with more than two replicas when it meets a block of theirs that lacks the
 * third, and those with a plain block when it places the block. Never over. Not thread-safe.
 */
final class WrittenFileSource implements FileSource {
  private static final int FILES = 100;

  private final IntFunction<List<Long>> take;
  private final LongConsumer giveBack;
  private final Function<Long, Optional<AdoptableFile>> look;

  /**
   * @param take takes inode ids out of a queue, as many as it is given at most
   * @param giveBack puts one back to its end: it is still written
   */
  WrittenFileSource(
      IntFunction<List<Long>> take,
      LongConsumer giveBack,
      Function<Long, Optional<AdoptableFile>> look) {
    this.take = take;
    this.giveBack = giveBack;
    this.look = look;
  }

  @Override
  public List<AdoptableFile> next(int maxBlocks) {
    List<AdoptableFile> files = new ArrayList<>();
    List<Long> open = new ArrayList<>();
    int blocks = 0;
    for (int i = 0; i < FILES && blocks < maxBlocks; i++) {
      List<Long> taken = take.apply(1);
      if (taken.isEmpty()) {
        break;
      }
      Optional<AdoptableFile> file = look.apply(taken.get(0));
      if (file.isPresent() && file.get().traits().contains(Trait.OPEN)) {
        open.add(taken.get(0));
      } else if (file.isPresent()) {
        files.add(file.get());
        blocks += file.get().blocks().size();
      }
    }
    open.forEach(giveBack::accept);
    return files;
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
