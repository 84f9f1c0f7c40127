/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel.secure;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.ecupdate.ajx.Bytes;

/**
 * What both ends of a connection know and nobody else. Immutable. Not for logs.
 *
 * @param name by which the node finds the key: 1 to 8,192 bytes, sent in clear
 * @param key never sent; not empty
 */
public record Secret(Bytes name, Bytes key) {
  /** Longest name, in bytes. */
  public static final int MAX_NAME_BYTES = 8192;

  public Secret {
    Checks.argument(
        name.length() > 0 && name.length() <= MAX_NAME_BYTES,
        "protect a connection",
        "name bytes",
        name.length(),
        "1.." + MAX_NAME_BYTES);
    Checks.argument(key.length() > 0, "protect a connection", "key bytes", key.length(), "> 0");
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "Secret[name of " + name.length() + " bytes]";
  }
}
