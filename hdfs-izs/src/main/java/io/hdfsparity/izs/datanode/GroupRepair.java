/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import io.hdfsparity.bridge.datanode.RebuildTask;
import io.hdfsparity.izs.codec.ContradictionException;
import io.hdfsparity.izs.codec.IzsCodec;
import io.hdfsparity.izs.repair.GroupReads;
import io.hdfsparity.izs.repair.GroupShape;
import io.hdfsparity.izs.repair.HalfReads;
import io.hdfsparity.izs.repair.NotEnoughSourcesException;
import io.hdfsparity.izs.repair.OverlapReads;
import io.hdfsparity.izs.repair.SourceBook;
import java.io.IOException;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.hdfs.DFSUtilClient.CorruptedBlocks;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.server.datanode.ErrorReports;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One repair: plans, runs a pass, and, where a helper fails, goes on from the stripe reached with a
 * plan that does without it.
 *
 * <pre>
 *   plan --&gt; sources compared --&gt; pass --&gt; done
 *     ^        | all bytes of them unless parity is believed; else samples
 *     ^        | they contradict each other: reported, failed
 *     ^        | nothing to compare with, and parity not believed: failed, ordered again
 *     ^        | helper failed or slow: doubtful; corrupt: reported to the NameNode, never read again
 *     +--------+ no plan from the trusted ones: doubtful ones get another chance; too many attempts: failed
 * </pre>
 *
 * <p>Used by one thread.
 */
final class GroupRepair implements StripePass.TargetOpener {
  private static final Logger LOG = LoggerFactory.getLogger(GroupRepair.class);

  private final RepairContext context;
  private final RebuildTask task;
  private final GroupShape shape;
  private final IzsCodec codec;
  private final SourceBook sources;
  private SortedSet<Integer> compared = new TreeSet<>();
  private boolean areTargetsOpen;

  /** Asked for once, and only where data is decoded. */
  private ParityBelief.@Nullable Opinion opinion;

  GroupRepair(RepairContext context, RebuildTask task) {
    this.context = context;
    this.task = task;
    ErasureCodingPolicy policy = task.policy();
    this.shape =
        new GroupShape(
            policy.getNumDataUnits(),
            policy.getNumParityUnits(),
            policy.getCellSize(),
            task.blockGroup().getNumBytes());
    this.codec = context.codecs().of(shape.dataUnits(), shape.parityUnits()).fast();
    this.sources = new SourceBook(task.sources().keySet());
  }

  /** Runs it, and counts it. */
  void run() throws IOException {
    long startNanos = System.nanoTime();
    context.metrics().began();
    boolean isDone = false;
    try (MemoryBudget.Grant granted = context.memory().acquire(neededBytes())) {
      RepairMetrics.Plans plans = repair();
      isDone = true;
      context.metrics().repaired(plans);
      LOG.info(
          "Rebuilt units {} of {} by {} in {} ms",
          task.targetUnits(),
          task.blockGroup(),
          plans,
          (System.nanoTime() - startNanos) / 1_000_000);
    } finally {
      if (!isDone) {
        context.metrics().failed();
      }
      context.metrics().ended(System.nanoTime() - startNanos);
    }
  }

  /** Two stripes of k + 1 helpers, what is sent, perhaps compared, and a column of zeros. */
  private long neededBytes() {
    int outputs = task.targetUnits().size() * (task.isValidated() ? 2 : 1);
    return (2L * (shape.dataUnits() + 1) + outputs + 1) * shape.cellBytes();
  }

  private RepairMetrics.Plans repair() throws IOException {
    boolean hasHalf = false;
    boolean hasFull = false;
    long stripe = 0;
    for (int attempt = 1; ; attempt++) {
      GroupReads plan = plan();
      HelperFailedException failure = compareSources(plan);
      if (failure != null) {
        note(failure);
        requireAttemptsLeft(attempt, failure);
        continue;
      }
      StripePass pass = new StripePass(context, task, shape, plan, this, stripe);
      failure = runPass(pass);
      boolean isUsed = failure == null || pass.nextStripe() > stripe;
      hasHalf |= isUsed && plan.halfPlan().isPresent();
      hasFull |= isUsed && plan.halfPlan().isEmpty();
      if (failure == null) {
        return hasHalf && hasFull
            ? RepairMetrics.Plans.BOTH
            : hasHalf ? RepairMetrics.Plans.HALF_READ : RepairMetrics.Plans.FULL_READ;
      }
      stripe = pass.nextStripe();
      note(failure);
      requireAttemptsLeft(attempt, failure);
      LOG.info("Going on from stripe {} of {} with other helpers", stripe, task.blockGroup());
    }
  }

  private void requireAttemptsLeft(int attempt, HelperFailedException failure) throws IOException {
    if (attempt >= context.options().attempts()) {
      throw new IOException(
          "Cannot rebuild units "
              + task.targetUnits()
              + ": attempts="
              + attempt
              + ", expected fewer faults of helpers, block="
              + task.blockGroup(),
          failure);
    }
  }

  /** Compares the sources of a plan with each other, unless that was done. */
  private @Nullable HelperFailedException compareSources(GroupReads plan) throws IOException {
    if (compared.containsAll(plan.usable())) {
      return null;
    }
    OverlapReads overlap = new OverlapReads(shape, codec.code(), plan.usable());
    SourceCheck.Extent extent = SourceCheck.Extent.SAMPLES;
    if (overlap.isDataDecoded()) {
      ParityBelief.Opinion asked = opinion();
      if (overlap.isNothingToSpare()) {
        asked.require(task.blockGroup(), task.targetUnits());
      }
      extent = asked.isBelieved() ? extent : SourceCheck.Extent.WHOLE;
    }
    try {
      new SourceCheck(context, task, codec, overlap).run(extent);
    } catch (HelperFailedException e) {
      return e;
    } catch (ContradictionException e) {
      context.metrics().contradicted();
      ErrorReports.send(context.datanode(), task.blockGroup(), e.getMessage());
      throw e;
    }
    compared = new TreeSet<>(plan.usable());
    return null;
  }

  private ParityBelief.Opinion opinion() {
    ParityBelief.Opinion asked = opinion;
    if (asked == null) {
      asked = context.belief().ask(task.blockGroup());
      opinion = asked;
    }
    return asked;
  }

  private static @Nullable HelperFailedException runPass(StripePass pass) throws IOException {
    try (pass) {
      pass.run();
      return null;
    } catch (HelperFailedException e) {
      return e;
    }
  }

  private GroupReads plan() throws IOException {
    try {
      return plan(new TreeSet<>(sources.trusted()));
    } catch (NotEnoughSourcesException e) {
      if (sources.readable().equals(sources.trusted())) {
        throw e;
      }
      sources.trustAgain();
      return plan(sources.readable());
    }
  }

  private GroupReads plan(SortedSet<Integer> usable) throws IOException {
    return GroupReads.plan(
        shape,
        codec,
        new TreeSet<>(task.liveTargets()),
        usable,
        context.options().mayHalfRead() ? HalfReads.ALLOWED : HalfReads.FORBIDDEN);
  }

  private void note(HelperFailedException failure) throws IOException {
    LOG.warn("A helper is replaced: {}", failure.getMessage(), failure.getCause());
    context.metrics().changedPlan(failure.fault());
    if (failure.fault() != HelperFailedException.Fault.CORRUPT) {
      sources.doubt(failure.unit());
      return;
    }
    sources.dropCorrupt(failure.unit());
    CorruptedBlocks corrupted = new CorruptedBlocks();
    corrupted.addCorruptedBlock(task.block(failure.unit()), task.sources().get(failure.unit()));
    context.datanode().reportCorruptedBlocks(corrupted);
  }

  @Override
  public void open(HelperStream first) throws IOException {
    if (!areTargetsOpen) {
      task.openTargets(first.checksum(), shape.cellBytes());
      areTargetsOpen = true;
    }
  }
}
