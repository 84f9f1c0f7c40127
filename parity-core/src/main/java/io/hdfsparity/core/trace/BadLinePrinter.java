/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.trace;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Shows the first bad lines of a trace as they come, and counts them all. Not thread-safe. */
public final class BadLinePrinter implements Consumer<BadLine> {
  private static final int SHOWN = 10;

  private final Path file;
  private final PrintStream err;
  private long count;

  public BadLinePrinter(Path file, PrintStream err) {
    this.file = file;
    this.err = err;
  }

  @Override
  public void accept(BadLine bad) {
    if (count < SHOWN) {
      err.println("Left out: " + bad.reason() + " file=" + file);
    } else if (count == SHOWN) {
      err.println("Further bad lines are counted, but not shown");
    }
    count++;
  }

  /** How many there were. */
  public long count() {
    return count;
  }
}
