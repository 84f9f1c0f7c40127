/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import io.hdfsparity.caso.layout.LayoutPointer;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.AclUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;

/**
 * Makes a copy look like its source: owner, group, mode, ACL, extended attributes but the pointer
 * to an index, storage policy, times. May be done again when the source's have changed. Whether it
 * came out right is checked by the NameNode when it swaps, but for the access time. Stateless.
 */
final class AttributeCopy {
  private final DistributedFileSystem fs;

  AttributeCopy(DistributedFileSystem fs) {
    this.fs = fs;
  }

  /**
   * @param storagePolicyId set on the source itself; 0: none
   * @param modifiedMs of the source
   * @param accessedMs of the source before it was read
   */
  void apply(Path source, Path copy, int storagePolicyId, long modifiedMs, long accessedMs)
      throws IOException {
    owners(source, copy);
    xattrs(source, copy);
    if (storagePolicyId != 0) {
      fs.setStoragePolicy(copy, policy(storagePolicyId));
    }
    fs.setTimes(copy, modifiedMs, accessedMs);
  }

  /** Who may do what with it: also for an index, which whoever reads the file has to read. */
  void owners(Path source, Path copy) throws IOException {
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
  }

  String policy(int id) throws IOException {
    for (BlockStoragePolicy each : fs.getClient().getStoragePolicies()) {
      if (each.getId() == id) {
        return each.getName();
      }
    }
    throw new IOException(
        "Cannot copy attributes: storagePolicyId=" + id + ", expected one that the NameNode lists");
  }

  private void xattrs(Path source, Path copy) throws IOException {
    Map<String, byte[]> wanted = new HashMap<>(fs.getXAttrs(source));
    Map<String, byte[]> there = new HashMap<>(fs.getXAttrs(copy));
    wanted.remove(LayoutPointer.XATTR);
    there.remove(LayoutPointer.XATTR);
    for (String name : there.keySet()) {
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
