/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

/**
 * The header of a request (specification, section "Request message"), not judged yet. Immutable.
 *
 * @param flags 16 bits
 * @param type 16 bits
 * @param cookie the client's, opaque
 * @param offset unsigned
 * @param lengthBytes 0 to 2^32 - 1
 */
record Request(int flags, int type, long cookie, long offset, long lengthBytes) {
  /** Whether the device has the range; an offset of 2^63 and more is outside of every device. */
  boolean isInside(long sizeBytes) {
    return offset >= 0 && lengthBytes <= sizeBytes && offset <= sizeBytes - lengthBytes;
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** Bytes that follow the header. */
  long payloadBytes() {
    return type == NbdConstants.CMD_WRITE ? lengthBytes : 0;
  }

  boolean isWrite() {
    return type == NbdConstants.CMD_WRITE || type == NbdConstants.CMD_WRITE_ZEROES;
  }
}
