/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode;

import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.bridge.swap.SwapPoints;
import io.hdfsparity.izs.apply.Inspection;
import io.hdfsparity.izs.apply.MoveRefusal;
import io.hdfsparity.izs.apply.SwapAnswer;
import io.hdfsparity.izs.apply.SwapRules;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.hdfs.server.namenode.FileSwap;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.StandbyException;

/**
 * Swaps files for verified copies. Thread-safe.
 *
 * <p><b>Crash</b>: see {@link FileSwap}; a swap is one operation of the log. What is answered is
 * durable, also when it was done by an earlier call whose answer was lost.
 */
final class SwapCalls {
  private final NameNode nameNode;
  private final FileSwap files;

  SwapCalls(NameNode nameNode, SwapPoints points) {
    this.nameNode = nameNode;
    this.files = new FileSwap(nameNode, points);
  }

  Inspection inspect(String path) throws IOException {
    requireActive();
    return Inspection.of(files.describe(path));
  }

  SwapAnswer swap(FileIdentity source, FileIdentity copy) throws IOException {
    requireActive();
    SwapRules rules = new SwapRules(source, copy);
    try {
      files.swap(source.path(), copy.path(), rules);
      return rules.answer();
    } catch (FileNotFoundException e) {
      return isDone(source, copy)
          ? SwapAnswer.SWAPPED
          : SwapAnswer.refused(
              MoveRefusal.CHANGED.because(
                  "found", String.valueOf(e.getMessage()), "file and copy", source.path()));
    } catch (QuotaExceededException e) {
      return SwapAnswer.refused(
          MoveRefusal.QUOTA.because(
              "quota", String.valueOf(e.getMessage()), "room for the copy", source.path()));
    }
  }

  /** Whether the path leads to the copy already. */
  private boolean isDone(FileIdentity source, FileIdentity copy) throws IOException {
    FileIdentity now;
    try {
      now = FileIdentity.of(files.describe(source.path()));
    } catch (FileNotFoundException e) {
      return false;
    }
    if (now.inodeId() != copy.inodeId()) {
      return false;
    }
    // Another call may have done it and still wait for the log.
    files.sync();
    return true;
  }

  private void requireActive() throws StandbyException {
    if (!nameNode.isActiveState()) {
      throw new StandbyException("Cannot swap files: state=" + nameNode.getState());
    }
  }
}
