/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import org.jspecify.annotations.Nullable;

/**
 * Blocks that should be of one codeword are not, or are too few: nothing may be computed from them.
 */
public final class InconsistentStripeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InconsistentStripeException(String message) {
    super(message);
  }

  public InconsistentStripeException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
