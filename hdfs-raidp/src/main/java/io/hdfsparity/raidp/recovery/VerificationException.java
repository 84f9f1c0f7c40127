/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import java.io.IOException;

/** Recovered bytes do not match their checksums, or cannot be checked. */
public final class VerificationException extends IOException {
  private static final long serialVersionUID = 1L;

  public VerificationException(String message) {
    super(message);
  }
}
