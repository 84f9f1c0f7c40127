/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.ecupdate.ajx.Bytes;

/** What is said about a connection itself. Immutable. */
sealed interface Control {
  /**
   * From client to node, first of all.
   *
   * @param blockPool whose replicas the connection is for
   * @param client names the client: a new connection of the same owner and name ends an earlier one
   * @param token what the access of the connection is judged by
   */
  record Hello(String blockPool, String client, Bytes token) implements Control {
    public Hello {
      checkName("blockPool", blockPool);
      checkName("client", client);
      Checks.argument(
          token.length() <= ControlCodec.MAX_TOKEN,
          "open a connection",
          "token bytes",
          token.length(),
          "<= " + ControlCodec.MAX_TOKEN);
    }

    private static void checkName(String name, String value) {
      Checks.argument(
          !value.isEmpty() && value.length() <= ControlCodec.MAX_NAME,
          "open a connection",
          name,
          value.length() <= ControlCodec.MAX_NAME ? value : value.length() + " characters",
          "1.." + ControlCodec.MAX_NAME + " characters");
    }

    /** Without the token, which is a secret. */
    @Override
    public String toString() {
      return "client " + client + " of " + blockPool;
    }
  }

  /**
   * From node to client: requests may come now, and none that came on an earlier connection of this
   * client will be executed any more.
   *
   * @param maxOutstanding requests without an answer that the node allows
   * @param maxPayloadBytes longest payload of a frame that the node reads or writes
   */
  record Welcome(int maxOutstanding, int maxPayloadBytes) implements Control {
    public Welcome {
      Checks.argument(
          maxOutstanding > 0, "open a connection", "maxOutstanding", maxOutstanding, "> 0");
      Checks.argument(
          maxPayloadBytes > 0, "open a connection", "maxPayloadBytes", maxPayloadBytes, "> 0");
    }
  }

  /**
   * From node to client, last of all: the connection is closed.
   *
   * @param reason for people
   */
  record ConnectionEnd(ChannelError error, String reason) implements Control {}
}
