/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;

/**
 * Tokens are names: reader may read, forged may not, late learns that the replica is retired,
 * others may change block 7.
 */
public enum TestAccess implements ChannelAccess {
  INSTANCE;

  @Override
  public Grant judge(String blockPool, String client, Bytes token) throws AccessRefusedException {
    String owner = new String(token.toArray(), java.nio.charset.StandardCharsets.US_ASCII);
    if (owner.equals("forged")) {
      throw new AccessRefusedException("Cannot authorize: expected a token that is good");
    }
    if (owner.equals("late")) {
      throw new AccessRefusedException(ChannelError.RETIRED, "Cannot update: it is retired");
    }
    return new Grant() {
      @Override
      public String owner() {
        return owner;
      }

      @Override
      public String user() {
        return owner;
      }

      /** Session 7 has these of 7, and those that other tests take. */
      @Override
      public boolean ownsClient(long client) {
        return client >>> 32 == 7 || client >>> 32 == 0;
      }

      @Override
      public boolean permits(ReplicaKey replica, Use use) {
        return replica.blockId() == 7 && (use == Use.READ || !owner.equals("reader"));
      }

      @Override
      public boolean isOf(long session) {
        return session == 7;
      }
    };
  }
}
