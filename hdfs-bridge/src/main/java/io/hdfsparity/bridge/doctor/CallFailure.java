/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

/**
 * Why a daemon has not answered. Immutable.
 *
 * @param message one line
 */
public record CallFailure(Cause cause, String message) {
  /** Causes that a caller can distinguish. */
  public enum Cause {
    /** Nothing listens at the port. */
    REFUSED,

    /** No answer in time. */
    TIMEOUT,

    /** A server of Hadoop's RPC answers, and does not know the call. */
    NOT_SERVED,

    /** The caller is no administrator. */
    DENIED,

    /** Anything else. */
    OTHER
  }
}
