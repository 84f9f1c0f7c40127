/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

/** Ways to organize stripes that {@link HeldBackOrganizer} chooses from. */
public enum Method {
  /** The order of addresses (BSO). */
  SEQUENTIAL,
  /** The order of addresses after local search. */
  SEQUENTIAL_EXCHANGED,
  /** The paper's greedy, its groups in stripes of the order of addresses. */
  GREEDY,
  /** That, after local search. */
  GREEDY_EXCHANGED
}
