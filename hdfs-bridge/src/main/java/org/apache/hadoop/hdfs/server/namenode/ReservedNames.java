/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.bridge.guard.GuardRule;
import io.hdfsparity.bridge.guard.OrderMark;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LastBlockWithStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.EnumSetWritable;

/**
 * Keeps clients from names that have a meaning for the NameNode.
 *
 * <ul>
 *   <li>Lease holders that begin with {@value #HOLDERS}: a file that is open under such a name is
 *       one that a NameNode has begun to change ({@link InterruptedChanges}). Refused to all.
 *   <li>The attribute that says that a file is in stored order: without it, the stored order is
 *       read as the file's own. Who may write a file may change its attributes, so it is only for
 *       superusers, who run what changes orders.
 * </ul>
 *
 * <p>Neither answer tells whether there is such a file. Thread-safe.
 */
final class ReservedNames extends ForwardingClientProtocol {
  /** No client has a reason to take such a name. */
  static final String HOLDERS = "__hdfsparity";

  private final FSNamesystem namesystem;
  private final ClientGuard guard;

  ReservedNames(ClientProtocol next, FSNamesystem namesystem, ClientGuard guard) {
    super(next);
    this.namesystem = namesystem;
    this.guard = guard;
  }

  /**
   * @param what the file, or its block
   */
  private void requireUnreserved(String holder, String call, Object what) throws IOException {
    if (holder != null && holder.startsWith(HOLDERS)) {
      String src = String.valueOf(what);
      throw guard.refused(
          GuardRule.RESERVED,
          call,
          src,
          ErrorMessage.to("call " + call)
              .value("client", holder)
              .expected(
                  "a name that does not begin with "
                      + HOLDERS
                      + ", which is for NameNodes; give the client another name")
              .where("file", src)
              .message());
    }
  }

  private void requireMayMark(XAttr attribute, String call, String src) throws IOException {
    OrderMark mark = guard.orderMark();
    if (mark == null || !XAttrHelper.getPrefixedName(attribute).equals(mark.attribute())) {
      return;
    }
    // A standby must answer that it is one.
    namesystem.checkOperation(NameNode.OperationCategory.WRITE);
    // Without permissions Hadoop takes everybody for a superuser, and the commands do, too.
    if (namesystem.isPermissionEnabled() && !namesystem.getPermissionChecker().isSuperUser()) {
      throw guard.refused(
          GuardRule.RESERVED,
          call,
          src,
          ErrorMessage.to("change an extended attribute")
              .value("name", mark.attribute())
              .expected(
                  "a superuser: it says in which order the file is stored; copy files without"
                      + " extended attributes, or ask for "
                      + mark.restoreCommand()
                      + " FILE")
              .where("file", src)
              .message());
    }
  }

  @Override
  public void setXAttr(String src, XAttr xAttr, EnumSet<XAttrSetFlag> flag) throws IOException {
    requireMayMark(xAttr, "setXAttr", src);
    super.setXAttr(src, xAttr, flag);
  }

  @Override
  public void removeXAttr(String src, XAttr xAttr) throws IOException {
    requireMayMark(xAttr, "removeXAttr", src);
    super.removeXAttr(src, xAttr);
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
    requireUnreserved(clientName, "create", src);
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
    requireUnreserved(clientName, "append", src);
    return super.append(src, clientName, flag);
  }

  @Override
  public void abandonBlock(ExtendedBlock b, long fileId, String src, String holder)
      throws IOException {
    requireUnreserved(holder, "abandonBlock", src);
    super.abandonBlock(b, fileId, src, holder);
  }

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
    requireUnreserved(clientName, "addBlock", src);
    return super.addBlock(
        src, clientName, previous, excludeNodes, fileId, favoredNodes, addBlockFlags);
  }

  @Override
  public LocatedBlock getAdditionalDatanode(
      String src,
      long fileId,
      ExtendedBlock blk,
      DatanodeInfo[] existings,
      String[] existingStorageIDs,
      DatanodeInfo[] excludes,
      int numAdditionalNodes,
      String clientName)
      throws IOException {
    requireUnreserved(clientName, "getAdditionalDatanode", src);
    return super.getAdditionalDatanode(
        src, fileId, blk, existings, existingStorageIDs, excludes, numAdditionalNodes, clientName);
  }

  @Override
  public boolean complete(String src, String clientName, ExtendedBlock last, long fileId)
      throws IOException {
    requireUnreserved(clientName, "complete", src);
    return super.complete(src, clientName, last, fileId);
  }

  @Override
  public boolean truncate(String src, long newLength, String clientName) throws IOException {
    requireUnreserved(clientName, "truncate", src);
    return super.truncate(src, newLength, clientName);
  }

  @Override
  public void renewLease(String clientName, List<String> namespaces) throws IOException {
    requireUnreserved(clientName, "renewLease", "");
    super.renewLease(clientName, namespaces);
  }

  @Override
  public boolean recoverLease(String src, String clientName) throws IOException {
    requireUnreserved(clientName, "recoverLease", src);
    return super.recoverLease(src, clientName);
  }

  @Override
  public void fsync(String src, long inodeId, String client, long lastBlockLength)
      throws IOException {
    requireUnreserved(client, "fsync", src);
    super.fsync(src, inodeId, client, lastBlockLength);
  }

  @Override
  public LocatedBlock updateBlockForPipeline(ExtendedBlock block, String clientName)
      throws IOException {
    requireUnreserved(clientName, "updateBlockForPipeline", block);
    return super.updateBlockForPipeline(block, clientName);
  }

  @Override
  public void updatePipeline(
      String clientName,
      ExtendedBlock oldBlock,
      ExtendedBlock newBlock,
      DatanodeID[] newNodes,
      String[] newStorageIDs)
      throws IOException {
    requireUnreserved(clientName, "updatePipeline", oldBlock);
    super.updatePipeline(clientName, oldBlock, newBlock, newNodes, newStorageIDs);
  }
}
