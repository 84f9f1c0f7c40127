/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import java.io.IOException;

/**
 * The log cannot be written any more. What was acknowledged is durable; of what was not, nothing is
 * known until the log is opened again. A force that failed is never tried again: the kernel may
 * have dropped the pages that it could not write, and then a second one reports success.
 */
public final class LogFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  LogFailedException(String message) {
    super(message);
  }

  LogFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
