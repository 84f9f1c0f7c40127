/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.check.Printable;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.CodeTable;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.channel.AccessRefusedException;
import io.hdfsparity.ecupdate.channel.ChannelAccess;
import io.hdfsparity.ecupdate.channel.ChannelError;
import io.hdfsparity.ecupdate.protocol.ChannelToken;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.UnitTerms;
import io.hdfsparity.ecupdate.protocol.WriteToken;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.blockmanagement.WriteTokens;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;

/**
 * Who may update which replica: a connection is for one replica of one session, named by the mark
 * in a block token with access WRITE, and the replica is admitted to updates as the mark describes
 * it before the connection is admitted. Thread-safe.
 *
 * <p>Where the cluster has no block tokens the mark comes by itself, and nothing proves it: such a
 * DataNode believes whoever reaches it, as HDFS does.
 */
final class SessionAccess implements ChannelAccess {
  private static final long LIVE_WAIT_MS = 3000;
  private static final Text KIND = new Text("HDFS_BLOCK_TOKEN");

  private final DataNode datanode;
  private final UpdateReplicas replicas;
  private final NodeSessions sessions;
  private final KnownCodes codes;
  private final Admissions admissions;
  private final boolean isProtectionRequired;

  /** Of one replica. */
  record ReplicaGrant(
      LiveUnits sessions,
      UpdateReplicas replicas,
      SessionId session,
      String user,
      ReplicaKey replica,
      ReplicaDescriptor descriptor)
      implements Grant {
    @Override
    public String owner() {
      return session + " " + user;
    }

    /** Where there are no block tokens nobody is known, and each session counts for itself. */
    @Override
    public String user() {
      return user.isEmpty() ? session.toString() : user;
    }

    @Override
    public boolean ownsClient(long client) {
      return session.isClient(client);
    }

    @Override
    public boolean permits(ReplicaKey wanted, Use use) {
      return wanted.equals(replica)
          && sessions.isLive(session, replica.blockId())
          && replicas.isInside(replica.blockId(), session);
    }

    @Override
    public boolean isOf(long wanted) {
      return session.value() == wanted;
    }
  }

  /**
   * Of a DataNode.
   *
   * @param isProtectionRequired whether connections in clear are refused
   */
  SessionAccess(
      DataNode datanode,
      UpdateReplicas replicas,
      NodeSessions sessions,
      Admissions admissions,
      boolean isProtectionRequired) {
    this.admissions = admissions;
    this.isProtectionRequired = isProtectionRequired;
    this.datanode = datanode;
    this.codes = new KnownCodes(datanode.getConf());
    this.replicas = replicas;
    this.sessions = sessions;
  }

  @Override
  public boolean isProtectionRequired() {
    return isProtectionRequired;
  }

  @Override
  public Bytes secret(Bytes name) throws IOException {
    if (!isTokenEnabled(datanode, replicas.blockPool())) {
      throw new AccessRefusedException(
          "Cannot protect the connection: dfs.block.access.token.enable=false, expected true");
    }
    return TokenPasswords.of(datanode.getBlockPoolTokenSecretManager(), replicas.blockPool(), name);
  }

  /** Whether the DataNode can tell a token from a forged one. */
  static boolean isTokenEnabled(DataNode datanode, String blockPool) throws IOException {
    return datanode.getDNRegistrationForBP(blockPool).getExportedKeys().isBlockTokenEnabled();
  }

  /** All that is asked of a token in clear is asked of it again: it may have expired meanwhile. */
  @Override
  public Grant judgeProven(String blockPool, String client, Bytes bytes, Bytes name)
      throws IOException {
    WriteToken proven = new WriteToken(name, secret(name));
    ChannelToken token =
        ChannelToken.decode(bytes)
            .flatMap(sent -> sent.withPassword(proven))
            .orElseThrow(
                () ->
                    new AccessRefusedException(
                        "Cannot authorize: it is not the token by which the connection was"
                            + " protected, without its password"));
    return judge(blockPool, client, token.encode());
  }

  @Override
  public Grant judge(String blockPool, String client, Bytes bytes) throws IOException {
    ChannelToken token =
        ChannelToken.decode(bytes)
            .orElseThrow(() -> new AccessRefusedException("Cannot authorize: it is no token"));
    if (!blockPool.equals(replicas.blockPool())) {
      throw new AccessRefusedException(
          "Cannot authorize: blockPool=" + blockPool + ", expected " + replicas.blockPool());
    }
    boolean isProven = isTokenEnabled(datanode, blockPool);
    UnitTerms terms = terms(isProven, token);
    String user = isProven ? prove(blockPool, terms, token) : "";
    sessions.requireLive(terms.session(), terms.blockId(), LIVE_WAIT_MS);
    return new ReplicaGrant(
        sessions,
        replicas,
        terms.session(),
        user,
        new ReplicaKey(blockPool, terms.blockId()),
        described(terms, token.codeCrc()));
  }

  @Override
  public CompletableFuture<Void> admit(Grant judged) {
    ReplicaGrant grant = (ReplicaGrant) judged;
    long blockId = grant.replica().blockId();
    try {
      return admissions.admit(grant.user(), blockId, grant.session(), () -> admit(grant, blockId));
    } catch (IOException e) {
      return CompletableFuture.failedFuture(new AccessRefusedException(message(e)));
    }
  }

  private void admit(ReplicaGrant grant, long blockId) throws AccessRefusedException {
    if (!sessions.isLive(grant.session(), blockId)) {
      throw new AccessRefusedException(
          ErrorMessage.to("update a replica")
              .value("session", grant.session())
              .expected("one that has not ended while it waited for the disk")
              .where("block", blockId)
              .message());
    }
    try {
      replicas.admit(blockId, grant.descriptor(), grant.session());
    } catch (ReplicaRetiredException e) {
      throw new AccessRefusedException(ChannelError.RETIRED, message(e));
    } catch (IOException | IllegalArgumentException e) {
      // It is no fault of the token, but the client has to hear why, and may come again.
      throw new AccessRefusedException(message(e));
    }
  }

  private static String message(Exception e) {
    return String.valueOf(e.getMessage());
  }

  /** Not believed yet. */
  private static UnitTerms terms(boolean isProven, ChannelToken token) throws IOException {
    byte[] identifier = token.token().identifier().toArray();
    byte[] mark;
    try {
      mark = isProven ? WriteTokens.markOf(identifier) : identifier;
    } catch (IOException | RuntimeException e) {
      throw new AccessRefusedException("Cannot authorize: it is no block token");
    }
    return UnitTerms.ofMark(mark)
        .orElseThrow(
            () ->
                new AccessRefusedException(
                    "Cannot authorize: it is no token of an update session"));
  }

  /** Whose token it is. */
  private String prove(String blockPool, UnitTerms terms, ChannelToken sent) throws IOException {
    Token<BlockTokenIdentifier> token =
        new Token<>(
            sent.token().identifier().toArray(),
            sent.token().password().toArray(),
            KIND,
            new Text());
    ExtendedBlock block = new ExtendedBlock(blockPool, terms.blockId());
    String[] storage = {storageId(terms.blockId())};
    try {
      datanode
          .getBlockPoolTokenSecretManager()
          .checkAccess(token, null, block, BlockTokenIdentifier.AccessMode.WRITE, null, storage);
      return token.decodeIdentifier().getUserId();
    } catch (InvalidToken e) {
      throw new AccessRefusedException("Cannot authorize: " + Printable.of(e.getMessage()));
    }
  }

  private String storageId(long blockId) throws AccessRefusedException {
    try {
      return replicas.storageId(blockId);
    } catch (IOException e) {
      throw new AccessRefusedException(String.valueOf(e.getMessage()));
    }
  }

  private ReplicaDescriptor described(UnitTerms terms, int codeCrc) throws IOException {
    try {
      CodeTable code = codes.of(terms);
      if (code.crc() != codeCrc) {
        throw new AccessRefusedException(
            ErrorMessage.to("update a replica")
                .value("crc of the client's parity code", Integer.toHexString(codeCrc))
                .expected(
                    Integer.toHexString(code.crc())
                        + ": the same coder of codec "
                        + terms.code().codec()
                        + " on clients and DataNodes")
                .message());
      }
      return descriptor(terms, code);
    } catch (AccessRefusedException e) {
      throw e;
    } catch (IOException | IllegalArgumentException e) {
      throw new AccessRefusedException(message(e));
    }
  }

  private static ReplicaDescriptor descriptor(UnitTerms terms, CodeTable code) {
    long lengthBytes =
        StripedBlockUtil.getInternalBlockLength(
            terms.groupBytes(), terms.code().cellBytes(), terms.code().dataUnits(), terms.unit());
    try {
      return new ReplicaDescriptor(
          code,
          terms.unit(),
          terms.code().cellBytes(),
          Math.toIntExact(lengthBytes),
          Math.toIntExact(terms.stripes()),
          terms.generation(),
          terms.scheme());
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          ErrorMessage.to("update a replica")
              .value("lengthBytes", lengthBytes)
              .expected("<= " + Integer.MAX_VALUE)
              .message(),
          e);
    }
  }
}
