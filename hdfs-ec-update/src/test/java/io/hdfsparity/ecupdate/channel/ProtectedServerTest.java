/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.channel.secure.ClientHandshake;
import io.hdfsparity.ecupdate.channel.secure.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node's end of protected connections, and peers that lie or stand between. */
@Timeout(600)
class ProtectedServerTest {
  private static final SlotKey SLOT = new SlotKey(new ReplicaKey("BP-1", 7), 0);
  private static final Message.Ask READ = new Message.Ask(1, SLOT, new Request.Read(0, 4));
  private static final long BUDGET = 1 << 20;

  private final ScriptedService service = new ScriptedService();
  private ProtectedTestAccess access;
  private ChannelServer server;

  private InetSocketAddress start(boolean isRequired, ServerTimeouts timeouts) throws IOException {
    access = new ProtectedTestAccess(isRequired);
    server =
        ChannelServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ServerLimits(65_536, 8, 6, 6, BUDGET, BUDGET, 1 << 20, 6),
            timeouts,
            access,
            service);
    return server.address();
  }

  private InetSocketAddress start(boolean isRequired) throws IOException {
    return start(isRequired, new ServerTimeouts(120_000, 120_000, 120_000, 5_000, 120_000));
  }

  @AfterEach
  void stop() throws IOException {
    service.permits.release(1000);
    server.close();
  }

  private static Secret secret(String token) {
    return ProtectedTestAccess.credential(token).secret().orElseThrow();
  }

  private static ProtectedPeer welcomed(InetSocketAddress address, String client)
      throws IOException {
    ProtectedPeer peer = ProtectedPeer.opened(address, secret("alice"));
    peer.send(peer.hello(client, "alice"));
    assertThat(peer.next()).isInstanceOf(Control.Welcome.class);
    return peer;
  }

  private static void assertRefused(Object last, ChannelError error, String reason) {
    assertThat(last).isInstanceOf(Control.ConnectionEnd.class);
    assertThat(((Control.ConnectionEnd) last).error()).isEqualTo(error);
    assertThat(((Control.ConnectionEnd) last).reason()).contains(reason);
  }

  /** Whoever is in the middle learns nothing but that it is over. */
  private static void assertEnded(ProtectedPeer peer) throws IOException {
    try {
      assertThat(peer.next()).isNull();
    } catch (java.net.SocketException e) {
      assertThat(e).as("what came behind was not read").hasMessageContaining("reset");
    }
  }

  @Test
  void requestsAreAnsweredUnderProtection() throws Exception {
    InetSocketAddress address = start(true);
    try (ProtectedPeer peer = welcomed(address, "c")) {
      peer.send(peer.ask(5, READ));
      assertThat(peer.next()).isInstanceOf(Message.Answer.class);
      Request large = new Request.Swap(new Patch(0, Bytes.zeros(60_000)), new Tid(1, 1, 0));
      ByteBuffer frame = new FrameCodec(1 << 20).encode(new Message.Ask(6, SLOT, large));
      while (frame.hasRemaining()) { // records need not be those of frames
        int bytes = Math.min(7_001, frame.remaining());
        peer.send(peer.seal(frame.slice(frame.position(), bytes)));
        frame.position(frame.position() + bytes);
      }
      assertThat(((Message) peer.next()).call()).isEqualTo(6);
    }
    await().until(() -> server.connections() == 0);
    await().until(() -> server.freeBytes() == BUDGET);
  }

  @Test
  void clearIsRefusedWhereProtectionIsRequired() throws Exception {
    InetSocketAddress address = start(true);
    try (RawPeer peer = new RawPeer(address)) {
      peer.hello("c", "alice");
      assertRefused(peer.next(), ChannelError.FORBIDDEN, "expected a protected one");
      assertThat(peer.next()).isNull();
    }
    try (RawPeer peer = new RawPeer(address)) {
      peer.send(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes()));
      assertRefused(peer.next(), ChannelError.MALFORMED, "magic");
    }
    assertThat(access.admitted).hasValue(0);
    await().until(() -> server.connections() == 0);
  }

  @Test
  void bothAreServedWhereNothingIsRequired() throws Exception {
    InetSocketAddress address = start(false);
    try (RawPeer clear = RawPeer.welcomed(address, "c1", "alice");
        ProtectedPeer guarded = welcomed(address, "c2")) {
      clear.ask(1, SLOT, READ.request());
      guarded.send(guarded.ask(1, READ));
      assertThat(clear.next()).isInstanceOf(Message.Answer.class);
      assertThat(guarded.next()).isInstanceOf(Message.Answer.class);
    }
  }

  @Test
  void aWrongPasswordIsRefused() throws Exception {
    InetSocketAddress address = start(true);
    Secret wrong = new Secret(secret("alice").name(), secret("mallory").key());
    try (ProtectedPeer peer = new ProtectedPeer(address)) {
      peer.send(ClientHandshake.begin(wrong, new SecureRandom()).opening().toArray());
      assertRefused(peer.nextInClear(), ChannelError.FORBIDDEN, "the password of the token");
    }
    try (ProtectedPeer peer = new ProtectedPeer(address)) {
      peer.send(ClientHandshake.begin(secret("forged"), new SecureRandom()).opening().toArray());
      assertRefused(peer.nextInClear(), ChannelError.FORBIDDEN, "a token that is good");
    }
    assertThat(access.admitted).hasValue(0);
  }

  @Test
  void theTokenOfTheHelloIsThatOfTheHandshake() throws Exception {
    InetSocketAddress address = start(true);
    try (ProtectedPeer peer = ProtectedPeer.opened(address, secret("mallory"))) {
      peer.send(peer.hello("c", "alice"));
      assertRefused(peer.next(), ChannelError.FORBIDDEN, "the token that was proven");
    }
    assertThat(access.admitted).hasValue(0);
  }

  /** A hello takes the place of an earlier connection, so a recorded one must not count. */
  @Test
  void aRecordedConnectionIsNotBelievedAgain() throws Exception {
    InetSocketAddress address = start(true);
    try (ProtectedPeer peer = welcomed(address, "c")) {
      try (ProtectedPeer replaying = new ProtectedPeer(address)) {
        replaying.send(peer.sent());
        assertThat(replaying.nextAcceptance()).isTrue();
        assertEnded(replaying);
      }
      assertThat(access.admitted).hasValue(1);
      peer.send(peer.ask(1, READ));
      assertThat(peer.next()).as("it was not superseded").isInstanceOf(Message.Answer.class);
    }
  }

  @Test
  void aRecordThatWasChangedReplayedOrMovedEndsTheConnection() throws Exception {
    InetSocketAddress address = start(true);
    try (ProtectedPeer peer = welcomed(address, "flipped")) {
      byte[] record = peer.ask(1, READ);
      record[record.length / 2] ^= 1;
      peer.send(record);
      assertEnded(peer);
    }
    try (ProtectedPeer peer = welcomed(address, "reordered")) {
      byte[] first = peer.ask(1, READ);
      peer.send(peer.ask(2, READ));
      peer.send(first);
      assertEnded(peer);
    }
    try (ProtectedPeer peer = welcomed(address, "in clear")) {
      peer.send(new FrameCodec(1024).encode(READ).array());
      assertEnded(peer);
    }
    assertThat(service.executed).hasValue(0);
    try (ProtectedPeer peer = welcomed(address, "replayed")) {
      byte[] record = peer.ask(1, READ);
      peer.send(record);
      assertThat(peer.next()).isInstanceOf(Message.Answer.class);
      peer.send(record);
      assertEnded(peer);
    }
    assertThat(service.executed).hasValue(1);
    await().until(() -> server.connections() == 0);
    assertThat(server.freeBytes()).isEqualTo(BUDGET);
  }

  @Test
  void lengthsOfWhoHasProvenNothingTakeNoMemory() throws Exception {
    InetSocketAddress address = start(true);
    byte[] header = {'E', 'C', 'U', 'S', 0, 1, 0, 1, (byte) 0xff, (byte) 0xff};
    try (ProtectedPeer peer = new ProtectedPeer(address)) {
      peer.send(header);
      assertRefused(peer.nextInClear(), ChannelError.MALFORMED, "nameBytes=65535");
    }
    try (ProtectedPeer peer = new ProtectedPeer(address)) {
      peer.send(new byte[] {'E', 'C', 'U', 'S', 0, 2, 0, 1, 0, 5});
      assertRefused(peer.nextInClear(), ChannelError.MALFORMED, "version=2");
    }
    try (ProtectedPeer peer = ProtectedPeer.opened(address, secret("alice"))) {
      peer.send(new byte[] {(byte) 0xff, (byte) 0xff});
      assertEnded(peer);
    }
  }

  @Test
  void whoIsSlowIsNotWaitedFor() throws Exception {
    InetSocketAddress address = start(true, new ServerTimeouts(200, 200, 20_000, 5_000, 20_000));
    byte[] opening = ClientHandshake.begin(secret("alice"), new SecureRandom()).opening().toArray();
    try (ProtectedPeer peer = new ProtectedPeer(address)) {
      peer.send(Arrays.copyOf(opening, opening.length - 1));
      assertRefused(peer.nextInClear(), ChannelError.SLOW, "ms=200");
    }
    try (ProtectedPeer peer = new ProtectedPeer(address)) {
      peer.send(opening);
      assertThat(peer.nextAcceptance()).isTrue();
      assertThat(peer.nextSealedBytes()).as("why it ends, sealed").isPositive();
    }
    try (ProtectedPeer peer = welcomed(address, "half a record")) {
      byte[] record = peer.ask(1, READ);
      peer.send(Arrays.copyOf(record, record.length - 1));
      assertEnded(peer);
    }
    assertThat(service.executed).hasValue(0);
    await().until(() -> server.connections() == 0);
  }

  @Test
  void aNodeWithoutSecretsSaysSo() throws Exception {
    server =
        ChannelServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ServerLimits(65_536, 8, 6, 6, BUDGET, BUDGET, 1 << 20, 6),
            new ServerTimeouts(120_000, 120_000, 120_000, 5_000, 120_000),
            TestAccess.INSTANCE,
            service);
    try (ProtectedPeer peer = new ProtectedPeer(server.address())) {
      peer.send(ClientHandshake.begin(secret("alice"), new SecureRandom()).opening().toArray());
      assertRefused(peer.nextInClear(), ChannelError.FORBIDDEN, "no secret in common");
    }
  }
}
