/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A client's end of a connection. One thread may read while another writes; closed by any thread,
 * which ends both.
 */
interface Peer extends Closeable {
  InputStream in() throws IOException;

  OutputStream out() throws IOException;

  /** Where it comes from, for messages. */
  String address();

  /** The machine that it comes from; the same for all connections of one. */
  String host();

  /**
   * The same connection over TLS; this one is not used directly any more.
   *
   * @throws IOException if the handshake fails
   */
  Peer withTls() throws IOException;
}
