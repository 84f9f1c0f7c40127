/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;

/** Where the partners of this node's frames are. Thread-safe; does no I/O. */
public interface Partners {
  /** State of the partner that a pairing names. */
  Partner of(Pairing pairing);

  /**
   * The partner that a pairing names.
   *
   * @throws IOException if it cannot be called, saying why
   */
  default RaidpPeerProtocol requireReachable(Pairing pairing) throws IOException {
    Partner partner = of(pairing);
    if (partner instanceof Reachable reachable) {
      return reachable.peer();
    }
    throw new IOException(
        "Cannot reach the partner: superchunk="
            + pairing.superchunkId()
            + " partnerStorageId="
            + pairing.partnerStorageId()
            + ", expected to know where it is: partner="
            + partner);
  }

  /** Whether a call has failed because the partner, or the way to it, is down. */
  static boolean isUnreachable(IOException failure) {
    return failure instanceof SocketException
        || failure instanceof SocketTimeoutException
        || failure instanceof UnknownHostException
        || failure instanceof EOFException
        // A caller that was interrupted knows nothing of the partner.
        || (failure instanceof ClosedChannelException
            && !(failure instanceof ClosedByInterruptException));
  }

  /** What is known of a partner. */
  sealed interface Partner {}

  /** It can be called. */
  record Reachable(RaidpPeerProtocol peer) implements Partner {}

  /** Nothing is known (yet): nobody may act as if it were gone. */
  record Unknown(String why) implements Partner {}

  /** The manager has declared it dead: nothing waits for it, and the survivor decides alone. */
  record Dead(String why) implements Partner {}
}
