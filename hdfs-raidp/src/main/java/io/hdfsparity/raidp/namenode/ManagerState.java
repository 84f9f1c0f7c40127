/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.BlockSuperchunks;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Copy;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Lacking;
import io.hdfsparity.bridge.namenode.PairPlacement;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.wire.message.RebuildOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.jspecify.annotations.Nullable;

/** The manager without its NameNode and its RPC: what it knows, promises and does. Thread-safe. */
final class ManagerState {
  private final SuperchunkMap map;
  private final Grants grants;
  private final PlacementChooser chooser;
  private final RecoveryCoordinator recovery;
  private final LayoutApplier layout;
  private final MissingLstorDaemons lstorDaemons;
  private final FailedScans scans;
  private final UnheardNodes unheard;
  private final UnneededDisks unneeded;
  private final ReplicaCensus census;
  private final UnequalSides sides;
  private final BlockHomes homes = new BlockHomes();
  private final ProtectionState protection;
  private volatile boolean attached;
  private volatile @Nullable BlockRepair repair;

  ManagerState(
      ManagerOptions options,
      Namespace namespace,
      LstorTables tables,
      FrameRows rows,
      Executor listers,
      NodeRoster roster,
      LongSupplier clockMs,
      Supplier<? extends RandomGenerator> random) {
    map =
        new SuperchunkMap(options.silence(), options.layout().coefficients(), clockMs.getAsLong());
    grants = new Grants(options.placement().grantLeaseMs());
    chooser =
        new PlacementChooser(
            map::view,
            grants,
            roster,
            map::allHadTime,
            options.placement().unitBytes(),
            options.placement().maxBlockBytes(),
            clockMs,
            random);
    protection =
        new ProtectionState(
            options.placement(),
            new ProtectionState.Shared(map, homes, grants, chooser),
            namespace,
            clockMs);
    unheard = new UnheardNodes(roster, map::view, map::allHadTime);
    recovery =
        new RecoveryCoordinator(
            map,
            namespace,
            new LstorQuestions(tables, clockMs, options.silence().deadMs()),
            rows,
            protection.oneSided()::add,
            unheard::due,
            listers,
            options);
    sides = new UnequalSides(rows, namespace::block, protection.oneSided()::add);
    layout = new LayoutApplier(map, options.layout());
    lstorDaemons = new MissingLstorDaemons(options.silence().deadMs());
    census =
        new ReplicaCensus(namespace::hasLookedAtAllBlocks, clockMs, options.silence().deadMs());
    scans = new FailedScans(namespace);
    unneeded =
        new UnneededDisks(
            recovery::isMoving,
            () -> repair().map(BlockRepair::unfinished).orElse(new Lacking(Set.of(), true, 0)),
            namespace::blocksWithoutReplica,
            census::isSettled);
  }

  SuperchunkMap map() {
    return map;
  }

  /** Notes what time has changed; to be called about once a report interval, in a standby too. */
  void advance(long nowMs) {
    map.advance(nowMs);
    lstorDaemons.look(map.view(), nowMs);
    census.isSettled();
  }

  /** Looks for blocks that lack a side of their superchunk; asks DataNodes. */
  void compareSides(long nowMs) {
    sides.round(map.view(), nowMs);
  }

  /** Another NameNode is active. */
  void stopComparing() {
    sides.clear();
  }

  /**
   * What no report shows: plugins of live DataNodes and Lstor daemons that should report and do
   * not, and failed scans.
   */
  List<Problem> missing(Collection<Node> nodes) {
    ClusterView view = map.view();
    List<Problem> missing = new ArrayList<>();
    NodesWithoutPlugin.of(this, nodes)
        .forEach(node -> missing.add(NodesWithoutPlugin.problem(view, node)));
    missing.addAll(lstorDaemons.problems(view));
    scans.problem().ifPresent(missing::add);
    return List.copyOf(missing);
  }

  /** HDFS' scans of all blocks that have failed. */
  FailedScans scans() {
    return scans;
  }

  /** DataNodes whose Lstors no daemon reports. */
  int nodesWithoutLstorDaemon() {
    return lstorDaemons.nodes();
  }

  Grants grants() {
    return grants;
  }

  PlacementChooser chooser() {
    return chooser;
  }

  /** What the NameNode's policy asks. */
  PairPlacement placement() {
    return protection.placement();
  }

  /** Calls that find rows for an adoption, with what the manager has to note of them. */
  RowFinder adoptionRows(RowFinder finder) {
    return protection.rows(finder);
  }

  /** Calls that have replicas covered, with what the manager has to note of them. */
  CoverCalls covers(CoverCalls calls) {
    return protection.covers(calls);
  }

  /** Calls that have replicas leave superchunks, with what the manager has to note of them. */
  RowReleases releases(RowReleases calls) {
    return protection.releases(calls);
  }

  /** Blocks have no rows any more. */
  void released(Collection<Long> blockIds) {
    protection.released(blockIds);
  }

  /** What it knows and decides where blocks in superchunks and plain ones lie beside. */
  ProtectionState protection() {
    return protection;
  }

  /** Files that were written and are to be adopted or lowered. */
  FilesToLower filesToLower() {
    return protection.placement().filesToLower();
  }

  RecoveryCoordinator recovery() {
    return recovery;
  }

  /** What nodes learn from the answers to their reports. */
  NodeOrders nodeOrders() {
    return new NodeOrders() {
      @Override
      public List<RebuildOrder> rebuilds(String nodeUuid) {
        return recovery.ordersFor(nodeUuid);
      }

      @Override
      public List<String> unneededDisks(String nodeUuid) {
        return unneeded.of(map.view(), nodeUuid);
      }
    };
  }

  /** Superchunk of a block, or that it is plain, by what rows have said. */
  BlockSuperchunks superchunks() {
    return protection.superchunks();
  }

  /** What asks DataNodes for the superchunks of blocks. */
  HomeQuestions questions(RowFinder finder, Executor executor, PlacementAnswers.Blocks blocks) {
    return protection.questions(finder, executor, blocks, this::copyOf);
  }

  /**
   * What tells DataNodes the superchunks of blocks that are being written or copied.
   *
   * @param lastAllocated newest block of the NameNode
   */
  SuperchunkAnswers answers(
      PlacementAnswers.Blocks blocks, LongSupplier lastAllocated, HomeQuestions questions) {
    return protection.answers(blocks, lastAllocated, questions, this::copyOf);
  }

  private Optional<Copy> copyOf(long blockId) {
    return repair().flatMap(copies -> copies.copyOf(blockId));
  }

  /** What copies missing replicas; empty without a NameNode. */
  Optional<BlockRepair> repair() {
    return Optional.ofNullable(repair);
  }

  void repairBy(BlockRepair newRepair) {
    repair = newRepair;
  }

  /** Whether both frames of a superchunk are in service. */
  boolean isPaired(long superchunkId) {
    SuperchunkView superchunk = map.view().superchunks().get(superchunkId);
    return superchunk != null && superchunk.state() == SuperchunkState.ACTIVE;
  }

  /** Nodes of RAIDP that have not reported to this manager. */
  UnheardNodes unheard() {
    return unheard;
  }

  LayoutApplier layout() {
    return layout;
  }

  /** Whether the NameNode's policy asks this manager. */
  boolean isAttached() {
    return attached;
  }

  void attached() {
    attached = true;
  }

  void detached() {
    attached = false;
  }
}
