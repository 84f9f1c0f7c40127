/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import java.io.IOException;

/**
 * Another program has opened the file since this one did, and may have written: it cannot go on.
 */
public final class OpenedSinceException extends IOException {
  private static final long serialVersionUID = 1L;

  OpenedSinceException(String message) {
    super(message);
  }
}
