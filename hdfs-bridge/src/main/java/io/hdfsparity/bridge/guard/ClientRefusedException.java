/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.guard;

import java.io.IOException;

/** A call that would give a client wrong bytes, or let it write them. Clients do not repeat it. */
public final class ClientRefusedException extends IOException {
  private static final long serialVersionUID = 1;

  public ClientRefusedException(String message) {
    super(message);
  }
}
