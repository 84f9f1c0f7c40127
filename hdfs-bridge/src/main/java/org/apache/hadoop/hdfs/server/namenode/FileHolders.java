/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.bridge.hold.FileHold;
import io.hdfsparity.bridge.hold.FileHolder;
import io.hdfsparity.bridge.status.HadoopLine;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;

/**
 * Asks the plugins of a NameNode that can hold files. Features do not know each other, and there is
 * no state of ours that they could share: the list of plugins is the NameNode's own. It also has
 * those that could not start, so that what they would hold is not taken for free.
 *
 * <p>Reaches: NameNode.plugins, private, by reflection. It is set before the first plugin is
 * started. Checked for Hadoop 3.5.0. Thread-safe.
 */
final class FileHolders {
  private static final String FIELD = "plugins";

  private final NameNode nameNode;
  private final Field plugins;

  /**
   * @throws IllegalStateException when this Hadoop is another one
   */
  FileHolders(NameNode nameNode) {
    this.nameNode = nameNode;
    try {
      plugins = NameNode.class.getDeclaredField(FIELD);
      plugins.setAccessible(true);
    } catch (NoSuchFieldException | RuntimeException e) {
      throw new IllegalStateException(
          "Cannot find the plugins of the NameNode: field="
              + FIELD
              + ", expected a list in "
              + NameNode.class.getName()
              + " as in Hadoop "
              + HadoopLine.current().versions(),
          e);
    }
  }

  /** The first hold on a file; the caller holds the namesystem's lock. */
  Optional<FileHold> holdOn(INodeFile file) {
    Names names = new Names(nameNode.getNamesystem(), file.getId());
    for (Object plugin : all()) {
      if (plugin instanceof FileHolder holder) {
        Optional<FileHold> hold = holder.holdOn(file.getId(), names);
        if (hold.isPresent()) {
          return hold;
        }
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

  private List<?> all() {
    try {
      return (List<?>) plugins.get(nameNode);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Cannot read " + plugins, e);
    }
  }
}
