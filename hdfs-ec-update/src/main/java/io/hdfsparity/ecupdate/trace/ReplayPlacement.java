/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.trace;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.trace.ByteRequest;
import java.io.IOException;

/**
 * Where a request of a trace goes in a file of another size. Immutable.
 *
 * @param lengthBytes of the file, > 0
 */
record ReplayPlacement(long lengthBytes, ReplayOptions.OutOfRange beyond) {
  /** Requests are made whole, in one buffer. */
  private static final int MAX_BYTES = 1 << 30;

  /**
   * A request in the file.
   *
   * @param isMoved whether it is another place than the trace says
   */
  record Place(long offset, int lengthBytes, boolean isMoved) {}

  /**
   * A wrapped request starts at its offset modulo the length of the file; if it reaches over the
   * end it is shifted back to end there, and one that is longer than the file is cut to it.
   *
   * @throws IOException if it lies outside and is not to be wrapped, or is too long
   */
  Place of(ByteRequest request) throws IOException {
    long bytes = request.sizeBytes();
    boolean isInside = bytes <= lengthBytes && request.offsetBytes() <= lengthBytes - bytes;
    if (!isInside && beyond == ReplayOptions.OutOfRange.REFUSE || bytes > MAX_BYTES) {
      throw new IOException(
          ErrorMessage.to("replay a request")
              .value("Offset", request.offsetBytes())
              .value("Size", bytes)
              .expected(
                  bytes > MAX_BYTES
                      ? "at most " + MAX_BYTES + " bytes"
                      : "a range inside the file, length=" + lengthBytes + ", or -beyond wrap")
              .message());
    }
    if (isInside) {
      return new Place(request.offsetBytes(), (int) bytes, false);
    }
    int kept = (int) Math.min(bytes, lengthBytes);
    return new Place(Math.min(request.offsetBytes() % lengthBytes, lengthBytes - kept), kept, true);
  }
}
