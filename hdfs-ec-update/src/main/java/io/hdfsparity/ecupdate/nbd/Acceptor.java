/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import java.io.Closeable;
import java.io.IOException;

/** Where clients connect. One thread accepts; any may close, which ends that. */
public interface Acceptor extends Closeable {
  /**
   * Waits for the next client.
   *
   * @throws IOException if it is closed, or a client cannot be accepted
   */
  Peer accept() throws IOException;

  /** Whether TLS is offered, and required. */
  Handshake.Security security();

  /** Begin of the URI of an export, for people: an export's name follows it. */
  String uri(String export);
}
