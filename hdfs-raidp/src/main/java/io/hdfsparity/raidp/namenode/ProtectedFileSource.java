/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.adoption.AdoptableFile;
import io.hdfsparity.raidp.adoption.AdoptableFile.AdoptableBlock;
import io.hdfsparity.raidp.adoption.AdoptableFile.Trait;
import io.hdfsparity.raidp.adoption.FileSource;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.namenode.ProtectedFiles;
import org.apache.hadoop.hdfs.server.namenode.ProtectedFiles.FileView;

/** The files below a path. A walk of its own counts them. Not thread-safe. */
final class ProtectedFileSource implements FileSource {
  /** Under one hold of the NameNode's lock. */
  private static final int INODES = 1_000;

  private static final int PAGES_COUNTED = 50;

  private final ProtectedFiles files;
  private final ProtectedFiles.Walk walk;
  private final ProtectedFiles.Walk counting;
  private Totals totals = Totals.UNKNOWN;

  ProtectedFileSource(ProtectedFiles files, String path) throws IOException {
    this.files = files;
    this.walk = files.walk(path);
    this.counting = files.walk(path);
  }

  @Override
  public List<AdoptableFile> next(int maxBlocks) {
    return walk.next(INODES, maxBlocks).stream().map(ProtectedFileSource::file).toList();
  }

  @Override
  public boolean isOver() {
    return walk.isOver();
  }

  @Override
  public Totals count() {
    for (int page = 0; page < PAGES_COUNTED && !counting.isOver(); page++) {
      ProtectedFiles.Count count = counting.count(INODES);
      totals =
          new Totals(
              totals.files() + count.files(), totals.bytes() + count.bytes(), counting.isOver());
    }
    return totals;
  }

  @Override
  public Optional<AdoptableFile> look(long inodeId) {
    return files.look(inodeId).map(ProtectedFileSource::file);
  }

  static AdoptableFile file(FileView view) {
    return new AdoptableFile(
        view.inodeId(),
        view.path(),
        view.replication(),
        view.bytes(),
        view.traits().stream()
            .map(trait -> Trait.valueOf(trait.name()))
            .collect(Collectors.toSet()),
        view.blocks().stream()
            .map(
                block ->
                    new AdoptableBlock(
                        block.blockId(),
                        block.generationStamp(),
                        block.lengthBytes(),
                        block.complete(),
                        block.storageIds(),
                        block.otherStorageIds()))
            .toList());
  }
}
