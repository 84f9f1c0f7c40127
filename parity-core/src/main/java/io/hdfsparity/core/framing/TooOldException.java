/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.framing;

/** Written by a version that this one no longer reads: upgrade in steps. */
public final class TooOldException extends FormatException {
  private static final long serialVersionUID = 1L;

  public TooOldException(String message) {
    super(message);
  }
}
