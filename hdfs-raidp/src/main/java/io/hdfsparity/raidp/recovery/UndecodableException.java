/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import java.io.IOException;

/** A block cannot be recovered from any Lstor at hand; the message says why, for each. */
public final class UndecodableException extends IOException {
  private static final long serialVersionUID = 1L;

  public UndecodableException(String message) {
    super(message);
  }
}
