/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import java.io.IOException;

/**
 * Whoever decodes cannot go on, or cannot store what was decoded: its disk is full, its frame is
 * not there, its memory has run out. Whether the sources give the block is unknown.
 */
public final class ReceiverFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  public ReceiverFailedException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The same message: it says already what the receiver cannot do. */
  public static ReceiverFailedException of(Throwable cause) {
    return new ReceiverFailedException(
        String.valueOf(cause.getMessage() == null ? cause : cause.getMessage()), cause);
  }
}
