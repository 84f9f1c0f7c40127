/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge;

/**
 * Throws a checked exception through a method of Hadoop that does not declare it, where the caller
 * of that method catches exactly that exception (each use says which caller).
 */
public final class Rethrow {
  private Rethrow() {}

  /**
   * Throws {@code e} as it is; declared to return so that the caller can write {@code throw
   * unchecked(e)}.
   */
  public static RuntimeException unchecked(Throwable e) {
    return Rethrow.<RuntimeException>sneak(e);
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E sneak(Throwable e) throws E {
    throw (E) e;
  }
}
