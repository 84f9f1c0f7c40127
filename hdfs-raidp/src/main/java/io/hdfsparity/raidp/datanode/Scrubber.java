/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.Timers;
import io.hdfsparity.raidp.wire.message.HealReport;
import io.hdfsparity.raidp.wire.message.HealRequest;
import io.hdfsparity.raidp.wire.message.ScrubReport;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads what superchunks hold on the disks of the node and compares: replicas with their CRCs, rows
 * with files, the parity with its cells' CRCs and with what the replicas make of them. Disks are
 * read side by side. Runs beside writes; what changes under it is looked at again. Thread-safe.
 */
final class Scrubber {
  /** A disk is read by one thread, and half of the processors are left to others. */
  private static final int MAX_DISKS_AT_ONCE =
      Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

  private final NodeFrames frames;
  private final Actions actions;
  private final Set<ScrubRun> running = ConcurrentHashMap.newKeySet();
  private final AtomicLong findingsEver = new AtomicLong();

  /** Notified of replicas that are damaged, so that nobody reads them. */
  @FunctionalInterface
  interface BadReplicas {
    void report(HealRequest replica) throws IOException;
  }

  /** Puts a damaged replica right. */
  @FunctionalInterface
  interface Healer {
    HealReport heal(HealRequest replica) throws IOException;
  }

  /** What is done about damaged replicas. */
  record Actions(BadReplicas badReplicas, Healer healer) {}

  Scrubber(NodeFrames frames, BadReplicas badReplicas, Healer healer) {
    this.frames = frames;
    this.actions = new Actions(badReplicas, healer);
  }

  /** Findings of all runs. */
  long findingsEver() {
    return findingsEver.get();
  }

  /**
   * Checks, tells how far the checks are that run, or ends them.
   *
   * @throws InterruptedIOException when a check was stopped
   */
  ScrubReport run(ScrubRequest request) throws IOException {
    return switch (request.action()) {
      case RUN -> check(request);
      case WATCH -> progress();
      case STOP -> {
        running.forEach(ScrubRun::stop);
        yield progress();
      }
    };
  }

  private ScrubReport progress() {
    return new ScrubReport(
        running.stream().mapToLong(ScrubRun::bytesRead).sum(),
        0,
        0,
        List.of(),
        running.stream().mapToLong(ScrubRun::unitsDone).sum(),
        running.stream().mapToLong(ScrubRun::unitsTotal).sum());
  }

  private ScrubReport check(ScrubRequest request) throws IOException {
    ScrubRun run = new ScrubRun(request.throttleBytesPerSecond(), Clock.system());
    running.add(run);
    try {
      ScrubTally tally = new ScrubTally();
      List<DiskEngine> working = new ArrayList<>();
      for (DiskEngine disk : frames.disks()) {
        if (request.diskId().isPresent() && !request.diskId().get().equals(disk.diskId())) {
          continue;
        }
        tally.disks++;
        if (disk.failure().isPresent()) {
          tally.add(disk, "disk-failed", disk.failure().get(), null, null, false);
        } else {
          working.add(disk);
        }
      }
      checkSideBySide(working, request, run, tally);
      findingsEver.addAndGet(tally.findings.size());
      return new ScrubReport(
          tally.bytesRead,
          tally.blocks,
          tally.disks,
          tally.findings,
          run.unitsDone(),
          run.unitsTotal());
    } finally {
      running.remove(run);
    }
  }

  private void checkSideBySide(
      Collection<DiskEngine> disks, ScrubRequest request, ScrubRun run, ScrubTally tally)
      throws IOException {
    if (disks.isEmpty()) {
      return;
    }
    ExecutorService threads =
        Timers.daemonPool(Math.min(disks.size(), MAX_DISKS_AT_ONCE), "raidp-scrub");
    try {
      List<Future<ScrubTally>> all = new ArrayList<>();
      for (DiskEngine disk : disks) {
        all.add(
            threads.submit(
                () -> new DiskScrub(disk, frames.volumesOf(disk), request, actions, run).check()));
      }
      for (Future<ScrubTally> one : all) {
        tally.add(one.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("Cannot scrub: interrupted").initCause(e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause
          ? cause
          : new IOException("Cannot scrub: " + e.getCause(), e.getCause());
    } finally {
      run.stop();
      threads.shutdown();
    }
  }
}
