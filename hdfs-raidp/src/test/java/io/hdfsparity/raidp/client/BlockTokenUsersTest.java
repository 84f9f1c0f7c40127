/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.wire.RaidpRangeProtocolPB;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;

/** Which calls of a reader of lost blocks share a connection. */
class BlockTokenUsersTest {
  private final BlockTokenUsers users = new BlockTokenUsers();
  private final Configuration conf = new Configuration(/* loadDefaults= */ false);

  private static Token<BlockTokenIdentifier> token(int number) {
    byte[] bytes = ("token " + number).getBytes(StandardCharsets.UTF_8);
    return new Token<>(bytes, bytes, new Text("HDFS_BLOCK_TOKEN"), new Text("pool"));
  }

  /** What Hadoop's RPC client finds a connection by. */
  private Client.ConnectionId connection(UserGroupInformation user) {
    return new Client.ConnectionId(
        new InetSocketAddress("127.0.0.1", 1),
        RaidpRangeProtocolPB.class,
        user,
        60_000,
        null,
        conf);
  }

  @Test
  void rangesThatAreReadByOneTokenShareAConnection() {
    UserGroupInformation first = users.of(token(1), "reader");
    UserGroupInformation second = users.of(token(1), "reader");
    assertThat(connection(second)).isEqualTo(connection(first));
    assertThat(List.copyOf(first.getTokens())).isEqualTo(List.of(token(1)));
  }

  @Test
  void anotherTokenHasAnotherConnection() {
    UserGroupInformation other = users.of(token(2), "reader");
    assertThat(connection(other)).isNotEqualTo(connection(users.of(token(1), "reader")));
    assertThat(List.copyOf(other.getTokens())).isEqualTo(List.of(token(2)));
  }

  @Test
  void usersOfABoundedNumberOfTokensAreKept() {
    UserGroupInformation first = users.of(token(0), "reader");
    for (int number = 1; number < BlockTokenUsers.MAX_USERS; number++) {
      users.of(token(number), "reader");
    }
    assertThat(users.of(token(0), "reader")).isEqualTo(first);
    users.of(token(BlockTokenUsers.MAX_USERS), "reader");
    assertThat(users.of(token(0), "reader")).isEqualTo(first);
    for (int number = 1; number <= BlockTokenUsers.MAX_USERS; number++) {
      users.of(token(-number), "reader");
    }
    assertThat(users.of(token(0), "reader")).isNotEqualTo(first);
  }
}
