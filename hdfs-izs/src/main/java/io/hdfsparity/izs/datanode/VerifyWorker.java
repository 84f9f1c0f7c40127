/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import io.hdfsparity.core.check.Timers;
import io.hdfsparity.izs.verify.VerifyReport;
import io.hdfsparity.izs.verify.VerifyReport.Finding;
import io.hdfsparity.izs.wire.VerifyProtocol;
import io.hdfsparity.izs.wire.VerifyTask;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.ipc.StandbyException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies parity for one level manager: asks it for groups, compares one after the other, and
 * reports each as it is compared. Goes on whatever that throws. Used by one thread.
 */
final class VerifyWorker {
  private static final Logger LOG = LoggerFactory.getLogger(VerifyWorker.class);

  private final String name;
  private final VerifyProtocol manager;
  private final Supplier<@Nullable String> nodeUuid;
  private final Verifier verifier;
  private boolean isSilent;
  private boolean isIdle;

  /** Compares a group. */
  @FunctionalInterface
  interface Verifier {
    /**
     * @throws IOException if the node is stopping
     */
    VerifyReport verify(VerifyTask task) throws IOException;
  }

  /**
   * @param name of the level manager, for the log
   * @param nodeUuid of the DataNode; null: it has not registered yet
   */
  VerifyWorker(
      String name, VerifyProtocol manager, Supplier<@Nullable String> nodeUuid, Verifier verifier) {
    this.name = name;
    this.manager = manager;
    this.nodeUuid = nodeUuid;
    this.verifier = verifier;
  }

  /**
   * Works until the thread is interrupted.
   *
   * @param isClosed the same, for a call that has taken an interrupt for its own
   * @param pollMs pause when there was nothing to do, or it failed
   */
  void run(BooleanSupplier isClosed, long pollMs) throws InterruptedException {
    Runnable round =
        Timers.guarded(
            this::round,
            e -> LOG.error("Cannot verify parity for the level manager {}: tried again", name, e));
    while (!isClosed.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
      isIdle = true;
      round.run();
      if (isIdle) {
        TimeUnit.MILLISECONDS.sleep(pollMs);
      }
    }
  }

  private void round() {
    try {
      isIdle = !workOnce();
      isSilent = false;
    } catch (StandbyException e) {
      isSilent = false;
    } catch (IOException | RuntimeException e) {
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      // A NameNode that is down, or has no level manager, is nothing unusual: said once.
      if (isSilent) {
        LOG.debug("No work from the level manager {}", name, e);
      } else {
        LOG.info("No work from the level manager {}: {}", name, e.toString());
      }
      isSilent = true;
    }
  }

  /**
   * @return whether there was something to do
   */
  private boolean workOnce() throws IOException {
    String uuid = nodeUuid.get();
    if (uuid == null) {
      return false;
    }
    List<VerifyTask> tasks = manager.takeGroups(uuid);
    for (VerifyTask task : tasks) {
      // Each at once: the time of all tasks runs from when they were handed out.
      manager.reportGroups(uuid, List.of(verify(task)));
    }
    return !tasks.isEmpty();
  }

  /** Reports what it throws, so that it counts as an attempt of this group, and of no other. */
  private VerifyReport verify(VerifyTask task) throws IOException {
    try {
      return verifier.verify(task);
    } catch (RuntimeException | Error e) {
      LOG.warn("Cannot verify parity of block group {}", task.groupId(), e);
      return new VerifyReport(
          task.taskId(),
          task.groupId(),
          Finding.NOT_COMPARED,
          /* isWhole= */ false,
          List.of(),
          /* readBytes= */ 0,
          e.toString());
    }
  }
}
