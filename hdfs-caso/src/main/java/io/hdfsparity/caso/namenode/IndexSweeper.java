/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.namenode;

import io.hdfsparity.bridge.page.PageTable;
import io.hdfsparity.caso.fs.WorkFiles;
import io.hdfsparity.caso.layout.LayoutPointer;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.LiveInodes;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.StandbyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the indexes of files that are gone, and their copies, in the active NameNode.
 *
 * <p>A file is gone when its inode is: NameNodes keep the inodes of files that only a snapshot has,
 * and of those in the trash. An index is made after its inode and inodes are never used twice, so
 * an index without inode is nobody's for ever, at any moment after it was seen. Since an index that
 * is deleted cannot be replaced, two rounds must find its inode gone. What cannot be done now is
 * done in the next round, or by the next active NameNode.
 *
 * <p>Used by one thread.
 */
final class IndexSweeper implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(IndexSweeper.class);
  private static final Pattern INODE = Pattern.compile("[0-9]{1,18}");

  private final NameNode nameNode;
  private final LiveInodes inodes;
  private final String folder;
  private final GoneTwice gone = new GoneTwice();
  private volatile LayoutPage.Seen seen = LayoutPage.Seen.NOTHING;

  IndexSweeper(NameNode nameNode, String folder) {
    this.nameNode = nameNode;
    this.inodes = new LiveInodes(nameNode);
    this.folder = folder;
  }

  /** What the last round has seen. */
  LayoutPage.Seen seen() {
    return seen;
  }

  @Override
  public void run() {
    gone.begin();
    try {
      if (nameNode.isActiveState()) {
        sweep();
        gone.end();
      }
    } catch (StandbyException | SafeModeException e) {
      LOG.debug("Indexes of no file stay for now", e);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot delete indexes of no file in {}: trying again later", folder, e);
    }
  }

  private void sweep() throws IOException {
    for (String kind : new String[] {LayoutPointer.INDEXES, LayoutPointer.SPARES}) {
      String directory = folder + "/" + kind;
      Tally tally = new Tally();
      if (isOurs(directory)) {
        sweep(directory, tally);
      }
      if (kind.equals(LayoutPointer.INDEXES)) {
        seen = tally.seen();
      }
    }
  }

  /** What a round sees, by and by. */
  private static final class Tally {
    private final List<String> paths = new ArrayList<>();
    private int files;
    private long indexBytes;

    void add(String path, HdfsFileStatus index) {
      files++;
      indexBytes += index.getLen();
      if (paths.size() < PageTable.MAX_ROWS) {
        paths.add(path);
      }
    }

    LayoutPage.Seen seen() {
      return new LayoutPage.Seen(/* isDone= */ true, files, indexBytes, paths);
    }
  }

  /** A wrong setting must not lead to what users have made. */
  private boolean isOurs(String directory) throws IOException {
    try {
      return nameNode.getRpcServer().getXAttrs(directory, /* xAttrs= */ List.of()).stream()
          .anyMatch(each -> XAttrHelper.getPrefixedName(each).equals(WorkFiles.FOLDER_MARK));
    } catch (FileNotFoundException e) {
      LOG.debug("No file was organized yet", e);
      return false;
    }
  }

  private void sweep(String directory, Tally tally) throws IOException {
    byte[] after = HdfsFileStatus.EMPTY_NAME;
    DirectoryListing some;
    do {
      some = nameNode.getRpcServer().getListing(directory, after, /* needLocation= */ false);
      if (some == null || some.getPartialListing().length == 0) {
        break;
      }
      for (String path : nobodys(some, directory, tally)) {
        if (nameNode.getRpcServer().delete(path, /* recursive= */ false)) {
          LOG.info("Deleted an index whose file is gone: {}", path);
        }
      }
      after = some.getLastName();
    } while (some.hasMore());
  }

  private List<String> nobodys(DirectoryListing some, String directory, Tally tally) {
    Map<Long, HdfsFileStatus> indexes = new LinkedHashMap<>();
    for (HdfsFileStatus each : some.getPartialListing()) {
      String name = DFSUtil.bytes2String(each.getLocalNameInBytes());
      if (!each.isDirectory() && INODE.matcher(name).matches()) {
        indexes.put(Long.parseLong(name), each);
      }
    }
    Map<Long, String> files = inodes.paths(indexes.keySet());
    List<String> paths = new ArrayList<>();
    indexes.forEach(
        (inodeId, index) -> {
          String file = files.get(inodeId);
          if (file != null) {
            tally.add(file, index);
            return;
          }
          String path = directory + "/" + DFSUtil.bytes2String(index.getLocalNameInBytes());
          if (gone.isAgain(path)) {
            paths.add(path);
          }
        });
    return paths;
  }
}
