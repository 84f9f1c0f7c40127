/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.channel.Credential;
import io.hdfsparity.ecupdate.channel.secure.Secret;
import io.hdfsparity.ecupdate.config.UpdateKey;
import io.hdfsparity.ecupdate.protocol.AttachRequest;
import io.hdfsparity.ecupdate.protocol.ChannelToken;
import io.hdfsparity.ecupdate.protocol.Healing;
import io.hdfsparity.ecupdate.protocol.LeaseTimes;
import io.hdfsparity.ecupdate.protocol.OpenRequest;
import io.hdfsparity.ecupdate.protocol.SessionAnswer;
import io.hdfsparity.ecupdate.protocol.SessionFile;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.SessionProtocol;
import io.hdfsparity.ecupdate.protocol.SessionStatus;
import io.hdfsparity.ecupdate.protocol.StripeCode;
import io.hdfsparity.ecupdate.protocol.UnitStorage;
import io.hdfsparity.ecupdate.protocol.UnitTerms;
import io.hdfsparity.ecupdate.protocol.UpdateCode;
import io.hdfsparity.ecupdate.protocol.UpdateGroup;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import io.hdfsparity.ecupdate.protocol.UpdateUnit;
import io.hdfsparity.ecupdate.protocol.WriteToken;
import io.hdfsparity.ecupdate.updater.Endpoint;
import io.hdfsparity.ecupdate.updater.SessionOverException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.AccessControlException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** When tokens are asked for anew, and how a session ends, with a NameNode that is played. */
class ReplicaTokensTest {
  private static final SessionId ID = new SessionId(42);
  private static final Endpoint NODE = new Endpoint("n0", 7, "BP", "blk_-16");

  /** Gives each answer a token of its own. */
  private static final class Played implements SessionProtocol {
    long tokenValidMs;
    boolean hasTokens = true;
    boolean isOver;
    boolean isForbidden;
    int located;
    private OptionalLong wholeGroup = OptionalLong.empty();
    int closed;

    Played(long tokenValidMs) {
      this.tokenValidMs = tokenValidMs;
    }

    private SessionAnswer granted() {
      Bytes terms = new UnitTerms(ID, new StripeCode("rs", 1, 1, 64), 0, -16, 1, 64, "PLR").mark();
      UpdateUnit unit =
          new UpdateUnit(
              0,
              -16,
              1,
              64,
              new UnitStorage(new UpdateNode("uuid", 1, "n0", 7), "DS", "DISK"),
              terms,
              hasTokens
                  ? Optional.of(
                      new WriteToken(
                          Bytes.wrap(new byte[] {(byte) located}), Bytes.wrap(new byte[] {1})))
                  : Optional.empty());
      return new SessionAnswer.Granted(
          new UpdateSession(
              ID,
              new SessionFile("/f", 1, 64, "BP", new UpdateCode("p", "rs", 1, 1, 64, Map.of())),
              List.of(new UpdateGroup(-16, 1, 0, 64, List.of(unit), false)),
              "PLR",
              tokenValidMs,
              new LeaseTimes(1000, 300)));
    }

    private static SessionAnswer refused() {
      return new SessionAnswer.Refused(new Refusal("expired", "Cannot update", "open again"));
    }

    @Override
    public List<UpdateNode> nodes() {
      return List.of();
    }

    @Override
    public SessionAnswer open(OpenRequest request) {
      return granted();
    }

    @Override
    public SessionAnswer attach(AttachRequest request) {
      throw new AssertionError("attach");
    }

    @Override
    public SessionAnswer renew(SessionId id) throws IOException {
      if (isForbidden) {
        throw new AccessControlException("Permission denied");
      }
      return isOver ? refused() : new SessionAnswer.Renewed(new LeaseTimes(1000, 300));
    }

    @Override
    public SessionAnswer locate(SessionId id, int missingUnits, OptionalLong wholeGroup) {
      located++;
      this.wholeGroup = wholeGroup;
      return isOver ? refused() : granted();
    }

    @Override
    public SessionAnswer close(SessionId id) {
      closed++;
      return new SessionAnswer.Closed();
    }

    @Override
    public SessionAnswer replace(
        SessionId id, long groupId, Optional<String> copyPath, Optional<Healing> healing) {
      throw new AssertionError("replace");
    }

    @Override
    public boolean isGuarded() {
      throw new AssertionError("isGuarded");
    }

    @Override
    public List<SessionStatus> list(boolean all) {
      return List.of();
    }
  }

  private static SessionHolder open(Played nameNode) throws IOException {
    return SessionHolder.open(
        (closed, call) -> call.at(nameNode), new OpenRequest("/f", "test", 0));
  }

  private static int identifier(Bytes token) {
    return ChannelToken.decode(token).orElseThrow().token().identifier().at(0);
  }

  @Test
  void aTokenIsUsedUntilHalfItsLifeIsOver() throws IOException {
    Played nameNode = new Played(3_600_000);
    ReplicaTokens tokens = new ReplicaTokens(open(nameNode), 5, false);
    Bytes first = tokens.token(NODE);
    assertThat(identifier(first)).isZero();
    assertThat(ChannelToken.decode(first).orElseThrow().codeCrc()).isEqualTo(5);
    assertThat(identifier(tokens.token(NODE))).isZero();
    Played hasty = new Played(1);
    ReplicaTokens stale = new ReplicaTokens(open(hasty), 5, false);
    Awaitility.await().until(() -> identifier(stale.token(NODE)) > 0);
  }

  @Test
  void whoComesBackLaterGetsANewOne() throws IOException {
    Played nameNode = new Played(3_600_000);
    ReplicaTokens tokens = new ReplicaTokens(open(nameNode), 5, false);
    tokens.token(NODE);
    Awaitility.await().until(() -> identifier(tokens.token(NODE)) == 1);
    assertThat(nameNode.located).isEqualTo(1);
  }

  @Test
  void withoutTokensTheTermsStandByThemselves() throws IOException {
    Played nameNode = new Played(0);
    nameNode.hasTokens = false;
    Bytes token = new ReplicaTokens(open(nameNode), 5, false).token(NODE);
    WriteToken sent = ChannelToken.decode(token).orElseThrow().token();
    assertThat(UnitTerms.ofMark(sent.identifier().toArray()).orElseThrow().blockId())
        .isEqualTo(-16);
    assertThat(sent.password().length()).isZero();
  }

  @Test
  void aProtectedConnectionIsKeyedByThePasswordWhichIsNotSent() throws IOException {
    Played nameNode = new Played(3_600_000);
    ReplicaTokens tokens = new ReplicaTokens(open(nameNode), 5, true);
    Credential credential = tokens.credential(NODE);
    ChannelToken sent = ChannelToken.decode(credential.token()).orElseThrow();
    assertThat(sent.token().password().length()).isZero();
    assertThat(sent.codeCrc()).isEqualTo(5);
    Secret secret = credential.secret().orElseThrow();
    assertThat(secret.name()).isEqualTo(sent.token().identifier());
    assertThat(secret.key()).isEqualTo(Bytes.wrap(new byte[] {1}));
    assertThatThrownBy(() -> tokens.token(NODE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected a protected one");
    nameNode.hasTokens = false;
    assertThatThrownBy(() -> new ReplicaTokens(open(nameNode), 5, true).credential(NODE))
        .as("nothing to protect it by")
        .isInstanceOf(IOException.class)
        .hasMessageContaining("dfs.block.access.token.enable=false");
  }

  @Test
  void aConnectionInClearHasNoSecret() throws IOException {
    Credential credential =
        new ReplicaTokens(open(new Played(3_600_000)), 5, false).credential(NODE);
    assertThat(credential.secret()).isEmpty();
    assertThat(ChannelToken.decode(credential.token()).orElseThrow().token().password())
        .isEqualTo(Bytes.wrap(new byte[] {1}));
  }

  @Test
  void anEndpointThatIsNotOfTheFileHasNone() throws IOException {
    ReplicaTokens tokens = new ReplicaTokens(open(new Played(0)), 5, false);
    assertThatThrownBy(() -> tokens.token(new Endpoint("n1", 7, "BP", "blk_-16")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("endpoint=n1:7");
  }

  @Test
  void aSessionThatIsOverIsToldFromTroubleOfTheMoment() throws IOException {
    Played nameNode = new Played(0);
    SessionHolder holder = open(nameNode);
    nameNode.isOver = true;
    assertThatThrownBy(() -> holder.refreshed(holder.known()))
        .isInstanceOf(SessionOverException.class)
        .hasMessageContaining("remedy: open again");
    assertThatThrownBy(holder::renew).isInstanceOf(SessionOverException.class);
    holder.close();
    assertThat(nameNode.closed).as("sessions that are over are not closed").isZero();
  }

  @Test
  void whoMayNotWriteAnyMoreHasNoSession() throws IOException {
    Played nameNode = new Played(0);
    SessionHolder holder = open(nameNode);
    nameNode.isForbidden = true;
    assertThatThrownBy(holder::renew)
        .isInstanceOf(SessionOverException.class)
        .hasMessageContaining("Permission denied");
  }

  @Test
  void oneAnswerIsEnoughForAllWhoAskedBefore() throws IOException {
    Played nameNode = new Played(0);
    SessionHolder holder = open(nameNode);
    SessionHolder.KnownSession before = holder.known();
    holder.refreshed(before);
    holder.refreshed(before);
    assertThat(nameNode.located).isEqualTo(1);
    holder.close();
    assertThat(nameNode.closed).isEqualTo(1);
  }

  @Test
  void settledIsOnlyWhatWasAskedLateEnoughAndStrictly() throws IOException {
    Played nameNode = new Played(0);
    SessionHolder holder = open(nameNode);
    SessionHolder.KnownSession settled = holder.settled(16, System.nanoTime());
    assertThat(nameNode.wholeGroup).hasValue(16);
    assertThat(nameNode.located).isEqualTo(1);
    assertThat(holder.settled(16, settled.atNanos())).isSameAs(settled);
    assertThat(holder.settled(16, settled.atNanos() + 1)).isNotSameAs(settled);
    assertThat(nameNode.located).isEqualTo(2);
    holder.settled(32, settled.atNanos()); // that says nothing of another group
    assertThat(nameNode.wholeGroup).hasValue(32);
    assertThat(nameNode.located).isEqualTo(3);
    SessionHolder.KnownSession loose = holder.refreshed(holder.known());
    assertThat(nameNode.wholeGroup).isEmpty();
    assertThat(holder.settled(32, loose.atNanos())).isNotSameAs(loose);
    assertThat(nameNode.located).isEqualTo(5);
  }

  @Test
  void whatMustBeSurvivedIsConfigured() {
    Configuration conf = new Configuration(false);
    assertThat(SurviveOptions.of(conf)).hasToString("1c1s");
    conf.set(UpdateKey.SURVIVE.key(), "0c2s");
    assertThat(SurviveOptions.of(conf)).hasToString("0c2s");
    conf.set(UpdateKey.SURVIVE.key(), "much");
    assertThatThrownBy(() -> SurviveOptions.of(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(UpdateKey.SURVIVE.key() + "=much");
  }
}
