/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockPoolTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.DataEncryptionKey;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;

/**
 * A DataNode's manager of block tokens, which remembers the token that the operation of a thread
 * has come with. DataXceiver checks it before it opens a replica, and does not hand it on. All else
 * is done by the manager that was there before.
 *
 * <p>DataNodes make the tokens for what they read of each other themselves, in their own name;
 * those of clients are made by the NameNode in theirs. So the token tells whether a reader without
 * a client's name is a DataNode, provided that all DataNodes run as the same (short) user.
 *
 * <p>Reaches DataNode.blockPoolTokenSecretManager, package-private, which is set before datasets
 * are made. DataXceiver.readBlock checks the token on the thread that opens the replica, at each
 * operation. Checked for Hadoop 3.5.0. Thread-safe.
 */
public final class BlockTokenUsers extends ForwardedBlockKeys {
  private static final ThreadLocal<Token<BlockTokenIdentifier>> CHECKED = new ThreadLocal<>();

  private BlockTokenUsers(BlockPoolTokenSecretManager own) {
    super(own);
  }

  /** From now on the tokens of a DataNode's operations are remembered; to be called before any. */
  public static void install(DataNode datanode) {
    BlockPoolTokenSecretManager there = datanode.blockPoolTokenSecretManager;
    if (!(there instanceof BlockTokenUsers)) {
      datanode.blockPoolTokenSecretManager = new BlockTokenUsers(there);
    }
  }

  /**
   * Refuses an operation that says it is a DataNode's, if its token is somebody else's. Where there
   * are no block tokens nobody proves who he is, and nobody is refused.
   *
   * @param blockId of the replica that is read
   * @throws IOException naming the token's user
   */
  public static void requireDataNode(long blockId) throws IOException {
    Token<BlockTokenIdentifier> token = CHECKED.get();
    if (token == null) {
      return;
    }
    String user = userOf(token);
    String expected = UserGroupInformation.getLoginUser().getShortUserName();
    if (!expected.equals(user)) {
      throw new IOException(
          ErrorMessage.to("read replica as a DataNode")
              .value("user of the block token", user)
              .expected(
                  expected
                      + ", as which this DataNode runs; clients give a client name, and all"
                      + " DataNodes run as one user")
              .where("block", blockId)
              .message());
    }
  }

  private static @Nullable String userOf(Token<BlockTokenIdentifier> token) throws IOException {
    BlockTokenIdentifier identifier = new BlockTokenIdentifier();
    try (DataInputStream in =
        new DataInputStream(new ByteArrayInputStream(token.getIdentifier()))) {
      identifier.readFields(in);
    }
    return identifier.getUserId();
  }

  @Override
  public void checkAccess(
      Token<BlockTokenIdentifier> token, String userId, ExtendedBlock block, AccessMode mode)
      throws InvalidToken {
    CHECKED.remove();
    own.checkAccess(token, userId, block, mode);
    CHECKED.set(token);
  }

  @Override
  public void checkAccess(
      Token<BlockTokenIdentifier> token,
      String userId,
      ExtendedBlock block,
      AccessMode mode,
      StorageType[] storageTypes,
      String[] storageIds)
      throws InvalidToken {
    CHECKED.remove();
    own.checkAccess(token, userId, block, mode, storageTypes, storageIds);
    CHECKED.set(token);
  }

  @Override
  public void checkAccess(
      BlockTokenIdentifier id,
      String userId,
      ExtendedBlock block,
      AccessMode mode,
      StorageType[] storageTypes,
      String[] storageIds)
      throws InvalidToken {
    own.checkAccess(id, userId, block, mode, storageTypes, storageIds);
  }

  @Override
  public void checkAccess(
      BlockTokenIdentifier id,
      String userId,
      ExtendedBlock block,
      AccessMode mode,
      StorageType[] storageTypes)
      throws InvalidToken {
    own.checkAccess(id, userId, block, mode, storageTypes);
  }

  @Override
  public void checkAccess(
      BlockTokenIdentifier id, String userId, ExtendedBlock block, AccessMode mode)
      throws InvalidToken {
    own.checkAccess(id, userId, block, mode);
  }

  @Override
  public void addBlockPool(String blockPool, BlockTokenSecretManager manager) {
    own.addBlockPool(blockPool, manager);
  }

  @Override
  public BlockTokenSecretManager get(String blockPool) {
    return own.get(blockPool);
  }

  @Override
  public boolean isBlockPoolRegistered(String blockPool) {
    return own.isBlockPoolRegistered(blockPool);
  }

  @Override
  public BlockTokenIdentifier createIdentifier() {
    return own.createIdentifier();
  }

  @Override
  public byte[] createPassword(BlockTokenIdentifier identifier) {
    return own.createPassword(identifier);
  }

  @Override
  public byte[] retrievePassword(BlockTokenIdentifier identifier) throws InvalidToken {
    return own.retrievePassword(identifier);
  }

  @Override
  public Token<BlockTokenIdentifier> generateToken(
      ExtendedBlock block,
      java.util.EnumSet<AccessMode> modes,
      StorageType[] storageTypes,
      String[] storageIds)
      throws IOException {
    return own.generateToken(block, modes, storageTypes, storageIds);
  }

  @Override
  public void clearAllKeysForTesting() {
    own.clearAllKeysForTesting();
  }

  @Override
  public DataEncryptionKey generateDataEncryptionKey(String blockPool) {
    return own.generateDataEncryptionKey(blockPool);
  }

  @Override
  public byte[] retrieveDataEncryptionKey(int keyId, String blockPool, byte[] nonce)
      throws IOException {
    return own.retrieveDataEncryptionKey(keyId, blockPool, nonce);
  }
}
