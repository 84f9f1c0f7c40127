/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import java.io.IOException;

/** A session is over for good: nothing can be done with it any more. */
public final class SessionOverException extends IOException {
  private static final long serialVersionUID = 1L;

  /** With why, and what to do. */
  public SessionOverException(String message) {
    super(message);
  }

  /** The same, because of something. */
  public SessionOverException(String message, Throwable cause) {
    super(message, cause);
  }
}
