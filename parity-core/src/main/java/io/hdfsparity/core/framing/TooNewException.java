/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.framing;

/** Written by a later version: upgrade this software. */
public final class TooNewException extends FormatException {
  private static final long serialVersionUID = 1L;

  public TooNewException(String message) {
    super(message);
  }
}
