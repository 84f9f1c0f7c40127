/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** Judges who may use a connection for what. Thread-safe. */
public interface ChannelAccess {
  /** What a request does to a replica. */
  enum Use {
    /** Looks at it. */
    READ,
    /** Changes it, or takes part in a recovery of it. */
    CHANGE
  }

  /**
   * What a connection may do. Thread-safe; asked for every request, and must not block. Whoever
   * asks may hold locks of an engine.
   */
  interface Grant {
    /**
     * Whose connection it is, for example a user: a connection ends an earlier one of the same
     * client name only if both have the same owner.
     */
    String owner();

    /** Whose share of the node it uses: that of all connections with the same name together. */
    String user();

    /**
     * Whether an AJX client is one of the session's: only these may write, and take locks, on the
     * connection.
     *
     * @param client as in {@link io.hdfsparity.ecupdate.ajx.LockId#client} and {@link
     *     io.hdfsparity.ecupdate.ajx.Tid#client}
     */
    boolean ownsClient(long client);

    /**
     * Whether a request is allowed now. A request that is not closes the connection; the client may
     * open another one with a token that is good.
     */
    boolean permits(ReplicaKey replica, Use use);

    /**
     * Whether it is the connection of a session, which alone says that it leaves.
     *
     * @param session as in {@link io.hdfsparity.ecupdate.ajx.Request.Leave}
     */
    boolean isOf(long session);
  }

  /**
   * Judges a token. May block, for as long as a NameNode takes to answer.
   *
   * @param blockPool whose replicas the connection is for
   * @param client name that the client gives itself; unproven
   * @param token opaque here
   * @throws AccessRefusedException if the token is not good; its message is sent to the client
   * @throws IOException if that is not known now
   */
  Grant judge(String blockPool, String client, Bytes token) throws IOException;

  /**
   * Whether connections in clear are refused. Others may be protected all the same. Does not block.
   */
  default boolean isProtectionRequired() {
    return false;
  }

  /**
   * The key of a secret that a client names, by which the connection is protected. Called for
   * clients that have proven nothing yet; does not wait for anybody.
   *
   * @param name as in {@link io.hdfsparity.ecupdate.channel.secure.Secret}; 1 to 8,192 bytes, of
   *     any content
   * @throws AccessRefusedException if there is no such secret, or not any more; its message is sent
   *     to the client in clear
   */
  default Bytes secret(Bytes name) throws IOException {
    throw new AccessRefusedException(
        "Cannot protect the connection: this node has no secret in common with its clients");
  }

  /**
   * Judges the token of a client that has proven to have a secret. As {@link #judge} otherwise.
   *
   * @param token must be of the secret with this name, and is sent without the key
   * @param name that {@link #secret} was asked for
   */
  default Grant judgeProven(String blockPool, String client, Bytes token, Bytes name)
      throws IOException {
    throw new AccessRefusedException("Cannot authorize: this node has no secrets");
  }

  /**
   * Makes ready what a connection is for. Does not wait for a disk: the connection does, without a
   * thread.
   *
   * @param grant that {@link #judge} has given
   * @return completes when requests may come; with {@link AccessRefusedException} if they may not
   */
  default CompletableFuture<Void> admit(Grant grant) {
    return CompletableFuture.completedFuture(null);
  }
}
