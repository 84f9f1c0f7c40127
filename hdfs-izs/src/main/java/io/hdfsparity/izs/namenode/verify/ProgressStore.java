/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.verify;

import io.hdfsparity.izs.verify.ProgressFormat;
import io.hdfsparity.izs.verify.VerifyProgress;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/**
 * Keeps progress in an extended attribute of the root directory, which is there always and which
 * nobody can rename or delete; only superusers see and set attributes of {@code trusted}. So it is
 * in the edit log, and the next active NameNode has it. Used by one thread.
 */
final class ProgressStore {
  /** Name of the attribute. */
  static final String ATTRIBUTE = "trusted.parity.izs.verified";

  private static final String ROOT = "/";
  private static final int MAX_BYTES = 1 << 15;

  private final NameNode nameNode;
  private final String owner;
  private final int maxBytes;

  /**
   * @param owner block pool
   */
  ProgressStore(NameNode nameNode, String owner) {
    this.nameNode = nameNode;
    this.owner = owner;
    int limit =
        nameNode
            .getConf()
            .getInt(
                DFSConfigKeys.DFS_NAMENODE_MAX_XATTR_SIZE_KEY,
                DFSConfigKeys.DFS_NAMENODE_MAX_XATTR_SIZE_DEFAULT);
    // HDFS counts the name, too.
    maxBytes = Math.min(MAX_BYTES, limit) - ATTRIBUTE.length();
  }

  /**
   * Reads what was saved last.
   *
   * @return empty: nothing was
   * @throws IOException when it cannot be understood; it is left as it is
   */
  Optional<VerifyProgress> load() throws IOException {
    for (XAttr each : nameNode.getRpcServer().getXAttrs(ROOT, /* xAttrs= */ List.of())) {
      byte[] value = each.getValue();
      if (XAttrHelper.getPrefixedName(each).equals(ATTRIBUTE) && value != null) {
        return Optional.of(ProgressFormat.decode(value, owner, "xattr " + ATTRIBUTE + " of /"));
      }
    }
    return Optional.empty();
  }

  /** Saves; durable when it returns. */
  void save(VerifyProgress progress) throws IOException {
    byte[] value = ProgressFormat.encode(progress, owner, maxBytes);
    nameNode
        .getRpcServer()
        .setXAttr(
            ROOT,
            XAttrHelper.buildXAttr(ATTRIBUTE, value),
            EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
  }
}
