/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import java.io.IOException;

/** A helper did not deliver; another plan may do without it. */
final class HelperFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** What was wrong. */
  enum Fault {
    /** Its node refused, closed the connection or could not be reached. */
    FAILED,
    /** Nothing came in for too long. */
    SLOW,
    /** Bytes do not match their checksums. */
    CORRUPT
  }

  private final int unit;
  private final Fault fault;

  HelperFailedException(int unit, Fault fault, String message, Throwable cause) {
    super(message, cause);
    this.unit = unit;
    this.fault = fault;
  }

  int unit() {
    return unit;
  }

  Fault fault() {
    return fault;
  }
}
