/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.guard;

import java.io.IOException;

/** What must be so before files are written by an erasure coding policy. Thread-safe. */
@FunctionalInterface
public interface PolicyCondition {
  /**
   * Asked when a policy whose codec is not Hadoop's own is enabled, or set on a path.
   *
   * @throws IOException if it must not be, saying why and what to do
   */
  void require(String policy, String codec) throws IOException;
}
