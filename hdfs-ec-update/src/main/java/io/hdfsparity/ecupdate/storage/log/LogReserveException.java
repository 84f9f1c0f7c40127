/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import java.io.IOException;

/**
 * There is no room for a snapshot, which does not wait: whoever makes room would wait for itself.
 * Nothing was written. Keep slots elsewhere ({@link UpdateLog#homed}), apply folds, truncate, and
 * try again.
 */
public final class LogReserveException extends IOException {
  private static final long serialVersionUID = 1L;

  LogReserveException(String message) {
    super(message);
  }
}
