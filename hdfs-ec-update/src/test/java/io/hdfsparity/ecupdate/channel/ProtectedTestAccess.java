/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.channel.secure.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** As {@link TestAccess}; the secret of a token has its name, and a password made of that. */
final class ProtectedTestAccess implements ChannelAccess {
  /** How often somebody was admitted. */
  final AtomicInteger admitted = new AtomicInteger();

  private final boolean isRequired;

  ProtectedTestAccess(boolean isRequired) {
    this.isRequired = isRequired;
  }

  static Bytes bytes(String text) {
    return Bytes.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  static Credential credential(String token) {
    return new Credential(
        bytes(token), Optional.of(new Secret(bytes(token), bytes("password of " + token))));
  }

  @Override
  public Grant judge(String blockPool, String client, Bytes token) throws IOException {
    Grant grant = TestAccess.INSTANCE.judge(blockPool, client, token);
    admitted.incrementAndGet();
    return grant;
  }

  @Override
  public boolean isProtectionRequired() {
    return isRequired;
  }

  @Override
  public Bytes secret(Bytes name) throws IOException {
    String token = new String(name.toArray(), StandardCharsets.US_ASCII);
    if (token.equals("forged")) {
      throw new AccessRefusedException("Cannot authorize: expected a token that is good");
    }
    return bytes("password of " + token);
  }

  @Override
  public Grant judgeProven(String blockPool, String client, Bytes token, Bytes name)
      throws IOException {
    if (!token.equals(name)) {
      throw new AccessRefusedException("Cannot authorize: expected the token that was proven");
    }
    return judge(blockPool, client, token);
  }
}
