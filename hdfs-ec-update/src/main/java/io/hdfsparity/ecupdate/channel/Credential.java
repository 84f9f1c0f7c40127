/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.channel.secure.Secret;
import java.util.Optional;

/**
 * With what a client opens a connection. Immutable. Not for logs.
 *
 * @param token by which the node judges what the connection may do
 * @param secret protects the connection, and the token does not contain it; empty: the connection
 *     is in clear
 */
public record Credential(Bytes token, Optional<Secret> secret) {
  /** Of a connection in clear. */
  public static Credential clear(Bytes token) {
    return new Credential(token, Optional.empty());
  }

  /** Without the token. */
  @Override
  public String toString() {
    return secret.isPresent() ? "protected credential" : "credential in clear";
  }
}
