/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import java.io.IOException;

/** Whether a change that waits for room may still be made. Thread-safe. */
@FunctionalInterface
public interface ChangePermit {
  /** Of a change that nobody takes back. */
  ChangePermit ALWAYS = () -> {};

  /**
   * Asked before it waits, each time it is woken, and when it has room. Must neither block nor call
   * whoever asks, who holds locks.
   *
   * @throws IOException if it may not be made any more: nothing has changed, and nothing will
   */
  void check() throws IOException;
}
