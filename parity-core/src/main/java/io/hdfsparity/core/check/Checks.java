/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

/**
 * Checks whose failures read {@code Cannot <do>: <name>=<value>, expected <rule>}. See {@link
 * ErrorMessage} for messages with more values or a place. Stateless, thread-safe.
 */
public final class Checks {
  private Checks() {}

  /**
   * Refuses a bad argument.
   *
   * @throws IllegalArgumentException unless {@code holds}
   */
  public static void argument(boolean holds, String doing, String name, long value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(
          ErrorMessage.to(doing).value(name, value).expected(rule).message());
    }
  }

  /**
   * As {@link #argument(boolean, String, String, long, String)}, for values that are not numbers.
   */
  public static void argument(boolean holds, String doing, String name, Object value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(
          ErrorMessage.to(doing).value(name, value).expected(rule).message());
    }
  }

  /**
   * Refuses a call that the state does not allow.
   *
   * @throws IllegalStateException unless {@code holds}
   */
  public static void state(boolean holds, String doing, String name, Object value, String rule) {
    if (!holds) {
      throw new IllegalStateException(
          ErrorMessage.to(doing).value(name, value).expected(rule).message());
    }
  }

  /**
   * Refuses an index outside {@code 0 <= index < count}.
   *
   * @return the index
   * @throws IndexOutOfBoundsException otherwise
   */
  public static int index(String doing, String name, int index, int count) {
    if (index < 0 || index >= count) {
      throw new IndexOutOfBoundsException(
          ErrorMessage.to(doing)
              .value(name, index)
              .expected("0 <= " + name + " < " + count)
              .message());
    }
    return index;
  }

  /**
   * Refuses a byte range that does not lie in {@code [0, sizeBytes)}; overflow-safe.
   *
   * @throws IndexOutOfBoundsException if it does not
   */
  public static void range(String doing, long offset, long lengthBytes, long sizeBytes) {
    if (offset < 0 || lengthBytes < 0 || offset > sizeBytes - lengthBytes) {
      throw new IndexOutOfBoundsException(
          ErrorMessage.to(doing)
              .value("offset", offset)
              .value("lengthBytes", lengthBytes)
              .expected("a range inside sizeBytes=" + sizeBytes)
              .message());
    }
  }
}
