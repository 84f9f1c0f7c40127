/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.guard.CallerAbilities;
import io.hdfsparity.bridge.guard.ClientRefusedException;
import io.hdfsparity.bridge.guard.GuardRule;
import io.hdfsparity.bridge.guard.OrderMark;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BatchedDirectoryListing;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsPartialListing;
import org.apache.hadoop.hdfs.protocol.LastBlockWithStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.namenode.GuardedFiles.Found;
import org.apache.hadoop.hdfs.server.namenode.GuardedFiles.Order;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.io.erasurecode.ErasureCodeConstants;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * The calls of clients that are not passed on as they come.
 *
 * <p><b>Codecs.</b> Parity is computed by the client. Java's looks the codec up by the name that
 * the NameNode tells, and fails itself if it has none; its lease holders begin with {@value
 * #JAVA_HOLDER}. Others write Reed-Solomon parity whatever the codec is, so they are refused what
 * leads to a block group of another codec, unless they state that they compute it.
 *
 * <p><b>Replicas only.</b> A client that knows no block groups writes the same replica to every
 * DataNode of one. Its user learns that when the file is to be closed, and nobody can read what is
 * left. So those that are known for it ({@code dfs.parity.namenode.replicas-only.clients}) are
 * refused erasure-coded files at once.
 *
 * <p><b>Orders.</b> Where the cells of a file are stored in another order, its locations are given
 * only to those who state that they know of that. They are judged by the inode of the blocks that
 * Hadoop has answered with, so a swap of files between answer and judgement is seen. What changes
 * the length of such a file is refused to all: the order would not fit any more.
 *
 * <p><b>Listings</b> do not fail for one file. Its blocks keep offset and length, so that it can be
 * split, and lose their DataNodes; opening it fails. Superusers get them, for the Mover, which
 * reads no bytes.
 *
 * <p>Thread-safe.
 */
final class GuardedClientProtocol extends ForwardingClientProtocol {
  /** As DFSClient names itself. */
  static final String JAVA_HOLDER = "DFSClient_";

  /** Characters of a client's name that are remembered: it chooses that, as long as it wants. */
  private static final int MAX_NOTED_NAME = 256;

  private static final Set<String> HADOOPS_CODECS =
      Set.of(
          ErasureCodeConstants.RS_CODEC_NAME,
          ErasureCodeConstants.RS_LEGACY_CODEC_NAME,
          ErasureCodeConstants.XOR_CODEC_NAME,
          ErasureCodeConstants.REPLICATION_CODEC_NAME);

  /** How often a file is looked for that is replaced while it is. */
  private static final int ATTEMPTS = 5;

  private final FSNamesystem namesystem;
  private final ClientGuard guard;
  private final GuardedFiles files;

  GuardedClientProtocol(ClientProtocol next, FSNamesystem namesystem, ClientGuard guard) {
    super(next);
    this.namesystem = namesystem;
    this.guard = guard;
    this.files = new GuardedFiles(namesystem);
  }

  private static boolean knowsOrders() {
    return CallerAbilities.knowsOrders(CallerContext.getCurrent());
  }

  /** The mark that keeps a striped file from this caller; null: none does. */
  private @Nullable OrderMark markFor(@Nullable ErasureCodingPolicy policy) {
    OrderMark mark = policy == null ? null : guard.orderMark();
    return mark == null || knowsOrders() ? null : mark;
  }

  @Override
  public LocatedBlocks getBlockLocations(String src, long offset, long length) throws IOException {
    LocatedBlocks answer = super.getBlockLocations(src, offset, length);
    for (int attempt = 1; answer != null; attempt++) {
      requireWhole(answer, src);
      OrderMark mark = markFor(answer.getErasureCodingPolicy());
      if (mark == null || isReadable(files.of(answer, mark), mark, "open", src, attempt)) {
        return answer;
      }
      answer = super.getBlockLocations(src, offset, length);
    }
    return null;
  }

  @Override
  public HdfsLocatedFileStatus getLocatedFileInfo(String src, boolean needBlockToken)
      throws IOException {
    HdfsLocatedFileStatus answer = super.getLocatedFileInfo(src, needBlockToken);
    for (int attempt = 1; answer != null; attempt++) {
      requireWhole(answer.getLocatedBlocks(), src);
      OrderMark mark = markFor(answer.getErasureCodingPolicy());
      // Without tokens: the external storage policy satisfier, which moves blocks.
      if (mark == null
          || (!needBlockToken && files.isCallerSuperuser())
          || isReadable(files.of(answer.getFileId(), mark), mark, "open", src, attempt)) {
        return answer;
      }
      answer = super.getLocatedFileInfo(src, needBlockToken);
    }
    return null;
  }

  /**
   * A client asks a DataNode for the length of the last group of a file that is open, and is given
   * that of one unit.
   */
  private void requireWhole(@Nullable LocatedBlocks located, String src) throws IOException {
    if (located != null && located.isUnderConstruction() && files.isChangeInterrupted(located)) {
      throw new RetriableException(
          ErrorMessage.to("read a file")
              .value("levelChange", "interrupted")
              .expected(
                  "a NameNode out of safe mode for some seconds, which completes it; try again")
              .where("file", src)
              .message());
    }
  }

  /**
   * @return false if the file is gone, and is to be looked for again
   */
  private boolean isReadable(Found found, OrderMark mark, String call, String src, int attempt)
      throws IOException {
    if (found.order() == Order.STORED) {
      throw guard.refused(
          GuardRule.ORDER_READ,
          call,
          src,
          ErrorMessage.to("read a file")
              .value("order", "stored")
              .expected(
                  "a client that knows orders; use "
                      + mark.client()
                      + ", or run "
                      + mark.restoreCommand()
                      + " "
                      + found.path())
              .where("file", src)
              .message());
    }
    if (found.order() == Order.GONE && attempt == ATTEMPTS) {
      throw new IOException(
          ErrorMessage.to("locate a file")
              .value("attempts", ATTEMPTS)
              .expected("the path to lead to one file for a moment; open it again")
              .where("file", src)
              .message());
    }
    return found.order() == Order.OWN;
  }

  @Override
  public DirectoryListing getListing(String src, byte[] startAfter, boolean needLocation)
      throws IOException {
    DirectoryListing answer = super.getListing(src, startAfter, needLocation);
    OrderMark mark = needLocation ? guard.orderMark() : null;
    if (mark != null && answer != null && !knowsOrders()) {
      strip(answer.getPartialListing(), mark);
    }
    return answer;
  }

  @Override
  public BatchedDirectoryListing getBatchedListing(
      String[] srcs, byte[] startAfter, boolean needLocation) throws IOException {
    BatchedDirectoryListing answer = super.getBatchedListing(srcs, startAfter, needLocation);
    OrderMark mark = needLocation ? guard.orderMark() : null;
    if (mark != null && answer != null && !knowsOrders()) {
      HdfsPartialListing[] parts = answer.getListings();
      for (int i = 0; i < parts.length; i++) {
        List<HdfsFileStatus> entries = parts[i].getPartialListing();
        if (entries != null) {
          HdfsFileStatus[] stripped = entries.toArray(new HdfsFileStatus[0]);
          strip(stripped, mark);
          parts[i] = new HdfsPartialListing(parts[i].getParentIdx(), List.of(stripped));
        }
      }
    }
    return answer;
  }

  private void strip(HdfsFileStatus[] entries, OrderMark mark) throws IOException {
    BitSet unreadable = files.unreadable(entries, mark);
    if (unreadable.isEmpty() || files.isCallerSuperuser()) {
      return;
    }
    for (int i = unreadable.nextSetBit(0); i >= 0; i = unreadable.nextSetBit(i + 1)) {
      entries[i] = WithoutNodes.of((HdfsLocatedFileStatus) entries[i]);
      guard.noted(GuardRule.LISTING, entries[i].getLocalName());
    }
  }

  /** Writes by clients that would not write what the code of the file is. */
  private void requireCodec(
      @Nullable ErasureCodingPolicy policy, String holder, String call, String src)
      throws IOException {
    if (policy == null
        || holder.startsWith(JAVA_HOLDER)
        || CallerAbilities.isStated(
            CallerContext.getCurrent(), CallerAbilities.codec(policy.getCodecName()))) {
      return;
    }
    if (!HADOOPS_CODECS.contains(policy.getCodecName())) {
      throw refusedWriter(
          GuardRule.CODEC,
          policy,
          holder,
          call,
          src,
          "a client that computes codec "
              + policy.getCodecName()
              + ": Hadoop's Java client with the suite's jars; or write into a directory with"
              + " another policy");
    }
    if (guard.writesReplicasOnly(holder)) {
      throw refusedWriter(
          GuardRule.REPLICAS_ONLY,
          policy,
          holder,
          call,
          src,
          "a client that writes erasure-coded files, as Hadoop's Java client; or write into a"
              + " directory without erasure coding; see "
              + SuiteKey.REPLICAS_ONLY_CLIENTS.key());
    }
  }

  private ClientRefusedException refusedWriter(
      GuardRule rule,
      ErasureCodingPolicy policy,
      String holder,
      String call,
      String src,
      String expected)
      throws IOException {
    return guard.refused(
        rule,
        call,
        src,
        ErrorMessage.to("write a file")
            .value("client", holder)
            .value("policy", policy.getName())
            .expected(expected)
            .where("file", src)
            .message());
  }

  private void requireOwnOrder(Found found, GuardRule rule, String call, String src)
      throws IOException {
    OrderMark mark = guard.orderMark();
    if (found.order() == Order.STORED && mark != null) {
      throw guard.refused(
          rule,
          call,
          src,
          ErrorMessage.to(call + " a file")
              .value("order", "stored")
              .expected(
                  "a file in its own order; run " + mark.restoreCommand() + " " + found.path())
              .where("file", src)
              .message());
    }
  }

  private void requireActive() throws IOException {
    // A standby must answer that it is one, and not by what it has heard so far.
    namesystem.checkOperation(NameNode.OperationCategory.WRITE);
  }

  @Override
  public HdfsFileStatus create(
      String src,
      FsPermission masked,
      String clientName,
      EnumSetWritable<CreateFlag> flag,
      boolean createParent,
      short replication,
      long blockSize,
      CryptoProtocolVersion[] supportedVersions,
      String ecPolicyName,
      String storagePolicy)
      throws IOException {
    if (!clientName.startsWith(JAVA_HOLDER)) {
      requireActive();
      Optional<ErasureCodingPolicy> policy = files.ofNew(src, flag.get(), ecPolicyName);
      requireCodec(policy.orElse(null), clientName, "create", src);
    }
    return super.create(
        src,
        masked,
        clientName,
        flag,
        createParent,
        replication,
        blockSize,
        supportedVersions,
        ecPolicyName,
        storagePolicy);
  }

  @Override
  public LastBlockWithStatus append(String src, String clientName, EnumSetWritable<CreateFlag> flag)
      throws IOException {
    requireActive();
    Found found = files.at(src, guard.orderMark());
    requireOwnOrder(found, GuardRule.ORDER_CHANGE, "append", src);
    requireCodec(found.policy(), clientName, "append", src);
    return super.append(src, clientName, flag);
  }

  /**
   * Holds what create and append have judged by path, whatever has happened to the path since. A
   * Java client of a replicated file is not asked for anything.
   */
  @Override
  public LocatedBlock addBlock(
      String src,
      String clientName,
      ExtendedBlock previous,
      DatanodeInfo[] excludeNodes,
      long fileId,
      String[] favoredNodes,
      EnumSet<AddBlockFlag> addBlockFlags)
      throws IOException {
    boolean isJava = clientName.startsWith(JAVA_HOLDER);
    if (!isJava) {
      requireActive();
      requireWritable(src, clientName, fileId);
    }
    LocatedBlock added =
        super.addBlock(
            src, clientName, previous, excludeNodes, fileId, favoredNodes, addBlockFlags);
    if (added != null && added.isStriped()) {
      if (isJava && guard.orderMark() != null) {
        requireWritable(src, clientName, fileId);
      }
      guard.writers().put(added.getBlock().getBlockId(), writer(clientName));
    }
    return added;
  }

  /** For the log, should what it writes turn out to be wrong. */
  private static String writer(String clientName) {
    UserGroupInformation user = Server.getRemoteUser();
    return clientName.substring(0, Math.min(clientName.length(), MAX_NOTED_NAME))
        + " of "
        + (user == null ? "unknown" : user.getShortUserName())
        + "@"
        + Server.getRemoteAddress();
  }

  private void requireWritable(String src, String clientName, long fileId) throws IOException {
    Found found = files.written(src, fileId, guard.orderMark());
    requireOwnOrder(found, GuardRule.ORDER_CHANGE, "append", src);
    requireCodec(found.policy(), clientName, "addBlock", src);
  }

  @Override
  public boolean truncate(String src, long newLength, String clientName) throws IOException {
    requireActive();
    requireOwnOrder(files.at(src, guard.orderMark()), GuardRule.ORDER_CHANGE, "truncate", src);
    return super.truncate(src, newLength, clientName);
  }

  /**
   * Judges and does it under one hold of the lock: afterwards nobody can tell which bytes are
   * whose. Hadoop's log is then synced under the lock, too, unless edits are logged asynchronously,
   * as they are by default.
   */
  @Override
  public void concat(String trg, String[] srcs) throws IOException {
    if (guard.orderMark() == null) {
      super.concat(trg, srcs);
      return;
    }
    requireActive();
    List<String> all = new ArrayList<>(List.of(srcs));
    all.add(trg);
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      Set<String> seen = new HashSet<>();
      for (String each : all) {
        Found found = files.at(each, guard.orderMark());
        requireOwnOrder(found, GuardRule.ORDER_CHANGE, "concat", each);
        if (found.order() == Order.GONE || !seen.add(each)) {
          break; // Hadoop refuses it: no more of a list that callers make is looked at
        }
      }
      super.concat(trg, srcs);
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, "concat");
    }
  }

  @Override
  public void enableErasureCodingPolicy(String ecPolicyName) throws IOException {
    // All others are refused by Hadoop, unless it looks at no permissions.
    if (!namesystem.isPermissionEnabled() || files.isCallerSuperuser()) {
      requireConditions(ecPolicyName, "enableErasureCodingPolicy", ecPolicyName);
    }
    super.enableErasureCodingPolicy(ecPolicyName);
  }

  @Override
  public void setErasureCodingPolicy(String src, String ecPolicyName) throws IOException {
    requireConditions(
        ecPolicyName == null ? guard.defaultPolicy() : ecPolicyName, "setErasureCodingPolicy", src);
    super.setErasureCodingPolicy(src, ecPolicyName);
  }

  private void requireConditions(String name, String call, String src) throws IOException {
    ErasureCodingPolicy policy =
        namesystem.getErasureCodingPolicyManager().getErasureCodingPolicyByName(name);
    if (policy == null || HADOOPS_CODECS.contains(policy.getCodecName())) {
      return;
    }
    requireActive();
    guard.requireConditions(policy, call, src);
  }
}
