/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.check;

import io.hdfsparity.localcluster.torture.history.Operation;
import java.util.List;

/**
 * A promise that a history breaks, or one that nobody gave and that readers may expect. Immutable.
 *
 * @param kind which
 * @param object the cell or file
 * @param explanation why, in a sentence that names operations by their numbers
 * @param operations those that show it, by their beginning
 */
public record Violation(Kind kind, String object, String explanation, List<Operation> operations) {
  /** What is broken. */
  public enum Kind {
    /** A read found what nobody has written there. */
    NEVER_WRITTEN,
    /** A read found what was written after it had ended. */
    NOT_YET_WRITTEN,
    /**
     * Each read alone is right, but no order of the operations explains all that reads found. AJX
     * promises regular registers (1, "reasonably strong consistency guarantee"), which allow it: a
     * write that is repeated may show its value before and after that of another one.
     */
    NOT_LINEARIZABLE,
    /** A read found less, or older, than was acknowledged before it began. */
    STALE,
    /** Bytes of a file differ from those that were written. */
    WRONG_BYTES,
    /** What was acknowledged cannot be read although nothing is broken any more. */
    UNREADABLE;

    /** Whether it was promised that this does not happen. */
    public boolean breaksPromise() {
      return this != NOT_LINEARIZABLE;
    }
  }

  public Violation {
    operations = List.copyOf(operations);
  }

  /** The same violation, shown by fewer operations. */
  Violation shownBy(List<Operation> fewer) {
    return new Violation(kind, object, explanation, fewer);
  }
}
