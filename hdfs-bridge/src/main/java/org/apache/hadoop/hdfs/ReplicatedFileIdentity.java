/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * Which file a stream of a replicated file is of. The stream locates blocks by path, some of them
 * long after it was opened, and another file may have the path by then. A file keeps its first
 * block as long as it has any: so blocks are of the file if its path leads to that block after they
 * were located. A file without a block at its opening looks like any other one.
 *
 * <p>Thread-safe.
 */
final class ReplicatedFileIdentity {
  private final DFSClient client;
  private final String file;
  private final Optional<BlockName> first;

  /** Blocks that are of the file. */
  private final Set<BlockName> known = ConcurrentHashMap.newKeySet();

  /**
   * The identity of a file.
   *
   * @param file path by which the stream asks
   * @param opened blocks from the first one on
   */
  ReplicatedFileIdentity(DFSClient client, String file, LocatedBlocks opened) {
    this.client = client;
    this.file = file;
    this.first = firstOf(opened);
    add(opened.getLocatedBlocks());
    if (opened.getLastLocatedBlock() != null) {
      known.add(BlockName.of(opened.getLastLocatedBlock()));
    }
  }

  private static Optional<BlockName> firstOf(LocatedBlocks blocks) {
    return blocks.getLocatedBlocks().stream()
        .filter(block -> block.getStartOffset() == 0)
        .map(BlockName::of)
        .findFirst();
  }

  private void add(Collection<LocatedBlock> blocks) {
    blocks.forEach(block -> known.add(BlockName.of(block)));
  }

  /** Whether it has to be looked whether a block is of the file. */
  boolean isInDoubt(LocatedBlock block) {
    return first.isPresent() && !known.contains(BlockName.of(block));
  }

  /**
   * Asks the NameNode whether the path leads to the file still.
   *
   * @param located before this was called; of the file if the path leads to it
   * @return why the stream must not continue; empty if it may
   * @throws IOException if the NameNode cannot be asked, or has no such path
   */
  Optional<String> look(Collection<LocatedBlock> located) throws IOException {
    LocatedBlocks answer = client.getLocatedBlocks(file, /* start= */ 0, /* length= */ 1);
    Optional<BlockName> now = answer == null ? Optional.empty() : firstOf(answer);
    if (now.equals(first)) {
      add(located);
      return Optional.empty();
    }
    return Optional.of(
        ErrorMessage.to("continue reading a file")
            .value("first block", now.map(BlockName::toString).orElse("none"))
            .expected(
                first.map(BlockName::toString).orElse("none")
                    + ", as when it was opened; another file has its path: open it again")
            .where("file", file)
            .message());
  }
}
