/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.macro;

/** An option of the command line that a benchmark cannot run with: its message is for the user. */
public final class BadOption extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /**
   * Refuses an option.
   *
   * @param name of it, without dashes
   * @param value as it was given
   * @param rule what was expected
   */
  public BadOption(String name, Object value, String rule) {
    super("Cannot run: " + name + "=" + value + ", expected " + rule);
  }

  /** Refuses a command line as a whole. */
  public BadOption(String message) {
    super(message);
  }

  /**
   * The whole number that an option has.
   *
   * @throws BadOption when it is none, or less than {@code least}
   */
  public static int number(String name, String text, int least) {
    long number = wholeNumber(name, text);
    if (number < least || number > Integer.MAX_VALUE) {
      throw new BadOption(name, text, "at least " + least + " and at most " + Integer.MAX_VALUE);
    }
    return (int) number;
  }

  /**
   * The same of any size and sign, as a seed.
   *
   * @throws BadOption when it is none
   */
  public static long wholeNumber(String name, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      BadOption bad = new BadOption(name, text, "a whole number");
      bad.initCause(e);
      throw bad;
    }
  }
}
