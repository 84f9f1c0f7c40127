/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import org.jspecify.annotations.Nullable;

/**
 * The authorization header that a call has come with, on the thread that serves it. Hadoop 3.5 has
 * such headers, 3.4 has none. Stateless.
 */
final class AuthorizationHeader {
  private AuthorizationHeader() {}

  /** Of this thread's call: none. */
  static byte @Nullable [] current() {
    return null;
  }

  /**
   * Sets that of the call which this thread serves from now on.
   *
   * @param header null, as {@link #current} says
   * @throws IllegalArgumentException when there is one, which Hadoop 3.4 could not keep
   */
  static void set(byte @Nullable [] header) {
    if (header != null) {
      throw new IllegalArgumentException(
          "Cannot set the authorization header: lengthBytes=" + header.length + ", expected none");
    }
  }

  /** This thread serves no call any more. */
  static void clear() {
    // There is no header to forget.
  }
}
