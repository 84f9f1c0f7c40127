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
import org.apache.hadoop.fs.BatchedRemoteIterator.BatchedEntries;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.ECTopologyVerifierResult;
import org.apache.hadoop.hdfs.protocol.EncryptionZone;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicyInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.ReencryptAction;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReportListing;
import org.apache.hadoop.hdfs.protocol.SnapshotStatus;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;
import org.apache.hadoop.hdfs.protocol.ZoneReencryptionStatus;

/**
 * Forwards the calls on what files and directories have besides names and bytes: permissions, ACLs,
 * extended attributes, quotas, policies, encryption zones and snapshots. Part of {@link
 * ForwardingClientProtocol}.
 */
abstract class ForwardingAttributeCalls extends ForwardingFileCalls {
  ForwardingAttributeCalls(ClientProtocol next) {
    super(next);
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
  public SnapshottableDirectoryStatus[] getSnapshottableDirListing() throws IOException {
    return next.getSnapshottableDirListing();
  }

  @Override
  public SnapshotStatus[] getSnapshotListing(String snapshotRoot) throws IOException {
    return next.getSnapshotListing(snapshotRoot);
  }

  @Override
  public void setQuota(String path, long namespaceQuota, long storagespaceQuota, StorageType type)
      throws IOException {
    next.setQuota(path, namespaceQuota, storagespaceQuota, type);
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
  public void satisfyStoragePolicy(String path) throws IOException {
    next.satisfyStoragePolicy(path);
  }
}
