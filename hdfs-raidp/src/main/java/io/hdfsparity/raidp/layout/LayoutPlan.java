/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.List;

/**
 * A planned layout, checked.
 *
 * @param layout existing superchunks and the new ones
 * @param added the new superchunks
 * @param method how they were found
 * @param notes what the reader should know: frames that found no partner, rules that existing
 *     superchunks break
 */
public record LayoutPlan(
    Layout layout, List<SuperchunkPair> added, Method method, List<String> notes) {
  public LayoutPlan {
    added = List.copyOf(added);
    notes = List.copyOf(notes);
  }

  /** How superchunks were found. */
  public enum Method {
    /** Nothing was left to pair. */
    NONE,
    /** The paper's construction, Fig. 3. */
    SHIFTED,
    /** Highest remaining degree first, then repair. */
    GREEDY
  }
}
