/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.channel.Credential;
import io.hdfsparity.ecupdate.channel.TokenSource;
import io.hdfsparity.ecupdate.channel.secure.Secret;
import io.hdfsparity.ecupdate.config.ChannelProtection;
import io.hdfsparity.ecupdate.protocol.ChannelToken;
import io.hdfsparity.ecupdate.protocol.UpdateGroup;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import io.hdfsparity.ecupdate.protocol.UpdateUnit;
import io.hdfsparity.ecupdate.protocol.WriteToken;
import io.hdfsparity.ecupdate.updater.Endpoint;
import io.hdfsparity.ecupdate.updater.UnitLocation;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Tokens of a session's replicas, one connection each. A token is taken again from the NameNode
 * when half of its life is over, and when a connection has come back for another one. Thread-safe.
 */
final class ReplicaTokens implements TokenSource {
  private static final String GRANT = "blk_";
  private static final long REFRESH_EVERY_MS = 1000;

  private final SessionHolder holder;
  private final int codeCrc;
  private final boolean isProtected;

  /** Of what the NameNode said when a token was last given out, by endpoint. */
  private final Map<Endpoint, Long> given = new HashMap<>();

  /**
   * Of a session.
   *
   * @param codeCrc as in {@link ChannelToken}
   * @param isProtected whether connections are protected, and none is in clear
   */
  ReplicaTokens(SessionHolder holder, int codeCrc, boolean isProtected) {
    this.holder = holder;
    this.codeCrc = codeCrc;
    this.isProtected = isProtected;
  }

  /** Where a unit is. */
  static UnitLocation location(UpdateSession session, UpdateUnit unit) {
    return new UnitLocation(
        new ReplicaKey(session.file().blockPool(), unit.blockId()),
        new Endpoint(
            unit.storage().node().host(),
            unit.storage().node().port(),
            session.file().blockPool(),
            GRANT + unit.blockId()));
  }

  /** With its password: for a connection in clear. */
  @Override
  public Bytes token(Endpoint node) throws IOException {
    if (isProtected) {
      throw new IOException("Cannot connect: connection=in clear, expected a protected one");
    }
    return inClear(unit(node));
  }

  @Override
  public Credential credential(Endpoint node) throws IOException {
    UpdateUnit unit = unit(node);
    return isProtected ? protectedBy(unit) : Credential.clear(inClear(unit));
  }

  private Bytes inClear(UpdateUnit unit) {
    WriteToken token = unit.token().orElseGet(() -> new WriteToken(unit.terms(), Bytes.zeros(0)));
    return new ChannelToken(token, codeCrc).encode();
  }

  private Credential protectedBy(UpdateUnit unit) throws IOException {
    WriteToken token =
        unit.token().orElseThrow(() -> new IOException(ChannelProtection.needsTokens()));
    return new Credential(
        new ChannelToken(token, codeCrc).withoutPassword().encode(),
        Optional.of(new Secret(token.identifier(), token.password())));
  }

  private UpdateUnit unit(Endpoint node) throws IOException {
    SessionHolder.KnownSession known = holder.known();
    if (isStale(known, node)) {
      known = holder.refreshed(known);
    }
    UpdateUnit unit = find(known.session(), node);
    synchronized (this) {
      given.put(node, known.version());
    }
    return unit;
  }

  private boolean isStale(SessionHolder.KnownSession known, Endpoint node) {
    long validMs = known.session().tokenValidMs();
    if (validMs > 0 && known.ageMs() > validMs / 2) {
      return true;
    }
    synchronized (this) {
      Long last = given.get(node);
      return last != null && last == known.version() && known.ageMs() > REFRESH_EVERY_MS;
    }
  }

  private static UpdateUnit find(UpdateSession session, Endpoint node) throws IOException {
    for (UpdateGroup group : session.groups()) {
      Optional<UpdateUnit> found =
          group.units().stream()
              .filter(unit -> location(session, unit).node().equals(node))
              .findFirst();
      if (found.isPresent()) {
        return found.get();
      }
    }
    throw new IOException(
        ErrorMessage.to("connect")
            .value("endpoint", node)
            .expected(
                "one where the NameNode knows the replica now: start this DataNode if it is down, or"
                    + " a further one that the block group can be rewritten to")
            .message());
  }
}
