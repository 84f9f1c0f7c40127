/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import io.hdfsparity.bridge.refusal.Refusal;

/** What a NameNode answers to a client. Immutable. */
public sealed interface SessionAnswer {
  /** There is a session; with everything a client needs, fresh tokens included. */
  record Granted(UpdateSession session) implements SessionAnswer {}

  /** The session continues. */
  record Renewed(LeaseTimes lease) implements SessionAnswer {}

  /** The session is closed; durable. */
  record Closed() implements SessionAnswer {}

  /** There is no session, or it is over. */
  record Refused(Refusal refusal) implements SessionAnswer {}
}
