/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.updater.Endpoint;
import java.io.IOException;

/** Has the tokens of a client's sessions. Thread-safe. */
@FunctionalInterface
public interface TokenSource {
  /**
   * A token that is good now. May block.
   *
   * @throws IOException if there is none; it is asked again later
   */
  Bytes token(Endpoint node) throws IOException;

  /**
   * A token, and what protects the connection; asked for before every connection. May block.
   *
   * @return in clear, unless this source protects connections: then never in clear
   * @throws IOException if there is none; it is asked again later
   */
  default Credential credential(Endpoint node) throws IOException {
    return Credential.clear(token(node));
  }
}
