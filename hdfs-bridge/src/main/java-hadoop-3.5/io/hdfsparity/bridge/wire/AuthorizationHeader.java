/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import org.apache.hadoop.security.AuthorizationContext;
import org.jspecify.annotations.Nullable;

/**
 * The authorization header that a call has come with, on the thread that serves it. Hadoop 3.5 has
 * such headers, 3.4 has none. Thread-safe.
 */
final class AuthorizationHeader {
  private AuthorizationHeader() {}

  /** Of this thread's call; null: none. */
  static byte @Nullable [] current() {
    return AuthorizationContext.getCurrentAuthorizationHeader();
  }

  /**
   * Sets that of the call which this thread serves from now on.
   *
   * @param header null: none
   */
  static void set(byte @Nullable [] header) {
    AuthorizationContext.setCurrentAuthorizationHeader(header);
  }

  /** This thread serves no call any more. */
  static void clear() {
    AuthorizationContext.clear();
  }
}
