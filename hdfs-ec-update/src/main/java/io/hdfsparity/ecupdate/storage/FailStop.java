/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.check.ErrorMessage;
import org.jspecify.annotations.Nullable;

/** Whether an engine has stopped, for good, and what the first cause was. Thread-safe. */
final class FailStop {
  /** Set before {@link #first}: there may be no memory to make that. */
  private volatile boolean isStopped;

  private volatile @Nullable EngineFailedException first;

  /**
   * Stops.
   *
   * @return for whoever came upon the cause
   */
  EngineFailedException stop(Throwable cause) {
    isStopped = true;
    EngineFailedException failed =
        new EngineFailedException(
            ErrorMessage.to("serve updates")
                .value("cause", cause)
                .expected("a storage that works; reopen the engine")
                .message(),
            cause);
    if (first == null) {
      first = failed;
    }
    return failed;
  }

  /**
   * Refuses when it has stopped.
   *
   * @throws EngineFailedException with the first cause
   */
  void check() throws EngineFailedException {
    if (isStopped) {
      EngineFailedException known = first;
      throw known == null
          ? new EngineFailedException("Cannot serve updates: the engine was stopped")
          : new EngineFailedException(String.valueOf(known.getMessage()), known);
    }
  }

  boolean isStopped() {
    return isStopped;
  }

  /** Why it has stopped; empty: it has not. */
  String why() {
    EngineFailedException known = first;
    if (!isStopped) {
      return "";
    }
    return known == null ? "the engine was stopped" : String.valueOf(known.getMessage());
  }
}
