/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Actions that are all tried, whatever becomes of the others, as when several things are closed.
 * The first failure is thrown at the end, with the later ones suppressed. For one thread.
 */
public final class Attempts {
  private @Nullable IOException first;

  /** Something that may fail. */
  @FunctionalInterface
  public interface Action {
    void run() throws IOException;
  }

  /** Tries an action, and keeps its failure. What is no {@link IOException} is thrown at once. */
  public void run(Action action) {
    try {
      action.run();
    } catch (IOException e) {
      if (first == null) {
        first = e;
      } else {
        first.addSuppressed(e);
      }
    }
  }

  /**
   * To be called last.
   *
   * @throws IOException if an action has failed
   */
  public void throwFirst() throws IOException {
    if (first != null) {
      throw first;
    }
  }
}
