/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.adoption.AdoptableFile;
import io.hdfsparity.raidp.adoption.FileSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Files that were written with more than two replicas into protected directories: the NameNode
 * names them when it meets a block of theirs that lacks the third. Never over. Not thread-safe.
 */
final class WrittenFileSource implements FileSource {
  private static final int FILES = 100;

  private final IntFunction<List<Long>> take;
  private final Function<Long, Optional<AdoptableFile>> look;

  /**
   * @param take takes inode ids out of a queue, as many as it is given at most
   */
  WrittenFileSource(IntFunction<List<Long>> take, Function<Long, Optional<AdoptableFile>> look) {
    this.take = take;
    this.look = look;
  }

  @Override
  public List<AdoptableFile> next(int maxBlocks) {
    List<AdoptableFile> files = new ArrayList<>();
    int blocks = 0;
    for (int i = 0; i < FILES && blocks < maxBlocks; i++) {
      List<Long> taken = take.apply(1);
      if (taken.isEmpty()) {
        return files;
      }
      Optional<AdoptableFile> file = look.apply(taken.get(0));
      if (file.isPresent()) {
        files.add(file.get());
        blocks += file.get().blocks().size();
      }
    }
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
