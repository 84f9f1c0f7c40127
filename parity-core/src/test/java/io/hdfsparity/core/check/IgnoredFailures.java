/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.core.ConditionEvaluationListener;
import org.awaitility.core.EvaluatedCondition;
import org.awaitility.core.IgnoredException;
import org.awaitility.core.TimeoutEvent;

/**
 * Says what a condition has thrown last, when it was waited for in vain: whoever ignores exceptions
 * of it would not learn why it does not hold. Thread-safe.
 */
final class IgnoredFailures implements ConditionEvaluationListener<Object> {
  private final PrintStream out;

  /** The last one, by what was waited for. */
  private final Map<String, Throwable> last = new ConcurrentHashMap<>();

  IgnoredFailures(PrintStream out) {
    this.out = out;
  }

  private static String name(String alias) {
    return alias == null ? "something" : alias;
  }

  @Override
  public void conditionEvaluated(EvaluatedCondition<Object> evaluated) {
    last.remove(name(evaluated.getAlias()));
  }

  @Override
  public void exceptionIgnored(IgnoredException ignored) {
    last.put(name(ignored.getAlias()), ignored.getThrowable());
  }

  @Override
  public void onTimeout(TimeoutEvent timeout) {
    Throwable failure = last.remove(name(timeout.getAlias()));
    if (failure != null) {
      out.println("Waited in vain for: " + name(timeout.getAlias()) + ". What it threw last:");
      failure.printStackTrace(out);
    }
  }
}
