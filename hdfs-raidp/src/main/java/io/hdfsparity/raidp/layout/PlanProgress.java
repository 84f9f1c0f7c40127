/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

/** Hears how far a long plan is. */
@FunctionalInterface
public interface PlanProgress {
  /** Nobody listens. */
  PlanProgress NONE = (step, done, total) -> {};

  /**
   * Called often.
   *
   * @param step what is being done
   * @param done how much of it
   * @param total of how much
   */
  void at(String step, long done, long total);
}
