/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import java.util.function.LongSupplier;

/** Work on the files of a source, a step at a time. Not thread-safe, but for the progress. */
public interface FileRun {
  /** Goes on. To be called about once a second until the progress is over. Calls DataNodes. */
  void round(LongSupplier clockMs);

  /** How far it was at the end of the last round. Thread-safe. */
  AdoptionProgress progress();
}
