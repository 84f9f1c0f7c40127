/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstord;

import java.io.IOException;

/** An Lstor file may not be opened or served now, because somebody else holds it or asks for it. */
public final class LstorInUseException extends IOException {
  private static final long serialVersionUID = 1L;

  public LstorInUseException(String message) {
    super(message);
  }
}
