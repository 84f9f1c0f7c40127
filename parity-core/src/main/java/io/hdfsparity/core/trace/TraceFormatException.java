/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.trace;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A trace is not what its format says; the message names the line and the reason, or the file whose
 * compressed bytes are not whole.
 */
public final class TraceFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  public TraceFormatException(String message) {
    super(message);
  }

  private TraceFormatException(String message, IOException cause) {
    super(message, cause);
  }

  /**
   * A compressed file that ends too early, as one does that was not copied to its end, or has bytes
   * that no compressor writes.
   *
   * @param cause an {@link java.io.EOFException} or {@link java.util.zip.ZipException}
   */
  public static TraceFormatException ofCompressed(Path file, IOException cause) {
    return new TraceFormatException(
        ErrorMessage.to("read trace")
            .value("compressed bytes", cause.getMessage())
            .expected("a whole file")
            .file(file)
            .message(),
        cause);
  }
}
