/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.framing;

/** Not a file of this format at all: nothing may be written to it. */
public sealed class NotOursException extends FormatException permits ForeignOwnerException {
  private static final long serialVersionUID = 1L;

  public NotOursException(String message) {
    super(message);
  }
}
