/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.List;
import java.util.Optional;

/**
 * What the manager knows of a block that a client reads without replicas.
 *
 * @param expected empty: the NameNode has no such block
 * @param sources Lstors of all disks that are gone, and whose superchunks are not whole; those of
 *     superchunks without any side first. None, and none unreadable: the block has enough replicas
 *     or is being written, or all superchunks are whole
 * @param unreadable for people: Lstors of such disks that nobody can read now, and why
 */
public record LostBlock(
    Optional<ExpectedBlock> expected, List<LstorSource> sources, List<String> unreadable) {
  public LostBlock {
    sources = List.copyOf(sources);
    unreadable = List.copyOf(unreadable);
  }
}
