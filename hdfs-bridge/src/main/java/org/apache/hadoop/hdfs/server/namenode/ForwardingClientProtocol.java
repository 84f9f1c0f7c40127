/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.BatchedRemoteIterator.BatchedEntries;
import org.apache.hadoop.fs.CacheFlag;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.ha.HAServiceProtocol;
import org.apache.hadoop.hdfs.inotify.EventBatchList;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveEntry;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolEntry;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ECBlockGroupStats;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.ReplicatedBlockStats;
import org.apache.hadoop.hdfs.protocol.RollingUpgradeInfo;
import org.apache.hadoop.hdfs.security.token.block.DataEncryptionKey;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;

/**
 * Forwards every call to another implementation, unchanged; this class itself the calls on the
 * cluster: nodes, administration, caches, tokens and the edit log. Written out, one method a call,
 * so that the compiler finds what a new Hadoop adds, and no call costs an allocation. Thread-safe
 * as the other implementation.
 */
abstract class ForwardingClientProtocol extends ForwardingAttributeCalls {
  ForwardingClientProtocol(ClientProtocol next) {
    super(next);
  }

  @Override
  public FsServerDefaults getServerDefaults() throws IOException {
    return next.getServerDefaults();
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
  public void metaSave(String filename) throws IOException {
    next.metaSave(filename);
  }

  @Override
  public void setBalancerBandwidth(long bandwidth) throws IOException {
    next.setBalancerBandwidth(bandwidth);
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
  public long getCurrentEditLogTxid() throws IOException {
    return next.getCurrentEditLogTxid();
  }

  @Override
  public EventBatchList getEditsFromTxid(long txid) throws IOException {
    return next.getEditsFromTxid(txid);
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
  public DatanodeInfo[] getSlowDatanodeReport() throws IOException {
    return next.getSlowDatanodeReport();
  }
}
