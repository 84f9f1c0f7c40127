/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.format;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Waits for a condition that nobody announces, and shows what is missing. */
final class Poll {
  private static final long PAUSE_MS = 250;

  private Poll() {}

  /** Something that cannot be answered yet. */
  interface Question<T> {
    T ask() throws NotYet, QuickstartException, IOException;
  }

  /** Something that does not hold yet. */
  interface Condition extends Question<Boolean> {
    void check() throws NotYet, QuickstartException, IOException;

    @Override
    default Boolean ask() throws NotYet, QuickstartException, IOException {
      check();
      return true;
    }
  }

  /** What is still missing. */
  static final class NotYet extends Exception {
    private static final long serialVersionUID = 1L;

    NotYet(String template, Object... values) {
      super(format(template, values));
    }

    /** Says what is missing unless it is there. */
    static void unless(boolean holds, String template, Object... values) throws NotYet {
      if (!holds) {
        throw new NotYet(template, values);
      }
    }
  }

  /**
   * Asks until there is an answer.
   *
   * @param shown told what is missing, each time
   * @throws NotYet when time is up, with what is missing at the end
   */
  static <T> T until(Duration timeout, Consumer<String> shown, Question<T> question)
      throws NotYet, QuickstartException, IOException, InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      try {
        return question.ask();
      } catch (NotYet e) {
        if (System.nanoTime() - deadline > 0) {
          throw e;
        }
        shown.accept(e.getMessage());
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    }
  }

  /**
   * The same where everything ends if there is no answer.
   *
   * @param otherwise what else is the case
   */
  static <T> T answer(
      String otherwise, Duration timeout, Consumer<String> shown, Question<T> question)
      throws QuickstartException, IOException, InterruptedException {
    try {
      return until(timeout, shown, question);
    } catch (NotYet e) {
      throw QuickstartException.cluster("%s: %s", otherwise, e.getMessage());
    }
  }
}
