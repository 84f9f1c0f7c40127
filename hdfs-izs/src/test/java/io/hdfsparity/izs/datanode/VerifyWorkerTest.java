/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.izs.repair.GroupShape;
import io.hdfsparity.izs.verify.VerifyReport;
import io.hdfsparity.izs.verify.VerifyReport.Finding;
import io.hdfsparity.izs.wire.VerifyProtocol;
import io.hdfsparity.izs.wire.VerifyTask;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A DataNode's work for one level manager, while comparisons and calls fail. */
@Timeout(60)
class VerifyWorkerTest {
  private static final GroupShape SHAPE = new GroupShape(4, 2, 64 * 1024, 1 << 20);

  private static VerifyTask task(long id) {
    return new VerifyTask(id, "pool", id, 1001, "rs", SHAPE, /* isWhole= */ false, List.of());
  }

  private static VerifyReport report(VerifyTask task, Finding finding, String reason) {
    return new VerifyReport(
        task.taskId(), task.groupId(), finding, /* isWhole= */ false, List.of(), 0, reason);
  }

  /** A level manager that hands out batches, and keeps what was reported. */
  private static final class Manager implements VerifyProtocol {
    private final Deque<List<VerifyTask>> batches = new ArrayDeque<>();
    private final List<List<VerifyReport>> reports = new CopyOnWriteArrayList<>();
    private boolean hasFailed;

    @Override
    public List<VerifyTask> takeGroups(String nodeUuid) {
      if (!hasFailed) {
        hasFailed = true;
        throw new OutOfMemoryError("injected");
      }
      return batches.isEmpty() ? List.of() : batches.remove();
    }

    @Override
    public void reportGroups(String nodeUuid, List<VerifyReport> some) {
      reports.add(some);
    }

    @Override
    public boolean mayBelieveParity(String nodeUuid, String blockPool, long groupId) {
      return false;
    }
  }

  private static VerifyReport verify(VerifyTask task) {
    if (task.groupId() == 1) {
      throw new IllegalStateException("no such coder");
    }
    if (task.groupId() == 3) {
      throw new UnsatisfiedLinkError("no such library");
    }
    return report(task, Finding.FITS, "samples fit");
  }

  @Test
  void whatACodeThrowsIsReportedAndTheOthersAreVerified() throws Exception {
    Manager manager = new Manager();
    manager.batches.add(List.of(task(1), task(2)));
    manager.batches.add(List.of(task(3)));
    manager.batches.add(List.of(task(4)));
    VerifyWorker worker = new VerifyWorker("test", manager, () -> "node", VerifyWorkerTest::verify);
    Thread thread =
        new Thread(
            () -> {
              try {
                worker.run(() -> false, /* pollMs= */ 1);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "worker");
    thread.start();
    try {
      await("a report of the last task, or the end of the thread")
          .until(() -> manager.reports.size() == 4 || !thread.isAlive());
      assertThat(manager.reports)
          .containsExactly(
              List.of(
                  report(
                      task(1),
                      Finding.NOT_COMPARED,
                      "java.lang.IllegalStateException: no such coder")),
              List.of(report(task(2), Finding.FITS, "samples fit")),
              List.of(
                  report(
                      task(3),
                      Finding.NOT_COMPARED,
                      "java.lang.UnsatisfiedLinkError: no such library")),
              List.of(report(task(4), Finding.FITS, "samples fit")));
    } finally {
      thread.interrupt();
      thread.join();
    }
  }
}
