/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a described cluster would be with RAIDP: sizes, capacity, and which failures it survives.
 * The survival flags are found by looking at the planned layout, not taken for granted.
 *
 * @param spec description
 * @param notes what the reader should know
 * @param planned the superchunks
 * @param lstor size of the Lstor of each disk
 * @param capacity what fits
 * @param losses what failures take
 * @param costs memory, wear and time
 */
public record PlanReport(
    PlanSpec spec,
    List<String> notes,
    Planned planned,
    LstorSizing lstor,
    Capacity capacity,
    Losses losses,
    PlanCosts costs) {
  private static final long ROOM_BUDGET_MS = 10_000;

  /** As docs/reference/raidp-plan.md advises. */
  private static final int MAX_VOLUMES = 64;

  private static final double LSTOR_SHARE = 0.01;
  private static final double LSTOR_OVERHEAD = 0.015;

  /**
   * Superchunks, and how they are spread.
   *
   * @param table who shares with whom
   * @param layout the frames, when the description has frames
   * @param method how superchunks were found
   * @param load how evenly disks are used
   * @param sharing superchunks that two nodes share
   */
  public record Planned(
      PairTable table, Optional<Layout> layout, String method, Load load, NodeSharing sharing) {}

  /**
   * What failures take.
   *
   * @param survival which failures lose nothing
   * @param triangles triples of disks that share pairwise
   * @param failures what is lost at most
   * @param room whether recovery finds receivers
   */
  public record Losses(
      Survival survival,
      Triangles triangles,
      List<PlanFailures.Case> failures,
      List<RecoveryRoom> room) {}

  /**
   * Bytes.
   *
   * @param rawBytes bytes of all disks
   * @param usableBytes bytes of user data that the superchunks hold
   * @param threeReplicasBytes bytes of user data that three replicas would hold on the same disks,
   *     nothing held back
   */
  public record Capacity(long rawBytes, long usableBytes, long threeReplicasBytes) {}

  /**
   * Superchunks of a disk.
   *
   * @param min fewest on a disk
   * @param max most on a disk
   */
  public record Load(int min, int max) {}

  /**
   * What is left after failures.
   *
   * @param anyDisk a replica of everything is left when one disk fails
   * @param anyNode a replica of everything is left when one node fails
   * @param anyTwoDisks when two disks fail, at most one superchunk loses both replicas, so that
   *     either Lstor rebuilds it
   * @param availableWithoutAnyRack a replica of everything is left when one rack is out
   * @param sharedByTwoNodes most superchunks whose two replicas lie on the same two nodes; with
   *     more than one, the loss of two whole nodes may be more than their Lstors can rebuild
   */
  public record Survival(
      boolean anyDisk,
      boolean anyNode,
      boolean anyTwoDisks,
      boolean availableWithoutAnyRack,
      int sharedByTwoNodes) {}

  /**
   * Plans the described cluster.
   *
   * @throws LayoutRefusedException when the rules cannot be kept
   */
  public static PlanReport of(PlanSpec spec, PlanRates rates, PlanProgress progress)
      throws LayoutRefusedException {
    spec.checked();
    if (spec.frames().isPresent()) {
      LayoutPlan plan = RoomyLayout.plan(spec.shape(), spec.layoutOptions(), spec.roomDisks());
      Layout layout = plan.layout();
      return report(
          spec,
          rates,
          PairTable.of(spec.disks(), layout),
          Optional.of(layout),
          layout.check(spec.spare()),
          plan.method().name(),
          plan.notes(),
          progress);
    }
    DiskMap disks = spec.disks();
    int[] wanted = new int[disks.disks()];
    Arrays.fill(wanted, spec.superchunksPerDisk());
    PairTable table = PairPlanner.plan(disks, wanted, spec.seed(), progress);
    progress.at("checking the layout", 0, 1);
    List<LayoutViolation> violations = PairTableChecker.check(table);
    if (!violations.isEmpty()) {
      throw new IllegalStateException(
          "Cannot use the planned layout: violations="
              + violations
              + ", expected none, seed="
              + spec.seed());
    }
    return report(spec, rates, table, Optional.empty(), violations, "SPREAD", List.of(), progress);
  }

  private static PlanReport report(
      PlanSpec spec,
      PlanRates rates,
      PairTable table,
      Optional<Layout> layout,
      List<LayoutViolation> violations,
      String method,
      List<String> notes,
      PlanProgress progress) {
    Set<LayoutRule> broken = new HashSet<>();
    violations.forEach(violation -> broken.add(violation.rule()));
    long raw = Math.multiplyExact((long) spec.nodes() * spec.disksPerNode(), spec.diskBytes());
    boolean mirrored = !broken.contains(LayoutRule.ONE_MIRRORING);
    boolean nodes = mirrored && !broken.contains(LayoutRule.DIFFERENT_NODES);
    LstorSizing lstor = LstorSizing.of(spec.framesPerDisk(), spec.superchunkBytes());
    progress.at("looking at what nodes and disks share", 0, 1);
    NodeSharing sharing = NodeSharing.of(table);
    Triangles triangles = Triangles.of(table, spec.seed());
    int[] maxLoads = new int[table.disks().disks()];
    Arrays.fill(maxLoads, spec.framesPerDisk());
    return new PlanReport(
        spec,
        withNotes(spec, lstor, notes),
        new Planned(table, layout, method, new Load(table.minLoad(), table.maxLoad()), sharing),
        lstor,
        new Capacity(raw, table.superchunks() * spec.superchunkBytes(), raw / 3),
        new Losses(
            new Survival(
                mirrored,
                nodes,
                nodes && !broken.contains(LayoutRule.ONE_SHARING),
                spec.racks() >= 2 && nodes && !broken.contains(LayoutRule.DIFFERENT_RACKS),
                sharing.max()),
            triangles,
            PlanFailures.of(table, sharing, triangles),
            layout
                .map(frames -> RecoveryRoom.of(frames, spec.seed(), progress))
                .orElseGet(
                    () ->
                        PairRecovery.rooms(
                            table, maxLoads, spec.seed(), ROOM_BUDGET_MS, progress))),
        PlanCosts.of(spec, rates, lstor, table));
  }

  private static List<String> withNotes(PlanSpec spec, LstorSizing lstor, List<String> notes) {
    List<String> all = new ArrayList<>(notes);
    int volumes = spec.framesPerDisk() * spec.disksPerNode();
    if (volumes > MAX_VOLUMES) {
      all.add(
          "a DataNode carries about "
              + MAX_VOLUMES
              + " data directories, and this plan has "
              + volumes
              + " frames: set frames.per.volume="
              + spec.framesPerDisk()
              + ", with one directory a disk, or choose -frames");
    }
    if (lstor.totalBytes() > LSTOR_SHARE * spec.diskBytes() && spec.frames().isEmpty()) {
      all.add(
          "an Lstor takes more than 1 % of its disk: with "
              + spec.superchunksPerDisk()
              + " superchunks on a disk; a smaller -superchunkSize makes more"
              + (spec.superchunksPerDisk() >= spec.usefulPeers()
                  ? ", but a disk meets too few others"
                  : ""));
    }
    if (lstor.overhead() > LSTOR_OVERHEAD) {
      long checksums = lstor.checksumParityBytes();
      all.add(
          "an Lstor is more than 1.5 % larger than a superchunk: most of that is "
              + (lstor.journalBytes() > Math.max(checksums, lstor.tableBytes())
                  ? "the smallest redo ring"
                  : "its slot table, which has a row of 256 bytes for each unit of each frame"));
    }
    return all;
  }
}
