/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import java.io.IOException;

/** Says before each call whether it is served now. Thread-safe. */
@FunctionalInterface
public interface CallGate {
  /**
   * Returns when calls are served.
   *
   * @throws IOException when not; it reaches the caller
   */
  void requireOpen() throws IOException;
}
