/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel.secure;

import java.io.IOException;

/**
 * Bytes are not what the holder of the secret sent at this point: forged, damaged, replayed, out of
 * order, or sealed by another secret. The connection is of no use any more.
 */
public final class ForgedException extends IOException {
  private static final long serialVersionUID = 1L;

  ForgedException(String message) {
    super(message);
  }

  ForgedException(String message, Throwable cause) {
    super(message, cause);
  }
}
