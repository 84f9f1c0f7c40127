/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.izs.mapping.Advice;
import java.io.IOException;

/** Carries out advice to rewrite files. Used by one thread. */
interface Moves extends AutoCloseable {
  /**
   * Moves a file, now or later.
   *
   * @throws IOException when the run cannot go on
   */
  void take(Advice advice) throws IOException;

  /** Ends when all files that were taken have been reported. */
  void finish() throws IOException;

  @Override
  void close() throws IOException;
}
