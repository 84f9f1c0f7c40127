/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.history;

import java.io.IOException;

/** A history whose periods have another length than is configured: its counts cannot go on. */
public final class PeriodMismatchException extends IOException {
  private static final long serialVersionUID = 1L;

  PeriodMismatchException(String message) {
    super(message);
  }
}
