/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.history;

/** How an operation ended, as far as its client knows. */
public enum Outcome {
  /** It was acknowledged. */
  OK,
  /** It had no effect: a read without an answer, or a write that was never sent. */
  FAILED,
  /** A write that may take effect at any time after its beginning, or never. */
  UNKNOWN
}
