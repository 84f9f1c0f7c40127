/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.channel.AccessRefusedException;
import io.hdfsparity.ecupdate.channel.secure.ClientHandshake;
import io.hdfsparity.ecupdate.channel.secure.Opening;
import io.hdfsparity.ecupdate.channel.secure.Records;
import io.hdfsparity.ecupdate.channel.secure.Secret;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.StripeCode;
import io.hdfsparity.ecupdate.protocol.UnitTerms;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.EnumSet;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;

/** Passwords as a NameNode makes them and a DataNode finds them again; handshakes with them. */
class TokenPasswordsTest {
  private static final long HOUR_MS = 3_600_000;
  private static final byte[] MARK =
      new UnitTerms(new SessionId(77), new StripeCode("rs", 3, 2, 65_536), 0, -16, 1, 64, "PLR")
          .mark()
          .toArray();

  private final BlockTokenSecretManager nameNode = secrets("BP-1");
  private final BlockTokenSecretManager dataNode =
      new BlockTokenSecretManager(HOUR_MS, HOUR_MS, "BP-1", null, true);

  TokenPasswordsTest() throws IOException {
    dataNode.addKeys(nameNode.exportKeys());
  }

  private static BlockTokenSecretManager secrets(String pool) {
    return new BlockTokenSecretManager(HOUR_MS, HOUR_MS, 0, 1, pool, null, true);
  }

  private static Token<BlockTokenIdentifier> token(
      BlockTokenSecretManager secrets, String pool, byte[] mark, boolean isProtobuf) {
    BlockTokenIdentifier identifier =
        new BlockTokenIdentifier(
            "alice",
            pool,
            -16,
            EnumSet.of(BlockTokenIdentifier.AccessMode.WRITE),
            new StorageType[] {StorageType.DISK},
            new String[] {"DS-1"},
            isProtobuf);
    identifier.setHandshakeMsg(mark);
    return new Token<>(identifier, secrets);
  }

  private Token<BlockTokenIdentifier> token() {
    return token(nameNode, "BP-1", MARK, true);
  }

  private Bytes password(Token<BlockTokenIdentifier> token) throws IOException {
    return TokenPasswords.of(dataNode, "BP-1", Bytes.copyOf(token.getIdentifier()));
  }

  private static Secret secret(Token<BlockTokenIdentifier> token) {
    return new Secret(Bytes.copyOf(token.getIdentifier()), Bytes.copyOf(token.getPassword()));
  }

  /** The node's end and the client's. */
  private Records[] connect(Token<BlockTokenIdentifier> token) throws IOException {
    ClientHandshake client = ClientHandshake.begin(secret(token), new SecureRandom());
    Opening opening = Opening.decode(client.opening().buffer());
    Opening.Acceptance acceptance =
        opening.accept(TokenPasswords.of(dataNode, "BP-1", opening.name()), new SecureRandom());
    return new Records[] {acceptance.records(), client.accepted(acceptance.message().buffer())};
  }

  private static void assertTalk(Records from, Records to) throws IOException {
    byte[] record = new byte[Records.recordBytes(3)];
    from.seal(ByteBuffer.wrap(new byte[] {1, 2, 3}), ByteBuffer.wrap(record));
    byte[] plain = new byte[3];
    to.open(ByteBuffer.wrap(record, 2, record.length - 2), ByteBuffer.wrap(plain));
    assertThat(plain).containsExactly(1, 2, 3);
  }

  private void assertRefused(Token<BlockTokenIdentifier> token, String why) {
    assertThatThrownBy(() -> password(token))
        .isInstanceOf(AccessRefusedException.class)
        .hasMessageContaining(why);
  }

  @Test
  void theDataNodeFindsThePasswordInBothForms() throws Exception {
    for (boolean isProtobuf : new boolean[] {true, false}) {
      Token<BlockTokenIdentifier> token = token(nameNode, "BP-1", MARK, isProtobuf);
      assertThat(password(token)).isEqualTo(Bytes.copyOf(token.getPassword()));
      Records[] ends = connect(token);
      assertTalk(ends[0], ends[1]);
      assertTalk(ends[1], ends[0]);
    }
  }

  @Test
  void tokensOfOthersAndForOtherThingsAreRefused() {
    assertRefused(token(nameNode, "BP-1", null, true), "no token of an update session");
    assertRefused(token(nameNode, "BP-1", new byte[] {1}, true), "no token of an update session");
    assertRefused(token(nameNode, "BP-2", MARK, true), "another block pool, expected BP-1");
    assertRefused(token(secrets("BP-1"), "BP-1", MARK, true), "Can't re-compute password");
    for (byte[] junk : new byte[][] {{}, {0}, {1}, {127, -1, -1, -1, -1}, new byte[8192]}) {
      assertThatThrownBy(() -> TokenPasswords.of(dataNode, "BP-1", Bytes.wrap(junk)))
          .isInstanceOf(AccessRefusedException.class);
    }
  }

  /** What the client says of itself is covered by the password, or there is no connection. */
  @Test
  void anIdentifierThatWasChangedOpensNothing() {
    Token<BlockTokenIdentifier> token = token();
    byte[] other =
        new String(token.getIdentifier(), StandardCharsets.ISO_8859_1)
            .replace("alice", "admin")
            .getBytes(StandardCharsets.ISO_8859_1);
    assertThat(other).isNotEqualTo(token.getIdentifier());
    Token<BlockTokenIdentifier> forged =
        new Token<>(other, token.getPassword(), token.getKind(), token.getService());
    assertThatThrownBy(() -> connect(forged)).isInstanceOf(IOException.class);
  }

  @Test
  void aTokenThatHasExpiredIsRefused() {
    nameNode.setTokenLifetime(1);
    Token<BlockTokenIdentifier> token = token();
    await().untilAsserted(() -> assertRefused(token, "is expired"));
  }

  @Test
  void keysThatAreRolledEndNoConnectionAndNoTokenThatIsGood() throws Exception {
    Token<BlockTokenIdentifier> before = token();
    Records[] ends = connect(before);
    assertThat(nameNode.updateKeys(Long.MAX_VALUE)).isTrue();
    assertThat(nameNode.updateKeys(Long.MAX_VALUE)).isTrue();
    Token<BlockTokenIdentifier> after = token();
    assertRefused(after, "Can't re-compute password");
    dataNode.addKeys(nameNode.exportKeys());
    assertTalk(ends[0], ends[1]);
    assertTalk(ends[1], ends[0]);
    Records[] again = connect(before);
    assertTalk(again[0], again[1]);
    Records[] fresh = connect(after);
    assertTalk(fresh[0], fresh[1]);
    dataNode.clearAllKeysForTesting();
    assertRefused(after, "Can't re-compute password");
    assertTalk(ends[1], ends[0]);
  }
}
