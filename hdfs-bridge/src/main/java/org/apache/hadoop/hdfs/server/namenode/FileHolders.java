/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.bridge.hold.FileHold;
import io.hdfsparity.bridge.hold.FileHolder;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;

/**
 * Asks the plugins of a NameNode that can hold files, those that could not start among them: what
 * they would hold is not taken for free. Thread-safe.
 */
final class FileHolders {
  private final NameNode nameNode;
  private final NameNodePlugins plugins;

  /**
   * @throws IllegalStateException when this Hadoop is another one
   */
  FileHolders(NameNode nameNode) {
    this.nameNode = nameNode;
    this.plugins = new NameNodePlugins(nameNode);
  }

  /** The first hold on a file; the caller holds the namesystem's lock. */
  Optional<FileHold> holdOn(INodeFile file) {
    Names names = new Names(nameNode.getNamesystem(), file.getId());
    for (FileHolder holder : plugins.of(FileHolder.class)) {
      Optional<FileHold> hold = holder.holdOn(file.getId(), names);
      if (hold.isPresent()) {
        return hold;
      }
    }
    return Optional.empty();
  }

  /** For who asks about the file of an inode. */
  private record Names(FSNamesystem namesystem, long ofInode) implements FileHolder.Namespace {
    @Override
    public boolean exists(long inodeId) {
      return namesystem.getFSDirectory().getInode(inodeId) != null;
    }

    @Override
    public boolean has(long groupId) {
      BlockInfo group = namesystem.getBlockManager().getStoredBlock(new Block(groupId));
      return group != null && group.getBlockCollectionId() == ofInode;
    }
  }
}
