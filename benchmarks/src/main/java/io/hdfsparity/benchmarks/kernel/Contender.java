/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.kernel;

/** Somebody who can do an operation. Not thread-safe. */
interface Contender {
  String name();

  /** Whether it does this operation at all. */
  default boolean does(Operation operation) {
    return true;
  }

  /** Does an operation so many times on a stripe of its own. */
  void run(Operation operation, int times) throws Exception;

  Stripe stripe();
}
