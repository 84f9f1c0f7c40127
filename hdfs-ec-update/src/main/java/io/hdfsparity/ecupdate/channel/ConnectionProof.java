/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.ecupdate.ajx.Bytes;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Whether a connection is protected, and by whose secret: judges its hello accordingly.
 * Thread-safe.
 */
final class ConnectionProof {
  private final ChannelAccess access;

  /** Null: the connection is in clear. */
  private volatile @Nullable Bytes name;

  ConnectionProof(ChannelAccess access) {
    this.access = access;
  }

  /** Whatever comes from now on was sealed with the secret of this name. */
  void proven(Bytes secretName) {
    name = secretName;
  }

  /** As {@link ChannelAccess#judge}; a hello in clear only where that is allowed. */
  ChannelAccess.Grant judge(Control.Hello hello) throws IOException {
    Bytes proven = name;
    if (proven != null) {
      return access.judgeProven(hello.blockPool(), hello.client(), hello.token(), proven);
    }
    if (access.isProtectionRequired()) {
      throw refusedClear();
    }
    return access.judge(hello.blockPool(), hello.client(), hello.token());
  }

  /** What a client learns that speaks in clear to a node that does not. */
  static AccessRefusedException refusedClear() {
    return new AccessRefusedException(
        "Cannot authorize: connection=in clear, expected a protected one: set on the client"
            + " hadoop.security.authentication, dfs.data.transfer.protection and"
            + " dfs.encrypt.data.transfer as on the DataNodes");
  }
}
