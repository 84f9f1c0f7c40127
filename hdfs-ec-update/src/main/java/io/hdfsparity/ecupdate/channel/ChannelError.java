/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

/** Why a node closes a connection. The order is that of the numbers on the wire, from 1. */
public enum ChannelError {
  /** What came is no frame: another protocol, another version, or damage. */
  MALFORMED,
  /** The token is not good, or not good for this request. */
  FORBIDDEN,
  /** The peer has not sent a whole frame in time. */
  SLOW,
  /** Nothing was asked for a long time. */
  IDLE,
  /** More requests without an answer than the node allows. */
  OVERRUN,
  /** Too many connections, or the client's earlier connection is still being served. */
  BUSY,
  /** The same client has opened another connection. */
  SUPERSEDED,
  /** The node stops. */
  SHUTDOWN,
  /** Something failed in the node. */
  INTERNAL,
  /** The replica takes no updates any more, from nobody: there is no use in asking again. */
  RETIRED;

  /** Whether nobody has to look for a reason. */
  boolean isUsual() {
    return this == SUPERSEDED || this == IDLE || this == SHUTDOWN;
  }
}
