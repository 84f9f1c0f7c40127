/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.update.TokenIdentifierBounds;
import io.hdfsparity.bridge.update.UnitPlace;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.security.token.Token;

/**
 * Makes block tokens that let the caller of an RPC write internal blocks: what
 * BlockManager.setBlockToken makes for a striped block, but each for the one storage that holds the
 * unit, and with a mark of ours inside that cannot be forged or left out, since the token's
 * password covers it.
 *
 * <p>The mark is the identifier's handshake message. Hadoop itself fills it only with {@code
 * dfs.namenode.send.qop.enabled}, and reads it only in SASL handshakes of its own data transfer;
 * these tokens are for another port.
 *
 * <p>Reaches: BlockManager.getBlockTokenSecretManager, public for tests. Checked for Hadoop 3.5.0.
 * Thread-safe.
 */
public final class WriteTokens {
  private final BlockManager blocks;
  private final boolean protobuf;

  /**
   * A token, as {@link Token#getIdentifier} and {@link Token#getPassword} have it.
   *
   * @param expiresAtMs milliseconds since the epoch
   */
  public record Minted(Token<BlockTokenIdentifier> token, long expiresAtMs) {}

  public WriteTokens(BlockManager blocks, Configuration conf) {
    this.blocks = blocks;
    this.protobuf =
        conf.getBoolean(
            DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_PROTOBUF_ENABLE,
            DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_PROTOBUF_ENABLE_DEFAULT);
  }

  /** Pool of all blocks of this NameNode. */
  public String blockPool() {
    return blocks.getBlockPoolId();
  }

  /**
   * A token for the caller of the RPC that this thread serves.
   *
   * @param blockId of the internal block
   * @param mark to be found in the token again by {@link #markOf}
   * @return empty: this cluster has no block tokens
   */
  public Optional<Minted> mint(long blockId, UnitPlace place, byte[] mark) throws IOException {
    BlockTokenSecretManager secrets = blocks.getBlockTokenSecretManager();
    // Null where dfs.block.access.token.enable is off; BlockManager decides by that itself.
    if (secrets == null) {
      return Optional.empty();
    }
    BlockTokenIdentifier identifier =
        new BlockTokenIdentifier(
            NameNode.getRemoteUser().getShortUserName(),
            blocks.getBlockPoolId(),
            blockId,
            EnumSet.of(BlockTokenIdentifier.AccessMode.WRITE),
            new StorageType[] {StorageType.valueOf(place.storageType())},
            new String[] {place.storageId()},
            protobuf);
    identifier.setHandshakeMsg(mark.clone());
    // Making the password gives the identifier its expiry and the number of the key.
    Token<BlockTokenIdentifier> token = new Token<>(identifier, secrets);
    return Optional.of(new Minted(token, identifier.getExpiryDate()));
  }

  /**
   * The mark in a token; empty in tokens of HDFS. To be believed when the password was checked.
   *
   * @throws IOException when it is no block token
   */
  public static byte[] markOf(byte[] tokenIdentifier) throws IOException {
    byte[] mark = parse(tokenIdentifier).getHandshakeMsg();
    return mark == null ? new byte[0] : mark;
  }

  /**
   * The identifier that somebody has sent who may have proven nothing yet. Takes no more memory
   * than there are bytes.
   *
   * @throws IOException when it is no block token
   */
  public static BlockTokenIdentifier parse(byte[] tokenIdentifier) throws IOException {
    TokenIdentifierBounds.check(tokenIdentifier);
    BlockTokenIdentifier identifier = new BlockTokenIdentifier();
    identifier.readFields(new DataInputStream(new ByteArrayInputStream(tokenIdentifier)));
    return identifier;
  }
}
