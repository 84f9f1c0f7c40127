/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.trace;

import java.io.IOException;

/** A line of a trace is not what its format says; the message names line and reason. */
public final class TraceFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  public TraceFormatException(String message) {
    super(message);
  }
}
