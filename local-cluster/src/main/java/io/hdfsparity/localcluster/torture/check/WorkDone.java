/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.check;

import io.hdfsparity.localcluster.torture.history.Operation;
import io.hdfsparity.localcluster.torture.history.OperationKind;
import io.hdfsparity.localcluster.torture.history.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a history shows to have been done: a run in which nothing worked breaks no promise. Pure.
 */
public final class WorkDone {
  /** So often nothing fails by the faults alone. */
  private static final int MAX_VAIN_TRIES = 10;

  private WorkDone() {}

  /**
   * What clients have not got done at all.
   *
   * @param clients names of those that work together
   * @param expected what they have to get done in every run; of other kinds, what they have tried
   *     often
   * @return a line for each kind of operation
   */
  public static List<String> lacking(
      List<Operation> history, Set<String> clients, Set<OperationKind> expected) {
    List<String> lacking = new ArrayList<>();
    for (OperationKind kind : OperationKind.values()) {
      List<Operation> tried =
          history.stream()
              .filter(each -> each.kind() == kind && clients.contains(each.client()))
              .toList();
      boolean isDone = tried.stream().anyMatch(each -> each.outcome() == Outcome.OK);
      if (!isDone && (expected.contains(kind) || tried.size() >= MAX_VAIN_TRIES)) {
        lacking.add("None of " + tried.size() + " operations " + kind + " was acknowledged");
      }
    }
    return lacking;
  }

  /** Files that were read when nothing was broken any more, and are as they should be. */
  public static long rightFiles(List<Operation> history, List<Violation> violations) {
    Set<String> wrong = violations.stream().map(Violation::object).collect(Collectors.toSet());
    return history.stream()
        .filter(each -> each.kind() == OperationKind.FILE_READ && each.outcome() == Outcome.OK)
        .filter(each -> HistoryChecker.LAST_READERS.contains(each.client()))
        .map(Operation::object)
        .filter(file -> !wrong.contains(file))
        .distinct()
        .count();
  }
}
