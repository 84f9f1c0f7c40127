/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.report;

import io.hdfsparity.localcluster.torture.check.Violation;
import io.hdfsparity.localcluster.torture.history.Operation;
import java.util.List;

/**
 * What a run has found. Immutable.
 *
 * @param facts what was run: names and values, for people
 * @param faults those that were made
 * @param history all operations
 * @param violations promises that the history breaks, and what else it shows
 * @param checks what was checked besides and is right
 * @param problems what was checked besides and is wrong
 */
public record RunResult(
    List<String> facts,
    List<FaultSpan> faults,
    List<Operation> history,
    List<Violation> violations,
    List<String> checks,
    List<String> problems) {
  public RunResult {
    facts = List.copyOf(facts);
    faults = List.copyOf(faults);
    history = List.copyOf(history);
    violations = List.copyOf(violations);
    checks = List.copyOf(checks);
    problems = List.copyOf(problems);
  }

  /** Whether all is as promised. */
  public boolean isRight() {
    return violations.stream().noneMatch(each -> each.kind().breaksPromise()) && problems.isEmpty();
  }
}
