/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel.secure;

import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.ecupdate.ajx.Bytes;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The client's end of one handshake. Not thread-safe. */
public final class ClientHandshake {
  private final Handshake handshake;
  private final Bytes opening;

  private ClientHandshake(Secret secret, Ephemeral own) {
    byte[] prologue = HandshakeFormat.prologue(secret.name().toArray());
    handshake = Handshake.begin(prologue, Records.psk(secret.key()));
    byte[] message = handshake.writeFirst(own, new byte[0]);
    byte[] whole = Arrays.copyOf(prologue, prologue.length + message.length);
    System.arraycopy(message, 0, whole, prologue.length, message.length);
    opening = Bytes.wrap(whole);
  }

  /** Begins one. */
  public static ClientHandshake begin(Secret secret, SecureRandom random) {
    return begin(secret, Ephemeral.random(random));
  }

  static ClientHandshake begin(Secret secret, Ephemeral own) {
    return new ClientHandshake(secret, own);
  }

  /** To be sent first of all. */
  public Bytes opening() {
    return opening;
  }

  /**
   * Reads the node's acceptance from the position of {@code src}, which moves behind it. After an
   * exception the handshake is over.
   *
   * @return null if it is not whole yet; {@code src} is unchanged then
   * @throws FormatException if what is there is no acceptance
   * @throws ForgedException if the peer does not have the secret, or somebody stands between
   */
  public @Nullable Records accepted(ByteBuffer src) throws FormatException, ForgedException {
    byte[] message = HandshakeFormat.decodeAcceptance(src);
    if (message == null) {
      return null;
    }
    handshake.readSecond(message);
    byte[][] keys = handshake.split();
    return new Records(keys[0], keys[1]);
  }
}
