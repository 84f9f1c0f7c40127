/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import io.hdfsparity.ecupdate.ajx.Bytes;

/**
 * A block token with access WRITE for one internal block, and the session's mark inside. Immutable.
 * Not for logs: whoever has the password may write.
 *
 * @param identifier as Hadoop's token has it
 * @param password as Hadoop's token has it
 */
public record WriteToken(Bytes identifier, Bytes password) {
  @Override
  public String toString() {
    return "WriteToken[" + identifier.length() + " bytes]";
  }
}
