/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.verify;

import java.util.List;

/**
 * How far the block groups of a NameNode are verified. Groups have ascending ids. Immutable.
 *
 * @param nextId the first id that was not looked at yet
 * @param open ids below it that are not verified, ascending; each id is a multiple of {@link
 *     #ID_STEP}
 */
public record VerifyProgress(long nextId, List<Long> open) {
  /** Distance of the ids of two groups, as HDFS gives them. */
  public static final int ID_STEP = 16;

  /** Nothing is verified: ids of groups begin here. */
  public static final VerifyProgress NONE = new VerifyProgress(Long.MIN_VALUE, List.of());

  public VerifyProgress {
    open = List.copyOf(open);
  }
}
