/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.BatchedRemoteIterator.BatchedEntries;
import org.apache.hadoop.fs.CacheFlag;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.inotify.EventBatchList;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.BatchedDirectoryListing;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveEntry;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolEntry;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.CorruptFileBlocks;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ECBlockGroupStats;
import org.apache.hadoop.hdfs.protocol.ECTopologyVerifierResult;
import org.apache.hadoop.hdfs.protocol.EncryptionZone;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicyInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.ReencryptAction;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LastBlockWithStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.OpenFileEntry;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator.OpenFilesType;
import org.apache.hadoop.hdfs.protocol.ReplicatedBlockStats;
import org.apache.hadoop.hdfs.protocol.RollingUpgradeInfo;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReportListing;
import org.apache.hadoop.hdfs.protocol.SnapshotStatus;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;
import org.apache.hadoop.hdfs.protocol.ZoneReencryptionStatus;
import org.apache.hadoop.hdfs.security.token.block.DataEncryptionKey;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;

/**
 * Passes every call on to another implementation, unchanged. Written out, one method a call, so
 * that the compiler finds what a new Hadoop adds, and no call costs an allocation. Thread-safe as
 * the other implementation.
 */
abstract class ForwardingClientProtocol implements ClientProtocol {
  private final ClientProtocol next;

  ForwardingClientProtocol(ClientProtocol next) {
    this.next = next;
  }

  @Override
  public LocatedBlocks getBlockLocations(String src, long offset, long length) throws IOException {
    return next.getBlockLocations(src, offset, length);
  }

  @Override
  public FsServerDefaults getServerDefaults() throws IOException {
    return next.getServerDefaults();
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
    return next.create(
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
    return next.append(src, clientName, flag);
  }

  @Override
  public boolean setReplication(String src, short replication) throws IOException {
    return next.setReplication(src, replication);
  }

  @Override
  public BlockStoragePolicy[] getStoragePolicies() throws IOException {
    return next.getStoragePolicies();
  }

  @Override
  public void setStoragePolicy(String src, String policyName) throws IOException {
    next.setStoragePolicy(src, policyName);
  }

  @Override
  public void unsetStoragePolicy(String src) throws IOException {
    next.unsetStoragePolicy(src);
  }

  @Override
  public BlockStoragePolicy getStoragePolicy(String path) throws IOException {
    return next.getStoragePolicy(path);
  }

  @Override
  public void setPermission(String src, FsPermission permission) throws IOException {
    next.setPermission(src, permission);
  }

  @Override
  public void setOwner(String src, String username, String groupname) throws IOException {
    next.setOwner(src, username, groupname);
  }

  @Override
  public void abandonBlock(ExtendedBlock b, long fileId, String src, String holder)
      throws IOException {
    next.abandonBlock(b, fileId, src, holder);
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
    return next.addBlock(
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
    return next.getAdditionalDatanode(
        src, fileId, blk, existings, existingStorageIDs, excludes, numAdditionalNodes, clientName);
  }

  @Override
  public boolean complete(String src, String clientName, ExtendedBlock last, long fileId)
      throws IOException {
    return next.complete(src, clientName, last, fileId);
  }

  @Override
  public void reportBadBlocks(LocatedBlock[] blocks) throws IOException {
    next.reportBadBlocks(blocks);
  }

  @Override
  public boolean rename(String src, String dst) throws IOException {
    return next.rename(src, dst);
  }

  @Override
  public void concat(String trg, String[] srcs) throws IOException {
    next.concat(trg, srcs);
  }

  @Override
  public void rename2(String src, String dst, Options.Rename... options) throws IOException {
    next.rename2(src, dst, options);
  }

  @Override
  public boolean truncate(String src, long newLength, String clientName) throws IOException {
    return next.truncate(src, newLength, clientName);
  }

  @Override
  public boolean delete(String src, boolean recursive) throws IOException {
    return next.delete(src, recursive);
  }

  @Override
  public boolean mkdirs(String src, FsPermission masked, boolean createParent) throws IOException {
    return next.mkdirs(src, masked, createParent);
  }

  @Override
  public DirectoryListing getListing(String src, byte[] startAfter, boolean needLocation)
      throws IOException {
    return next.getListing(src, startAfter, needLocation);
  }

  @Override
  public BatchedDirectoryListing getBatchedListing(
      String[] srcs, byte[] startAfter, boolean needLocation) throws IOException {
    return next.getBatchedListing(srcs, startAfter, needLocation);
  }

  @Override
  public SnapshottableDirectoryStatus[] getSnapshottableDirListing() throws IOException {
    return next.getSnapshottableDirListing();
  }

  @Override
  public SnapshotStatus[] getSnapshotListing(String snapshotRoot) throws IOException {
    return next.getSnapshotListing(snapshotRoot);
  }

  @Override
  public void renewLease(String clientName, List<String> namespaces) throws IOException {
    next.renewLease(clientName, namespaces);
  }

  @Override
  public boolean recoverLease(String src, String clientName) throws IOException {
    return next.recoverLease(src, clientName);
  }

  @Override
  public long[] getStats() throws IOException {
    return next.getStats();
  }

  @Override
  public ReplicatedBlockStats getReplicatedBlockStats() throws IOException {
    return next.getReplicatedBlockStats();
  }

  @Override
  public ECBlockGroupStats getECBlockGroupStats() throws IOException {
    return next.getECBlockGroupStats();
  }

  @Override
  public DatanodeInfo[] getDatanodeReport(HdfsConstants.DatanodeReportType type)
      throws IOException {
    return next.getDatanodeReport(type);
  }

  @Override
  public DatanodeStorageReport[] getDatanodeStorageReport(HdfsConstants.DatanodeReportType type)
      throws IOException {
    return next.getDatanodeStorageReport(type);
  }

  @Override
  public long getPreferredBlockSize(String filename) throws IOException {
    return next.getPreferredBlockSize(filename);
  }

  @Override
  public boolean setSafeMode(HdfsConstants.SafeModeAction action, boolean isChecked)
      throws IOException {
    return next.setSafeMode(action, isChecked);
  }

  @Override
  public boolean saveNamespace(long timeWindow, long txGap) throws IOException {
    return next.saveNamespace(timeWindow, txGap);
  }

  @Override
  public long rollEdits() throws IOException {
    return next.rollEdits();
  }

  @Override
  public boolean restoreFailedStorage(String arg) throws IOException {
    return next.restoreFailedStorage(arg);
  }

  @Override
  public void refreshNodes() throws IOException {
    next.refreshNodes();
  }

  @Override
  public void finalizeUpgrade() throws IOException {
    next.finalizeUpgrade();
  }

  @Override
  public boolean upgradeStatus() throws IOException {
    return next.upgradeStatus();
  }

  @Override
  public RollingUpgradeInfo rollingUpgrade(RollingUpgradeAction action) throws IOException {
    return next.rollingUpgrade(action);
  }

  @Override
  public CorruptFileBlocks listCorruptFileBlocks(String path, String cookie) throws IOException {
    return next.listCorruptFileBlocks(path, cookie);
  }

  @Override
  public void metaSave(String filename) throws IOException {
    next.metaSave(filename);
  }

  @Override
  public void setBalancerBandwidth(long bandwidth) throws IOException {
    next.setBalancerBandwidth(bandwidth);
  }

  @Override
  public HdfsFileStatus getFileInfo(String src) throws IOException {
    return next.getFileInfo(src);
  }

  @Override
  public boolean isFileClosed(String src) throws IOException {
    return next.isFileClosed(src);
  }

  @Override
  public HdfsFileStatus getFileLinkInfo(String src) throws IOException {
    return next.getFileLinkInfo(src);
  }

  @Override
  public HdfsLocatedFileStatus getLocatedFileInfo(String src, boolean needBlockToken)
      throws IOException {
    return next.getLocatedFileInfo(src, needBlockToken);
  }

  @Override
  public ContentSummary getContentSummary(String path) throws IOException {
    return next.getContentSummary(path);
  }

  @Override
  public void setQuota(String path, long namespaceQuota, long storagespaceQuota, StorageType type)
      throws IOException {
    next.setQuota(path, namespaceQuota, storagespaceQuota, type);
  }

  @Override
  public void fsync(String src, long inodeId, String client, long lastBlockLength)
      throws IOException {
    next.fsync(src, inodeId, client, lastBlockLength);
  }

  @Override
  public void setTimes(String src, long mtime, long atime) throws IOException {
    next.setTimes(src, mtime, atime);
  }

  @Override
  public void createSymlink(String target, String link, FsPermission dirPerm, boolean createParent)
      throws IOException {
    next.createSymlink(target, link, dirPerm, createParent);
  }

  @Override
  public String getLinkTarget(String path) throws IOException {
    return next.getLinkTarget(path);
  }

  @Override
  public LocatedBlock updateBlockForPipeline(ExtendedBlock block, String clientName)
      throws IOException {
    return next.updateBlockForPipeline(block, clientName);
  }

  @Override
  public void updatePipeline(
      String clientName,
      ExtendedBlock oldBlock,
      ExtendedBlock newBlock,
      DatanodeID[] newNodes,
      String[] newStorageIDs)
      throws IOException {
    next.updatePipeline(clientName, oldBlock, newBlock, newNodes, newStorageIDs);
  }

  @Override
  public Token<DelegationTokenIdentifier> getDelegationToken(Text renewer) throws IOException {
    return next.getDelegationToken(renewer);
  }

  @Override
  public long renewDelegationToken(Token<DelegationTokenIdentifier> token) throws IOException {
    return next.renewDelegationToken(token);
  }

  @Override
  public void cancelDelegationToken(Token<DelegationTokenIdentifier> token) throws IOException {
    next.cancelDelegationToken(token);
  }

  @Override
  public DataEncryptionKey getDataEncryptionKey() throws IOException {
    return next.getDataEncryptionKey();
  }

  @Override
  public String createSnapshot(String snapshotRoot, String snapshotName) throws IOException {
    return next.createSnapshot(snapshotRoot, snapshotName);
  }

  @Override
  public void deleteSnapshot(String snapshotRoot, String snapshotName) throws IOException {
    next.deleteSnapshot(snapshotRoot, snapshotName);
  }

  @Override
  public void renameSnapshot(String snapshotRoot, String snapshotOldName, String snapshotNewName)
      throws IOException {
    next.renameSnapshot(snapshotRoot, snapshotOldName, snapshotNewName);
  }

  @Override
  public void allowSnapshot(String snapshotRoot) throws IOException {
    next.allowSnapshot(snapshotRoot);
  }

  @Override
  public void disallowSnapshot(String snapshotRoot) throws IOException {
    next.disallowSnapshot(snapshotRoot);
  }

  @Override
  public SnapshotDiffReport getSnapshotDiffReport(
      String snapshotRoot, String fromSnapshot, String toSnapshot) throws IOException {
    return next.getSnapshotDiffReport(snapshotRoot, fromSnapshot, toSnapshot);
  }

  @Override
  public SnapshotDiffReportListing getSnapshotDiffReportListing(
      String snapshotRoot, String fromSnapshot, String toSnapshot, byte[] startPath, int index)
      throws IOException {
    return next.getSnapshotDiffReportListing(
        snapshotRoot, fromSnapshot, toSnapshot, startPath, index);
  }

  @Override
  public long addCacheDirective(CacheDirectiveInfo directive, EnumSet<CacheFlag> flags)
      throws IOException {
    return next.addCacheDirective(directive, flags);
  }

  @Override
  public void modifyCacheDirective(CacheDirectiveInfo directive, EnumSet<CacheFlag> flags)
      throws IOException {
    next.modifyCacheDirective(directive, flags);
  }

  @Override
  public void removeCacheDirective(long id) throws IOException {
    next.removeCacheDirective(id);
  }

  @Override
  public BatchedEntries<CacheDirectiveEntry> listCacheDirectives(
      long prevId, CacheDirectiveInfo filter) throws IOException {
    return next.listCacheDirectives(prevId, filter);
  }

  @Override
  public void addCachePool(CachePoolInfo info) throws IOException {
    next.addCachePool(info);
  }

  @Override
  public void modifyCachePool(CachePoolInfo req) throws IOException {
    next.modifyCachePool(req);
  }

  @Override
  public void removeCachePool(String pool) throws IOException {
    next.removeCachePool(pool);
  }

  @Override
  public BatchedEntries<CachePoolEntry> listCachePools(String prevPool) throws IOException {
    return next.listCachePools(prevPool);
  }

  @Override
  public void modifyAclEntries(String src, List<AclEntry> aclSpec) throws IOException {
    next.modifyAclEntries(src, aclSpec);
  }

  @Override
  public void removeAclEntries(String src, List<AclEntry> aclSpec) throws IOException {
    next.removeAclEntries(src, aclSpec);
  }

  @Override
  public void removeDefaultAcl(String src) throws IOException {
    next.removeDefaultAcl(src);
  }

  @Override
  public void removeAcl(String src) throws IOException {
    next.removeAcl(src);
  }

  @Override
  public void setAcl(String src, List<AclEntry> aclSpec) throws IOException {
    next.setAcl(src, aclSpec);
  }

  @Override
  public AclStatus getAclStatus(String src) throws IOException {
    return next.getAclStatus(src);
  }

  @Override
  public void createEncryptionZone(String src, String keyName) throws IOException {
    next.createEncryptionZone(src, keyName);
  }

  @Override
  public EncryptionZone getEZForPath(String src) throws IOException {
    return next.getEZForPath(src);
  }

  @Override
  public BatchedEntries<EncryptionZone> listEncryptionZones(long prevId) throws IOException {
    return next.listEncryptionZones(prevId);
  }

  @Override
  public void reencryptEncryptionZone(String zone, ReencryptAction action) throws IOException {
    next.reencryptEncryptionZone(zone, action);
  }

  @Override
  public BatchedEntries<ZoneReencryptionStatus> listReencryptionStatus(long prevId)
      throws IOException {
    return next.listReencryptionStatus(prevId);
  }

  @Override
  public void setXAttr(String src, XAttr xAttr, EnumSet<XAttrSetFlag> flag) throws IOException {
    next.setXAttr(src, xAttr, flag);
  }

  @Override
  public List<XAttr> getXAttrs(String src, List<XAttr> xAttrs) throws IOException {
    return next.getXAttrs(src, xAttrs);
  }

  @Override
  public List<XAttr> listXAttrs(String src) throws IOException {
    return next.listXAttrs(src);
  }

  @Override
  public void removeXAttr(String src, XAttr xAttr) throws IOException {
    next.removeXAttr(src, xAttr);
  }

  @Override
  public void checkAccess(String path, FsAction mode) throws IOException {
    next.checkAccess(path, mode);
  }

  @Override
  public long getCurrentEditLogTxid() throws IOException {
    return next.getCurrentEditLogTxid();
  }

  @Override
  public EventBatchList getEditsFromTxid(long txid) throws IOException {
    return next.getEditsFromTxid(txid);
  }

  @Override
  public void setErasureCodingPolicy(String src, String ecPolicyName) throws IOException {
    next.setErasureCodingPolicy(src, ecPolicyName);
  }

  @Override
  public AddErasureCodingPolicyResponse[] addErasureCodingPolicies(ErasureCodingPolicy[] policies)
      throws IOException {
    return next.addErasureCodingPolicies(policies);
  }

  @Override
  public void removeErasureCodingPolicy(String ecPolicyName) throws IOException {
    next.removeErasureCodingPolicy(ecPolicyName);
  }

  @Override
  public void enableErasureCodingPolicy(String ecPolicyName) throws IOException {
    next.enableErasureCodingPolicy(ecPolicyName);
  }

  @Override
  public void disableErasureCodingPolicy(String ecPolicyName) throws IOException {
    next.disableErasureCodingPolicy(ecPolicyName);
  }

  @Override
  public ErasureCodingPolicyInfo[] getErasureCodingPolicies() throws IOException {
    return next.getErasureCodingPolicies();
  }

  @Override
  public Map<String, String> getErasureCodingCodecs() throws IOException {
    return next.getErasureCodingCodecs();
  }

  @Override
  public ErasureCodingPolicy getErasureCodingPolicy(String src) throws IOException {
    return next.getErasureCodingPolicy(src);
  }

  @Override
  public void unsetErasureCodingPolicy(String src) throws IOException {
    next.unsetErasureCodingPolicy(src);
  }

  @Override
  public ECTopologyVerifierResult getECTopologyResultForPolicies(String... policyNames)
      throws IOException {
    return next.getECTopologyResultForPolicies(policyNames);
  }

  @Override
  public QuotaUsage getQuotaUsage(String path) throws IOException {
    return next.getQuotaUsage(path);
  }

  @Override
  @Deprecated
  public BatchedEntries<OpenFileEntry> listOpenFiles(long prevId) throws IOException {
    return next.listOpenFiles(prevId);
  }

  @Override
  public BatchedEntries<OpenFileEntry> listOpenFiles(
      long prevId, EnumSet<OpenFilesType> openFilesTypes, String path) throws IOException {
    return next.listOpenFiles(prevId, openFilesTypes, path);
  }

  @Override
  public HAServiceProtocol.HAServiceState getHAServiceState() throws IOException {
    return next.getHAServiceState();
  }

  @Override
  public void msync() throws IOException {
    next.msync();
  }

  @Override
  public void satisfyStoragePolicy(String path) throws IOException {
    next.satisfyStoragePolicy(path);
  }

  @Override
  public DatanodeInfo[] getSlowDatanodeReport() throws IOException {
    return next.getSlowDatanodeReport();
  }

  @Override
  public Path getEnclosingRoot(String src) throws IOException {
    return next.getEnclosingRoot(src);
  }
}
