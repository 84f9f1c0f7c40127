/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Copy;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Unfiled;
import io.hdfsparity.raidp.namenode.RowQuestions.Answers;
import io.hdfsparity.raidp.namenode.RowQuestions.Calls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Address;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Storage;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;

/**
 * {@link DiskWorld} with plain blocks beside those in superchunks, and what the manager knows of
 * them. Storage "out" is on a node that is HDFS's alone, and "old" on one that was in the roster
 * and has not reported yet.
 */
final class MixedWorld {
  final DiskWorld disks = new DiskWorld();
  final BlockHomes homes = new BlockHomes();
  final RowlessReplicas rowless = new RowlessReplicas();
  final UndecidedExcess excess = new UndecidedExcess();
  final OneSidedBlocks oneSided = new OneSidedBlocks();
  final Set<Long> promised = new HashSet<>();
  final Set<Long> lostBothSides = new HashSet<>();
  final Set<Long> open = new HashSet<>();
  final Map<Long, Copy> copies = new HashMap<>();
  boolean allHadTime;
  long nowMs = 1_000;
  final RowStorages storages =
      new RowStorages(
          disks::view, MixedWorld::nodes, "nout"::equals, () -> allHadTime, () -> nowMs);
  final KnownSuperchunks superchunks =
      new KnownSuperchunks(storages, homes, rowless, new MovingBlocks(() -> 0));
  final RowQuestions questions = questions(disks);

  RowQuestions questions(RowFinder rows) {
    return questions(rows, Runnable::run);
  }

  RowQuestions questions(RowFinder rows, Executor executor) {
    return new RowQuestions(
        storages,
        superchunks,
        new Answers(homes, rowless),
        excess,
        oneSided,
        new Calls(
            rows,
            executor,
            disks::lookAgain,
            this::find,
            promised::contains,
            lostBothSides::addAll));
  }

  private Optional<StoredBlock> find(long blockId) {
    return open.contains(blockId)
        ? Optional.of(new StoredBlock(blockId, 1, 0, false, 2, List.of(), 2, List.of()))
        : disks.block(blockId);
  }

  private static List<Node> nodes() {
    List<Node> nodes = new ArrayList<>();
    for (String storageId : List.of("A", "B", "C", "D", "out", "old")) {
      nodes.add(
          new Node(
              "n" + storageId,
              new Address("n" + storageId, "10.0.0.1", 1, 2),
              "/r",
              true,
              "NORMAL",
              List.of(new Storage(storageId, "DISK", false, true, 1, 0, 1, 0))));
    }
    return nodes;
  }

  /** Asks for blocks. */
  int ask(Unfiled... blocks) {
    return questions.ask(List.of(blocks), nowMs);
  }

  static Unfiled block(long blockId, String... storageIds) {
    return new Unfiled(blockId, List.of(storageIds));
  }

  Optional<Long> homeOf(long blockId, String... storageIds) {
    return superchunks.of(blockId, List.of(storageIds)).map(home -> home.superchunkId());
  }

  boolean isPlain(long blockId, String... storageIds) {
    return superchunks.isPlain(blockId, List.of(storageIds));
  }
}
