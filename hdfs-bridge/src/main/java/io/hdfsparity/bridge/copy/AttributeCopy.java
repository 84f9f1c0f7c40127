/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.copy;

import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.AclUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;

/**
 * Makes a copy look like its source: owner, group, mode, ACL, extended attributes, storage policy,
 * times. May be done again when the source's have changed. Whether it came out right is checked by
 * the NameNode when it swaps, but for the access time. Each call is several operations of the
 * NameNode; one that fails leaves the copy in between. Immutable, as thread-safe as the file
 * system.
 */
public final class AttributeCopy {
  private final DistributedFileSystem fs;
  private final Set<String> ownXattrs;

  /**
   * @param ownXattrs names of the extended attributes, with their namespace, that source and copy
   *     each have of their own: neither copied nor removed
   */
  public AttributeCopy(DistributedFileSystem fs, Set<String> ownXattrs) {
    this.fs = fs;
    this.ownXattrs = Set.copyOf(ownXattrs);
  }

  /**
   * What a copy gets that is not read from the source when it is dressed.
   *
   * @param storagePolicyId set on the source itself; 0: none
   * @param wasPlaced the copy was created with a storage policy, which is taken from it again where
   *     none is set on the source
   * @param modifiedMs of the source
   * @param accessedMs of the source before it was read; -1: the copy's stays
   */
  public record TargetAttributes(
      int storagePolicyId, boolean wasPlaced, long modifiedMs, long accessedMs) {}

  /**
   * All of it.
   *
   * @throws IOException naming an operation that failed, or a policy that the NameNode does not
   *     list
   */
  public void apply(Path source, Path copy, TargetAttributes wanted) throws IOException {
    owners(source, copy);
    xattrs(source, copy);
    if (wanted.storagePolicyId() != 0) {
      fs.setStoragePolicy(copy, policy(wanted.storagePolicyId()));
    } else if (wanted.wasPlaced()) {
      fs.unsetStoragePolicy(copy);
    }
    fs.setTimes(copy, wanted.modifiedMs(), wanted.accessedMs());
  }

  /** Owner, group, mode and ACL only: who may do what with it. */
  public void owners(Path source, Path copy) throws IOException {
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

  /**
   * Name of a storage policy.
   *
   * @throws IOException when the NameNode does not list it
   */
  public String policy(int id) throws IOException {
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
    wanted.keySet().removeAll(ownXattrs);
    there.keySet().removeAll(ownXattrs);
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
