/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.client;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;

/**
 * Users that log in by a block token, one for each token. Two users of one token are different
 * callers to Hadoop's RPC client: each would get a connection of its own, with a handshake, which
 * then stays open for ten seconds. Thread-safe.
 */
final class BlockTokenUsers {
  /** Above it the one that was used least recently is dropped. */
  static final int MAX_USERS = 100;

  /** By token, least recently used first. Guarded by this. */
  private final Map<Token<BlockTokenIdentifier>, UserGroupInformation> users =
      new LinkedHashMap<>(16, 0.75f, true);

  /**
   * The user of a token; the same one for equal tokens.
   *
   * @param name of the user; the token says who it is
   */
  synchronized UserGroupInformation of(Token<BlockTokenIdentifier> token, String name) {
    UserGroupInformation known = users.get(token);
    if (known != null) {
      return known;
    }
    UserGroupInformation user = UserGroupInformation.createRemoteUser(name);
    user.addToken(token);
    users.put(token.copyToken(), user); // tokens can be changed
    if (users.size() > MAX_USERS) {
      users.remove(users.keySet().iterator().next());
    }
    return user;
  }
}
