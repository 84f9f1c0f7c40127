/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.net;

import java.io.IOException;

/** A token is not good: forged, expired, of somebody else or for something else. */
public final class AccessRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The message is told to the client: it must not help to forge a token. */
  public AccessRefusedException(String message) {
    super(message);
  }
}
