/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.correlation;

import io.hdfsparity.core.check.Checks;
import java.nio.file.Path;

/**
 * Where counts go that do not fit in memory.
 *
 * @param directory local, of this process alone or shared; files in it are deleted when the
 *     counting ends, but for those of a process that was killed, "caso-counts-*.run"
 * @param maxEntriesInMemory limit on the counts kept in memory, at 24 to 48 bytes each, and 8 more
 *     while they are written
 * @param maxRuns so many files are merged into one
 */
public record SpillSpace(Path directory, int maxEntriesInMemory, int maxRuns) {
  /** Maximum number of files by default: as many are open at a time. */
  public static final int DEFAULT_MAX_RUNS = 64;

  /** Maximum number of counts that a table holds. */
  public static final int MAX_ENTRIES = 1 << 29;

  public SpillSpace {
    Checks.argument(
        maxEntriesInMemory >= 1 && maxEntriesInMemory <= MAX_ENTRIES,
        "spill counts",
        "maxEntriesInMemory",
        maxEntriesInMemory,
        "1 to " + MAX_ENTRIES);
    Checks.argument(maxRuns >= 2, "spill counts", "maxRuns", maxRuns, ">= 2");
  }
}
