/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.framing;

/** The bytes are of our format but damaged: a checksum does not match or a length is impossible. */
public final class CorruptFormatException extends FormatException {
  private static final long serialVersionUID = 1L;

  public CorruptFormatException(String message) {
    super(message);
  }
}
