/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.framing;

import java.io.IOException;

/**
 * Bytes on disk that cannot be used, and why. The subclasses call for different actions of the
 * operator.
 */
public abstract sealed class FormatException extends IOException
    permits CorruptFormatException, NotOursException, TooNewException, TooOldException {
  private static final long serialVersionUID = 1L;

  FormatException(String message) {
    super(message);
  }
}
