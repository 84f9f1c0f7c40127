/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import org.apache.hadoop.security.AccessControlException;

/** Decides whether the caller of the RPC that this thread handles may do it. Thread-safe. */
@FunctionalInterface
public interface CallerCheck {
  /**
   * @param operation for the message
   * @throws AccessControlException when the caller may not
   */
  void check(String operation) throws AccessControlException;
}
