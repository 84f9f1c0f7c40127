/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.format;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;

/**
 * What the user sees: numbered steps, lines below them, and one line of progress, which is drawn
 * anew on a terminal and printed now and then into a log. Thread-safe; silent once {@link #close}
 * was called.
 */
final class Screen {
  private static final String INDENT = "      ";
  private static final long LOG_EVERY_NANOS = TimeUnit.SECONDS.toNanos(5);
  private final PrintStream out;
  private final int columns;
  private int steps;
  private int step;
  private boolean progressShown;
  private long lastLogNanos;
  private String lastProgress = "";
  private String lastLogged = "";
  private boolean closed;

  /**
   * @param columns width of the terminal, 0: it is none
   * @param steps how many steps there are
   */
  Screen(PrintStream out, int columns, int steps) {
    this.out = out;
    this.columns = columns;
    this.steps = steps;
    this.lastLogNanos = System.nanoTime() - LOG_EVERY_NANOS;
  }

  /** Counts from one to so many steps. */
  synchronized void expect(int newSteps) {
    step = 0;
    steps = newSteps;
  }

  /** Begins a chapter of so many steps. */
  synchronized void chapter(String title, int chapterSteps) {
    expect(chapterSteps);
    print("");
    print(title);
  }

  /** Begins the next step. */
  synchronized void step(String title) {
    step++;
    print("");
    print(format("%d/%d   %s", step, steps, title));
    lastLogNanos = System.nanoTime();
  }

  /** A line below the step. */
  synchronized void line(String text) {
    text.lines().forEach(line -> print(INDENT + line));
  }

  /** The same with values. */
  void line(String template, Object... values) {
    line(format(template, values));
  }

  /** A line at the margin. */
  synchronized void plain(String text) {
    print(text);
  }

  /** The same with values. */
  void plain(String template, Object... values) {
    plain(format(template, values));
  }

  /**
   * How far something is.
   *
   * @param told of several lines the last is shown
   */
  synchronized void progress(String told) {
    if (closed) {
      return;
    }
    String text = Texts.lastLine(told);
    lastProgress = text;
    if (columns > 0) {
      String line = INDENT + text;
      out.print("\r" + line.substring(0, Math.min(line.length(), columns - 1)) + "\u001b[K");
      out.flush();
      progressShown = true;
    } else if (System.nanoTime() - lastLogNanos >= LOG_EVERY_NANOS) {
      print(INDENT + text);
      lastLogged = text;
      lastLogNanos = System.nanoTime();
    }
  }

  /** The same with a bar of a share from 0 to 1 before it. */
  void progress(double share, String template, Object... values) {
    progress(bar(share) + " " + format(template, values));
  }

  /** Keeps the last progress on the screen. */
  synchronized void keepProgress() {
    if (closed || lastProgress.isEmpty()) {
      return;
    }
    if (columns > 0) {
      out.println();
      out.flush();
      progressShown = false;
    } else if (!lastProgress.equals(lastLogged)) {
      print(INDENT + lastProgress);
    }
    lastProgress = "";
  }

  /** A bar of a share from 0 to 1. */
  static String bar(double share) {
    int filled = (int) (Math.min(Math.max(share, 0), 1) * 24);
    return "[" + "#".repeat(filled) + "-".repeat(24 - filled) + "]";
  }

  /** A last line; nothing is shown after it. */
  synchronized void close(String text) {
    print("");
    print(text);
    closed = true;
  }

  private void print(String line) {
    if (closed) {
      return;
    }
    if (progressShown) {
      out.print("\r\u001b[K");
      progressShown = false;
    }
    out.println(line);
    out.flush();
  }
}
