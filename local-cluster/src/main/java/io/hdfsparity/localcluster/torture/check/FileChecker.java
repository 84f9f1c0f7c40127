/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.check;

import io.hdfsparity.localcluster.torture.history.Operation;
import io.hdfsparity.localcluster.torture.history.OperationKind;
import io.hdfsparity.localcluster.torture.history.Outcome;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Checks the history of one file that is created, and appended to, by one writer. What a position
 * of it holds is known beforehand, so a read is right if its bytes are, and if it is as long as
 * what was acknowledged before it began, and no longer than what had been begun when it ended.
 * Bytes that were never acknowledged may come and go. Pure and immutable.
 */
public final class FileChecker {
  /**
   * Checks the operations of one file.
   *
   * @param operations in any order
   */
  public Optional<Violation> check(List<Operation> operations) {
    for (Operation read : operations) {
      if (read.kind() == OperationKind.FILE_READ && read.outcome() == Outcome.OK) {
        Optional<Violation> found = check(operations, read);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<Violation> check(List<Operation> operations, Operation read) {
    FileLength length = FileLength.parse(read.value());
    if (length.wrongAt().isPresent()) {
      return violation(
          Violation.Kind.WRONG_BYTES,
          "read #" + read.number() + " found a wrong byte at " + length.wrongAt().getAsLong(),
          read);
    }
    Optional<Operation> acknowledged =
        operations.stream()
            .filter(FileChecker::isWrite)
            .filter(write -> write.effectiveEnd() < read.beginNanos())
            .max(Comparator.comparingLong(FileChecker::length));
    if (acknowledged.isPresent() && length.bytes() < length(acknowledged.get())) {
      return violation(
          Violation.Kind.STALE,
          "read #%d found %d bytes, although #%d had written %d before"
              .formatted(
                  read.number(),
                  length.bytes(),
                  acknowledged.get().number(),
                  length(acknowledged.get())),
          acknowledged.get(),
          read);
    }
    long begun =
        operations.stream()
            .filter(FileChecker::isWrite)
            .filter(write -> write.beginNanos() <= read.endNanos())
            .mapToLong(FileChecker::length)
            .max()
            .orElse(0);
    return length.bytes() <= begun
        ? Optional.empty()
        : violation(
            Violation.Kind.NEVER_WRITTEN,
            "read #%d found %d bytes, although only %d had been written or begun"
                .formatted(read.number(), length.bytes(), begun),
            read);
  }

  private static boolean isWrite(Operation operation) {
    return operation.kind() == OperationKind.FILE_WRITE && operation.outcome() != Outcome.FAILED;
  }

  private static long length(Operation write) {
    return FileLength.parse(write.value()).bytes();
  }

  private static Optional<Violation> violation(
      Violation.Kind kind, String explanation, Operation... operations) {
    return Optional.of(
        new Violation(kind, operations[0].object(), explanation, List.of(operations)));
  }
}
