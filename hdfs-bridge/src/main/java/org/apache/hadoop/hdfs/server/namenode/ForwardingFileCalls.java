/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.BatchedRemoteIterator.BatchedEntries;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BatchedDirectoryListing;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.CorruptFileBlocks;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LastBlockWithStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.OpenFileEntry;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator.OpenFilesType;
import org.apache.hadoop.io.EnumSetWritable;

/**
 * Forwards the calls on files and directories: names, blocks, leases. First of the classes that
 * {@link ForwardingClientProtocol} consists of.
 */
abstract class ForwardingFileCalls implements ClientProtocol {
  final ClientProtocol next;

  ForwardingFileCalls(ClientProtocol next) {
    this.next = next;
  }

  @Override
  public LocatedBlocks getBlockLocations(String src, long offset, long length) throws IOException {
    return next.getBlockLocations(src, offset, length);
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
  public void renewLease(String clientName, List<String> namespaces) throws IOException {
    next.renewLease(clientName, namespaces);
  }

  @Override
  public boolean recoverLease(String src, String clientName) throws IOException {
    return next.recoverLease(src, clientName);
  }

  @Override
  public long getPreferredBlockSize(String filename) throws IOException {
    return next.getPreferredBlockSize(filename);
  }

  @Override
  public CorruptFileBlocks listCorruptFileBlocks(String path, String cookie) throws IOException {
    return next.listCorruptFileBlocks(path, cookie);
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
  public Path getEnclosingRoot(String src) throws IOException {
    return next.getEnclosingRoot(src);
  }
}
