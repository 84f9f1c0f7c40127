/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

/**
 * Memory that a request and its answer take. Immutable; {@link #release} is called once.
 *
 * @param bytes that were taken from the budget
 */
record MemoryCharge(FrameBudget budget, long bytes) {
  void release() {
    budget.give(bytes);
  }
}
