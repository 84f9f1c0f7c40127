/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * No NameNode is active, or the active one does not know enough yet: a failover or a restart may be
 * under way.
 */
public final class NameNodeNotReadyException extends IOException {
  private static final long serialVersionUID = 1L;

  public NameNodeNotReadyException(String message, @Nullable IOException last) {
    super(message, last);
  }
}
