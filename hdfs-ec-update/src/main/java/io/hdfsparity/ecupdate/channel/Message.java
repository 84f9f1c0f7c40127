/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;

/** What a frame says. Immutable. */
sealed interface Message {
  /** Names the call: chosen by the client, unique on its connection; the answer bears it again. */
  long call();

  /** From client to storage node. */
  record Ask(long call, SlotKey slot, Request request) implements Message {}

  /** From storage node to client. */
  record Answer(long call, Reply reply) implements Message {}

  /**
   * From storage node to client: the request was refused, and nothing was changed.
   *
   * @param reason for people
   */
  record Refusal(long call, String reason) implements Message {}

  /**
   * From storage node to client: the node failed at the request. It is not known whether it was
   * executed; it will not be from now on.
   *
   * @param reason for people
   */
  record Failure(long call, String reason) implements Message {}
}
