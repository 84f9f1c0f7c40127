/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.update.TokenIdentifierBounds;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.wire.message.RangeRequest;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;

/**
 * Lets those read a range that could read the block in plain: by a block token with access READ,
 * where the cluster has block tokens. Elsewhere a DataNode believes whoever reaches it, as HDFS
 * does. Immutable, thread-safe.
 */
record RangeAccess(DataNode datanode) implements RangeService.Access {
  @Override
  public Optional<String> check(RangeRequest request) throws InvalidToken {
    String blockPoolId = request.block().getBlockPoolId();
    boolean hasTokens;
    try {
      hasTokens =
          datanode.getDNRegistrationForBP(blockPoolId).getExportedKeys().isBlockTokenEnabled();
    } catch (IOException e) {
      throw refused(request, e.getMessage());
    }
    if (!hasTokens) {
      return Optional.empty();
    }
    try {
      TokenIdentifierBounds.check(request.token().getIdentifier());
      datanode
          .getBlockPoolTokenSecretManager()
          .checkAccess(
              request.token(),
              null,
              request.block(),
              BlockTokenIdentifier.AccessMode.READ,
              null,
              null);
      // HDFS names a user in each token, though the format does not ask for one.
      return Optional.of(
          Objects.requireNonNullElse(request.token().decodeIdentifier().getUserId(), ""));
    } catch (InvalidToken e) {
      throw refused(request, e.getMessage());
    } catch (IOException | RuntimeException e) {
      // Bytes that are no token are read as one.
      throw refused(request, e);
    }
  }

  private static InvalidToken refused(RangeRequest request, Object why) {
    return new InvalidToken(
        ErrorMessage.to("decode a range of a lost block")
            .value("block token", why)
            .expected("one of the NameNode with access READ to the block")
            .where("block", request.block())
            .message());
  }
}
