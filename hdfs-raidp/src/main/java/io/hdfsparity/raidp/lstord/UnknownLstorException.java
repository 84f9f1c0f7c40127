/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstord;

import java.io.IOException;

/** This daemon has no Lstor of that disk. */
public final class UnknownLstorException extends IOException {
  private static final long serialVersionUID = 1L;

  public UnknownLstorException(String message) {
    super(message);
  }
}
