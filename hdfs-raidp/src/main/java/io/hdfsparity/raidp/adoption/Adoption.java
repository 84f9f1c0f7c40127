/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import io.hdfsparity.raidp.adoption.AdoptableFile.Trait;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Adopts files: has two replicas of each block covered where they lie, and then lowers the
 * replication of the file to two, so that HDFS drops the third. A block of which no two replicas
 * are on disks that share a superchunk is covered on one disk and copied to the other side.
 *
 * <pre>
 *   file -> rows of all its blocks asked -> cover (leader, then follower) -> rows asked until both
 *   sides cover each block as it is -> all asked again if that was a while ago -> lowered
 *
 *   with a copy: cover (near side) -> its row is there -> copy to the far side -> as above
 * </pre>
 *
 * <p><b>Invariants</b>: replication is lowered only of protected files, and if, within {@link
 * #FRESH_MS}, both sides of a superchunk have said of each block that they cover its whole length
 * under its generation stamp and know so of each other; the NameNode compares the stamps again. No
 * block of a file is covered before it is known that all can be. At most as many blocks and bytes
 * are in flight as the limits say. A copy is begun only when the side that has the block has its
 * row. What is left on the way is reported, as HDFS looks for no side of a block with enough
 * replicas.
 *
 * <p><b>Crash</b>: a run is memory of the active manager, and is gone with it. What was covered
 * stays covered: another run asks the rows and goes on from there. A DataNode that forgets what it
 * has taken in is called again. After any crash a block has as many replicas as before, or both
 * parities.
 *
 * <p>Calls DataNodes. Not thread-safe, but for {@link #progress}; time is passed in.
 */
public final class Adoption implements FileRun {
  /** What is known of a file's blocks may be so old when it is lowered. */
  static final long FRESH_MS = 5_000;

  /** A file whose rows do not change for so long is set aside. */
  static final long STUCK_MS = 60_000;

  private static final int MAX_REFUSALS = 3;

  private final FileSource source;
  private final AdoptionCluster cluster;
  private final AdoptionGoal goal;
  private final AdoptionLimits limits;
  private final RowQuery query;
  private final AdoptionCounts counts;
  private final CoverBudget budget;
  private final List<FileWork> inHand = new LinkedList<>();
  private final SetAsideFiles setAside;
  private final FileIntake intake;
  private int blocksInHand;
  private int blocksInFlight;

  /** Of these, the ones that need a copy; counted once a round, and those that are begun then. */
  private int copiesInFlight;

  private long bytesInFlight;
  private long beganMs = -1;
  private volatile AdoptionProgress progress = AdoptionProgress.none();

  /** Calls of a round, which are made at its end. */
  private record Orders(CoverOrders covers, CopyOrders copies) {}

  /**
   * @param unitBytes allocation unit of superchunks
   */
  public Adoption(
      FileSource source,
      AdoptionCluster cluster,
      AdoptionGoal goal,
      AdoptionLimits limits,
      long unitBytes) {
    this.source = source;
    this.cluster = cluster;
    this.goal = goal;
    this.limits = limits;
    this.setAside = new SetAsideFiles(limits.filesSetAside());
    this.query = new RowQuery(cluster);
    this.counts = new AdoptionCounts(unitBytes);
    this.intake = new FileIntake(source, setAside, counts);
    this.budget = new CoverBudget(limits.bytesPerSecond());
  }

  @Override
  public AdoptionProgress progress() {
    return progress;
  }

  /** Goes on, where no time passes meanwhile. */
  void round(long nowMs) {
    round(() -> nowMs);
  }

  @Override
  public void round(LongSupplier clockMs) {
    long nowMs = clockMs.getAsLong();
    if (beganMs < 0) {
      beganMs = nowMs;
    }
    budget.advance(nowMs);
    intake.fill(
        nowMs,
        () -> limits.blocksInHand() - blocksInHand,
        (file, looks) -> glance(file, looks, nowMs));
    List<BlockWork> due = new ArrayList<>();
    inHand.forEach(
        file -> file.blocks().stream().filter(block -> block.isDue(nowMs)).forEach(due::add));
    List<BlockWork> flying = due.stream().filter(BlockWork::isInFlight).toList();
    query.ask(due, nowMs);
    flying.stream().filter(block -> !block.isInFlight()).forEach(this::landed);
    copiesInFlight =
        (int)
            inHand.stream()
                .flatMap(file -> file.blocks().stream())
                .filter(block -> block.isInFlight() && block.plan().isPresent())
                .count();
    Orders orders = new Orders(new CoverOrders(), new CopyOrders());
    for (Iterator<FileWork> each = inHand.iterator(); each.hasNext(); ) {
      FileWork file = each.next();
      Optional<FileOutcome> outcome = advance(file, orders, clockMs, nowMs);
      if (outcome.isPresent()) {
        each.remove();
        release(file);
        setAsideOrCount(file, outcome.get(), nowMs);
      }
    }
    orders.covers().send(cluster, (file, block) -> refused(file, block, nowMs));
    orders
        .copies()
        .send(cluster, budget, counts, (file, block) -> refused(file, block, nowMs), nowMs);
    boolean over = intake.isOver() && inHand.isEmpty();
    progress =
        counts.progress(
            over,
            source.count(),
            new Tally(blocksInFlight, bytesInFlight),
            Math.max(0, nowMs - beganMs));
  }

  // ------------------------------------------------------------------ files in and out

  private void glance(AdoptableFile file, int looks, long nowMs) {
    Optional<FileOutcome> outcome = FileWork.firstGlance(file);
    if (outcome.isEmpty()) {
      inHand.add(new FileWork(file, looks, nowMs));
      blocksInHand += file.blocks().size();
    } else if (!isSetAside(file.inodeId(), looks, outcome.get(), nowMs)) {
      counts.glanced(outcome.get(), file.bytes());
      source.ended(file.inodeId(), outcome.get());
    }
  }

  private void setAsideOrCount(FileWork work, FileOutcome outcome, long nowMs) {
    if (!isSetAside(work.file().inodeId(), work.looks(), outcome, nowMs)) {
      counts.finished(work, outcome);
      source.ended(work.file().inodeId(), outcome);
    }
  }

  private boolean isSetAside(long inodeId, int looks, FileOutcome outcome, long nowMs) {
    return goal != AdoptionGoal.SURVEY && setAside.add(inodeId, looks, outcome, nowMs);
  }

  private void release(FileWork work) {
    blocksInHand -= work.blocks().size();
    for (BlockWork block : work.blocks()) {
      if (goal == AdoptionGoal.ADOPT && block.mayLackSide()) {
        cluster.mayLackSide(block.block().blockId());
      }
      if (block.isInFlight()) {
        grounded(block);
        block.leave();
      }
    }
  }

  // ------------------------------------------------------------------ a file in hand

  /** What has become of a file; empty: it stays in hand. */
  private Optional<FileOutcome> advance(
      FileWork work, Orders orders, LongSupplier clockMs, long nowMs) {
    long stuckMs = work.stuckMs(nowMs);
    if (work.has(BlockState.UNKNOWN)) {
      boolean isLate = goal == AdoptionGoal.SURVEY || stuckMs >= STUCK_MS;
      return isLate ? Optional.of(FileOutcome.NODE_REFUSES) : Optional.empty();
    }
    if (goal == AdoptionGoal.SURVEY) {
      return Optional.of(work.counted());
    }
    if (work.isAll(BlockState.COVERED)) {
      return lower(work, clockMs);
    }
    Optional<FileOutcome> obstacle =
        work.obstacle()
            .or(
                () ->
                    work.file().traits().contains(Trait.PROTECTED)
                        ? Optional.empty()
                        : Optional.of(FileOutcome.NOT_PROTECTED));
    if (work.isInFlight()) {
      if (stuckMs >= STUCK_MS) {
        return Optional.of(FileOutcome.BEING_COVERED);
      }
    } else if (obstacle.isPresent()) {
      return obstacle;
    } else {
      work.waits(nowMs);
    }
    if (obstacle.isEmpty()) {
      cover(work, orders, nowMs);
    }
    return Optional.empty();
  }

  private void cover(FileWork work, Orders orders, long nowMs) {
    for (BlockWork block : work.blocks()) {
      if (block.lacksCopy()) {
        block.plan().ifPresent(plan -> orders.copies().add(work, block, plan));
      } else if (block.lacksRow()) {
        order(work, block, orders);
      } else if (!block.isInFlight() && block.state() != BlockState.COVERED && isRoomInFlight()) {
        // Otherwise it waits; those in flight may lack a row.
        if (!begin(block, nowMs)) {
          block.lacksRoom();
          return;
        }
        if (block.isInFlight()) {
          order(work, block, orders);
        }
      }
    }
  }

  private static void order(FileWork work, BlockWork block, Orders orders) {
    block.target().ifPresent(home -> orders.covers().add(work, block, home, block.coverable()));
  }

  private boolean isRoomInFlight() {
    return budget.isLeft()
        && blocksInFlight < limits.blocksInFlight()
        && bytesInFlight < limits.bytesInFlight();
  }

  /**
   * Begins to have a block covered, unless it has to wait for copies of others.
   *
   * @return false: no superchunk has room any more
   */
  private boolean begin(BlockWork block, long nowMs) {
    boolean mayCopy = copiesInFlight < limits.copies();
    if (block.state() == BlockState.NEEDS_COPY && !mayCopy) {
      return true;
    }
    CopyPlan plan = block.plan().orElse(null);
    SharedSuperchunk home = block.target().or(() -> promised(block)).orElse(null);
    if (home == null) {
      if (!mayCopy) {
        return true;
      }
      plan = promisedCopy(block).orElse(null);
      if (plan == null) {
        return false;
      }
      home = plan.superchunk();
    }
    long bytes = block.block().lengthBytes();
    block.fly(home, plan, nowMs);
    blocksInFlight++;
    bytesInFlight += bytes;
    copiesInFlight += plan == null ? 0 : 1;
    budget.take(bytes);
    return true;
  }

  private Optional<SharedSuperchunk> promised(BlockWork block) {
    long bytes = block.block().lengthBytes();
    return cluster.roomiest(block.storageIds(), bytes).filter(home -> cluster.promise(home, bytes));
  }

  private Optional<CopyPlan> promisedCopy(BlockWork block) {
    long bytes = block.block().lengthBytes();
    return cluster
        .copyTarget(block.storageIds(), bytes)
        .filter(plan -> cluster.promise(plan.superchunk(), bytes));
  }

  private void refused(FileWork work, BlockWork block, long nowMs) {
    if (block.isInFlight()) {
      grounded(block);
      block.land(nowMs);
    }
    if (work.refused() > MAX_REFUSALS * Math.max(1, work.blocks().size()) && inHand.remove(work)) {
      release(work);
      setAsideOrCount(work, FileOutcome.NODE_REFUSES, nowMs);
    }
  }

  private void landed(BlockWork block) {
    grounded(block);
    if (block.state() == BlockState.COVERED) {
      counts.covered(block.block().lengthBytes());
    }
  }

  private void grounded(BlockWork block) {
    blocksInFlight--;
    bytesInFlight -= block.block().lengthBytes();
  }

  private Optional<FileOutcome> lower(FileWork work, LongSupplier clockMs) {
    if (work.file().replication() <= 2) {
      return Optional.of(FileOutcome.COVERED);
    }
    if (!work.file().traits().contains(Trait.PROTECTED)) {
      return Optional.of(FileOutcome.NOT_PROTECTED);
    }
    if (!isFresh(work, clockMs)) {
      askAgain(work, clockMs.getAsLong());
      // Others are not waited for: where questions of a whole round are slow, none were fresh.
      if (!work.isAll(BlockState.COVERED) || !isFresh(work, clockMs)) {
        return Optional.empty();
      }
    }
    try {
      return Optional.of(
          switch (cluster.lower(work.file().inodeId(), work.stamps())) {
            case LOWERED, NOT_HIGHER -> FileOutcome.COVERED;
            case NOT_PROTECTED -> FileOutcome.NOT_PROTECTED;
            case CHANGED -> FileOutcome.CHANGED;
            case GONE -> FileOutcome.GONE;
          });
    } catch (IOException e) {
      // Safe mode, or a standby by now: the manager ends the run then.
      return Optional.of(FileOutcome.CHANGED);
    }
  }

  /** Seen by the clock, and not by the round: its questions may have taken long. */
  private static boolean isFresh(FileWork work, LongSupplier clockMs) {
    return clockMs.getAsLong() - work.knownMs() <= FRESH_MS;
  }

  private void askAgain(FileWork work, long nowMs) {
    work.blocks().forEach(block -> block.land(nowMs));
    query.ask(work.blocks(), nowMs);
  }
}
