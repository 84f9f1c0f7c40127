/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.store;

import java.io.IOException;

/**
 * The simulated machine has crashed: nothing more is read or written until the store is reopened.
 */
public final class StoreCrashedException extends IOException {
  private static final long serialVersionUID = 1L;

  public StoreCrashedException(String message) {
    super(message);
  }
}
