/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.updater.Endpoint;

/** All that holds of a client's calls in clear holds under protection, cut at any byte. */
class ProtectedClientTest extends ChannelClientTest {
  private final ProtectedTestAccess required = new ProtectedTestAccess(true);

  @Override
  TokenSource tokens() {
    return protectedTokens(() -> token);
  }

  @Override
  ChannelAccess access() {
    return required;
  }

  /** Has no token for a connection in clear. */
  static TokenSource protectedTokens(java.util.function.Supplier<String> token) {
    return new TokenSource() {
      @Override
      public Bytes token(Endpoint node) {
        throw new AssertionError("in clear");
      }

      @Override
      public Credential credential(Endpoint node) {
        Credential credential = ProtectedTestAccess.credential(token.get());
        assertThat(credential.toString()).doesNotContain(token.get());
        return credential;
      }
    };
  }
}
