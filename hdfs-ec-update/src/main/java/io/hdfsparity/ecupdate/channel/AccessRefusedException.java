/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import java.io.IOException;

/**
 * A client is not admitted: its token is forged, expired, of somebody else or for something else,
 * or the replica is not to be updated.
 */
public final class AccessRefusedException extends IOException {
  private static final long serialVersionUID = 2L;

  private final ChannelError error;

  /** The message is sent to the client: it must not help to forge a token. */
  public AccessRefusedException(String message) {
    this(ChannelError.FORBIDDEN, message);
  }

  /**
   * As above.
   *
   * @param error what the connection is closed with
   */
  public AccessRefusedException(ChannelError error, String message) {
    super(message);
    this.error = error;
  }

  ChannelError error() {
    return error;
  }
}
