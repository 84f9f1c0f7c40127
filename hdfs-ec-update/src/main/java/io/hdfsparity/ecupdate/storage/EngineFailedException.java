/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import java.io.IOException;

/**
 * The engine has stopped, because a disk failed or something was found that must not be. What was
 * acknowledged is durable. Nothing is served until the engine is opened again.
 */
public final class EngineFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  EngineFailedException(String message) {
    super(message);
  }

  EngineFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
