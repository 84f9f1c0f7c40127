/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.raidp.recovery.CancelToken;
import io.hdfsparity.raidp.recovery.DeadDisk;
import io.hdfsparity.raidp.recovery.DecodeReport;
import io.hdfsparity.raidp.recovery.ReceiverFailedException;
import io.hdfsparity.raidp.recovery.SuperchunkDecoder;
import io.hdfsparity.raidp.recovery.SuperchunkJob;
import io.hdfsparity.raidp.recovery.Throttle;
import io.hdfsparity.raidp.recovery.WantedBlock;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.LstorSource;
import io.hdfsparity.raidp.wire.message.RebuildOrder;
import io.hdfsparity.raidp.wire.message.RebuildStatus;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One rebuild from its order to its end. What fails is tried again with tables read afresh, as a
 * mirror or daemon may have been away for a moment only. Thread-safe; {@link #run} is called once.
 */
final class Rebuild {
  private static final Logger LOG = LoggerFactory.getLogger(Rebuild.class);

  private final DatasetAccess dataset;
  private final RebuiltBlocks blocks;
  private final RebuildClients clients;
  private final RebuildTuning tuning;
  private final Kernel kernel;
  private final Clock clock;
  private final Optional<Path> spillDir;
  private final RebuildProgress progress;
  private final CancelToken cancel = new CancelToken();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final ReentrantLock pauseLock = new ReentrantLock();
  private final Condition woken = pauseLock.newCondition();
  private volatile RebuildOrder order;

  Rebuild(
      RebuildOrder order,
      DatasetAccess dataset,
      RebuiltBlocks blocks,
      RebuildClients clients,
      RebuildTuning tuning,
      Kernel kernel,
      Clock clock,
      Optional<Path> spillDir) {
    this.order = order;
    this.dataset = dataset;
    this.blocks = blocks;
    this.clients = clients;
    this.tuning = tuning;
    this.kernel = kernel;
    this.clock = clock;
    this.spillDir = spillDir;
    this.progress = new RebuildProgress(order.rebuildId(), order.superchunkId(), clock);
  }

  /** Takes in newer addresses of the sources. */
  void refresh(RebuildOrder newer) {
    order = newer;
  }

  RebuildStatus status() {
    return progress.status();
  }

  boolean isRunning() {
    return progress.isRunning();
  }

  void cancel() {
    cancel.cancel();
    pauseLock.lock();
    try {
      woken.signalAll();
    } finally {
      pauseLock.unlock();
    }
  }

  /** Whether a newer order takes the place of this one. */
  boolean isReplacedBy(RebuildOrder newer) {
    return order.target().equals(newer.target())
        || order.target().storageId().equals(newer.target().storageId())
            && order.superchunkId() == newer.superchunkId();
  }

  /** Waits until {@link #run} has ended. */
  void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Runs to the end; the status says how it went. */
  void run() {
    LOG.info(
        "Rebuild {} of superchunk {} into {} starts",
        order.rebuildId(),
        order.superchunkId(),
        order.target());
    boolean complete = false;
    String why = "";
    try {
      complete = attempts();
      why = cancel.isCancelled() ? "Cannot finish rebuild: cancelled" : "";
    } catch (IOException | RuntimeException e) {
      LOG.warn("Rebuild {} failed", order.rebuildId(), e);
      why = String.valueOf(e.getMessage() == null ? e : e.getMessage());
      if (e instanceof ReceiverFailedException || Thread.currentThread().isInterrupted()) {
        progress.receiverFailed();
      }
    } catch (Error e) {
      why = e.toString();
      progress.receiverFailed();
      throw e;
    } finally {
      if (cancel.isCancelled() && !complete) {
        progress.receiverFailed();
      }
      progress.end(complete, why);
      ended.countDown();
      LOG.info("Rebuild {} has ended: {}", order.rebuildId(), progress.status());
    }
  }

  private boolean attempts() throws IOException {
    if (!order.blockPoolId().equals(dataset.blockPoolId())) {
      throw ReceiverFailedException.of(
          new IOException(
              "Cannot rebuild: blockPool="
                  + order.blockPoolId()
                  + ", expected "
                  + dataset.blockPoolId()));
    }
    List<WantedBlock> wanted = order.expected().stream().map(Rebuild::wanted).toList();
    for (int attempt = 1; ; attempt++) {
      boolean last = attempt >= tuning.attempts();
      try {
        DecodeReport report = attempt(wanted);
        if (last
            || report.cancelled()
            || report.failures().stream().noneMatch(DecodeReport.Failure::required)) {
          return report.isComplete();
        }
        wanted = stillWanted(wanted, report);
      } catch (IOException e) {
        if (last || cancel.isCancelled()) {
          throw e;
        }
        LOG.info("Attempt {} of rebuild {} failed, trying again", attempt, order.rebuildId(), e);
      }
      pause();
    }
  }

  /** Without a list of the NameNode everything is asked for again; what is installed is skipped. */
  private static List<WantedBlock> stillWanted(List<WantedBlock> wanted, DecodeReport report) {
    Set<Long> failed = new HashSet<>();
    report.failures().forEach(failure -> failed.add(failure.blockId()));
    return wanted.stream().filter(block -> failed.contains(block.blockId())).toList();
  }

  private DecodeReport attempt(List<WantedBlock> wanted) throws IOException {
    HostBreaker breaker = new HostBreaker(clock);
    try {
      return attempt(wanted, breaker);
    } finally {
      progress.unanswered(breaker.isUnanswered());
    }
  }

  private DecodeReport attempt(List<WantedBlock> wanted, HostBreaker breaker) throws IOException {
    List<DeadDisk> disks = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (LstorSource source : order.sources()) {
      try {
        DeadDisk disk = open(source, breaker);
        disk.requireSoundTable();
        disks.add(disk);
      } catch (IOException e) {
        problems.add(source.name() + ": " + e.getMessage());
      }
    }
    if (disks.stream().allMatch(disk -> disk.lostFrame() == DeadDisk.NO_FRAME)) {
      throw new IOException(
          "Cannot rebuild: superchunk="
              + order.superchunkId()
              + ", expected at least one Lstor with a frame of it: "
              + String.join("; ", problems));
    }
    if (!problems.isEmpty()) {
      LOG.warn("Rebuild {} continues without {}", order.rebuildId(), problems);
    }
    Throttle throttle = new Throttle(order.pace().throttleBytesPerSecond(), clock, cancel);
    SuperchunkDecoder decoder =
        new SuperchunkDecoder(
            tuning.decode(order.pace().chunkBytes(), order.pace().lock()),
            kernel,
            throttle,
            cancel,
            spillDir);
    return decoder.decode(
        new SuperchunkJob(disks, wanted),
        new DatasetInstaller(dataset, order.target().storageId(), claim(order)),
        progress);
  }

  private DatasetInstaller.Claim claim(RebuildOrder now) {
    return new DatasetInstaller.Claim() {
      @Override
      public void make(long blockId) throws IOException {
        blocks.claim(now.target().storageId(), now.superchunkId(), now.epoch(), blockId);
      }

      @Override
      public void end(long blockId) {
        blocks.endClaim(now.target().storageId(), blockId);
      }
    };
  }

  private DeadDisk open(LstorSource source, HostBreaker breaker) throws IOException {
    RemoteParity parity = RemoteParity.open(clients, breaker, source);
    RemoteMirrors mirrors = new RemoteMirrors(clients, breaker, parity, () -> order.sources());
    if (source.lostFrameIndex().isEmpty()) {
      return new DeadDisk(parity, mirrors, DeadDisk.NO_FRAME);
    }
    int frame = source.lostFrameIndex().getAsInt();
    if (!parity.hasFrame(frame)) {
      throw new IOException(
          "Cannot use Lstor: lostFrame="
              + frame
              + ", expected a frame of its frame table, disk="
              + source.diskId());
    }
    Optional<SuperchunkRef> pair = parity.pairOf(frame);
    if (pair.isPresent() && pair.get().superchunkId() != order.superchunkId()) {
      throw new IOException(
          "Cannot use Lstor: superchunk="
              + pair.get().superchunkId()
              + ", expected "
              + order.superchunkId()
              + ", disk="
              + source.diskId()
              + " frame="
              + frame);
    }
    return new DeadDisk(parity, mirrors, frame);
  }

  private void pause() throws IOException {
    long deadlineNanos = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(tuning.retryPauseMs());
    pauseLock.lock();
    try {
      for (long left = deadlineNanos - clock.nanoTime();
          left > 0 && !cancel.isCancelled();
          left = deadlineNanos - clock.nanoTime()) {
        clock.await(pauseLock, woken, 1 + TimeUnit.NANOSECONDS.toMillis(left));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("Cannot wait for the next attempt").initCause(e);
    } finally {
      pauseLock.unlock();
    }
    try {
      cancel.check();
    } catch (CancellationException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static WantedBlock wanted(ExpectedBlock block) {
    return new WantedBlock(
        block.blockId(), block.generationStamp(), block.complete(), block.numBytes());
  }
}
