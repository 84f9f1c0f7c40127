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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Checks a whole history: cells as registers, files by their acknowledged bytes, and that all that
 * was read at the end could be read. At most one violation is found for each cell and file, cut
 * down to the operations without which it could not be seen. Pure and immutable.
 */
public final class HistoryChecker {
  /** The client that reads all at the end, when nothing is broken any more. */
  public static final String LAST_READER = "last";

  /** The same, while it may try again. */
  public static final String EARLIER_LAST_READER = "last-attempt";

  static final Set<String> LAST_READERS = Set.of(LAST_READER, EARLIER_LAST_READER);

  private final RegisterChecker registers = new RegisterChecker();
  private final FileChecker files = new FileChecker();

  /**
   * Checks a history.
   *
   * @throws IllegalArgumentException if a value is written twice to a cell
   */
  public List<Violation> check(List<Operation> history) {
    Map<String, List<Operation>> byObject = new LinkedHashMap<>();
    for (Operation each : history) {
      if (each.kind().isChecked()) {
        byObject.computeIfAbsent(each.object(), any -> new ArrayList<>()).add(each);
      }
    }
    List<Violation> found = new ArrayList<>();
    byObject
        .values()
        .forEach(
            operations ->
                checkObject(operations)
                    .ifPresent(violation -> found.add(cutDown(operations, violation))));
    return found;
  }

  private Optional<Violation> checkObject(List<Operation> operations) {
    for (Operation each : operations) {
      if (each.client().equals(LAST_READER)
          && !each.kind().isWrite()
          && each.outcome() != Outcome.OK) {
        return Optional.of(
            new Violation(
                Violation.Kind.UNREADABLE,
                each.object(),
                "read #" + each.number() + " failed although nothing was broken any more",
                List.of(each)));
      }
    }
    return checker(operations).apply(operations);
  }

  private Function<List<Operation>, Optional<Violation>> checker(List<Operation> operations) {
    boolean isFile =
        operations.get(0).kind() == OperationKind.FILE_WRITE
            || operations.get(0).kind() == OperationKind.FILE_READ;
    return isFile ? files::check : registers::check;
  }

  /**
   * A read of which the write was taken away would be another violation: nobody wrote its value.
   */
  private Violation cutDown(List<Operation> operations, Violation violation) {
    boolean isOfOneRead = violation.kind() == Violation.Kind.NEVER_WRITTEN;
    List<Operation> fewer =
        Reduction.minimal(
            operations,
            some ->
                !some.isEmpty()
                    && checkObject(some)
                        .filter(found -> found.kind() == violation.kind())
                        .filter(
                            found ->
                                !isOfOneRead || found.operations().equals(violation.operations()))
                        .isPresent());
    Violation shown = isOfOneRead ? violation : checkObject(fewer).orElse(violation);
    return shown.shownBy(fewer);
  }
}
