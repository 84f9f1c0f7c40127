/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import java.io.IOException;

/** No Lstor of a failed disk has a row of the block: it is not for RAIDP to compute. */
public final class NotLostException extends IOException {
  private static final long serialVersionUID = 1L;

  public NotLostException(String message) {
    super(message);
  }
}
