/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.Printable;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.channel.AccessRefusedException;
import io.hdfsparity.ecupdate.protocol.UnitTerms;
import java.io.IOException;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.blockmanagement.WriteTokens;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;

/** Passwords of block tokens of update sessions, by what the tokens say. Stateless, thread-safe. */
final class TokenPasswords {
  private TokenPasswords() {}

  /**
   * The password that the NameNode has given out with an identifier, if it is good now. That the
   * client has it is not known.
   *
   * @param keys of all block pools of the DataNode
   * @param identifier of any content
   * @throws AccessRefusedException if it is no token of an update session, of another block pool,
   *     expired, or made with a key that is not good any more
   */
  static Bytes of(SecretManager<BlockTokenIdentifier> keys, String blockPool, Bytes identifier)
      throws AccessRefusedException {
    BlockTokenIdentifier parsed;
    try {
      parsed = WriteTokens.parse(identifier.toArray());
    } catch (IOException | RuntimeException e) {
      throw new AccessRefusedException("Cannot authorize: it is no block token");
    }
    byte[] mark = parsed.getHandshakeMsg();
    if (mark == null || UnitTerms.ofMark(mark).isEmpty()) {
      throw new AccessRefusedException("Cannot authorize: it is no token of an update session");
    }
    if (!blockPool.equals(parsed.getBlockPoolId())) {
      throw new AccessRefusedException(
          "Cannot authorize: the token is of another block pool, expected " + blockPool);
    }
    try {
      return Bytes.wrap(keys.retrievePassword(parsed));
    } catch (InvalidToken e) {
      throw new AccessRefusedException("Cannot authorize: " + Printable.of(e.getMessage()));
    }
  }
}
