/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.transfer;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.AclUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Makes a copy look like its source: owner, group, mode, ACL, extended attributes, storage policy,
 * times. May be done again when the source's have changed. Whether it came out right is checked by
 * the NameNode when it swaps, but for the access time. For one file; not thread-safe.
 */
final class FileAttributeCopy {
  private final DistributedFileSystem fs;
  private long accessedMs = -1;
  private boolean placed;

  FileAttributeCopy(DistributedFileSystem fs) {
    this.fs = fs;
  }

  /** Keeps the access time that the file has before the move reads it. */
  void remember(HdfsFileStatus status) {
    accessedMs = status.getAccessTime();
  }

  /**
   * Name of the storage policy by which the blocks of the copy have to be placed; empty: that of
   * the directory in which it is written does it.
   */
  Optional<String> placement(HdfsFileStatus source, HdfsFileStatus directory) throws IOException {
    if (source.getStoragePolicy() == directory.getStoragePolicy()
        || source.getStoragePolicy() == HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED) {
      return Optional.empty();
    }
    placed = true;
    return Optional.of(policy(source.getStoragePolicy()).getName());
  }

  private BlockStoragePolicy policy(int id) throws IOException {
    for (BlockStoragePolicy each : fs.getClient().getStoragePolicies()) {
      if (each.getId() == id) {
        return each;
      }
    }
    throw new IOException(
        "Cannot place a copy: storagePolicyId=" + id + ", expected one that the NameNode lists");
  }

  void apply(Path source, Path copy, int storagePolicyId, long modifiedMs) throws IOException {
    FileStatus status = fs.getFileStatus(source);
    fs.setOwner(copy, status.getOwner(), status.getGroup());
    if (fs.getFileStatus(copy).hasAcl()) {
      fs.removeAcl(copy);
    }
    fs.setPermission(copy, status.getPermission());
    if (status.hasAcl()) {
      AclStatus acl = fs.getAclStatus(source);
      fs.setAcl(copy, AclUtil.getAclFromPermAndEntries(status.getPermission(), acl.getEntries()));
    }
    xattrs(source, copy);
    if (storagePolicyId != 0) {
      fs.setStoragePolicy(copy, policy(storagePolicyId).getName());
    } else if (placed) {
      fs.unsetStoragePolicy(copy);
    }
    fs.setTimes(copy, modifiedMs, accessedMs);
  }

  private void xattrs(Path source, Path copy) throws IOException {
    Map<String, byte[]> wanted = fs.getXAttrs(source);
    for (String name : fs.getXAttrs(copy).keySet()) {
      if (!wanted.containsKey(name)) {
        fs.removeXAttr(copy, name);
      }
    }
    for (Map.Entry<String, byte[]> each : wanted.entrySet()) {
      fs.setXAttr(
          copy,
          each.getKey(),
          each.getValue(),
          EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    }
  }
}
