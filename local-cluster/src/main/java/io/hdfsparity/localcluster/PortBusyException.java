/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.IOException;

/** A port that a daemon needs is taken, or this user may not take it. */
public final class PortBusyException extends IOException {
  private static final long serialVersionUID = 1;

  public PortBusyException(String message) {
    super(message);
  }

  public PortBusyException(String message, Throwable cause) {
    super(message, cause);
  }
}
