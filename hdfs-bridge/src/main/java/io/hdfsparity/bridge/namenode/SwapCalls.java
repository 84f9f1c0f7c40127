/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.namenode;

import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.bridge.swap.Inspection;
import io.hdfsparity.bridge.swap.SwapAnswer;
import io.hdfsparity.bridge.swap.SwapCondition;
import io.hdfsparity.bridge.swap.SwapPoints;
import io.hdfsparity.bridge.swap.SwapProtocol;
import io.hdfsparity.bridge.swap.SwapRefusal;
import io.hdfsparity.bridge.swap.SwapRules;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.hdfs.server.namenode.FileSwap;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.StandbyException;

/**
 * Swaps files for verified copies, for a feature; {@link FileSwap} asks for a superuser.
 * Thread-safe.
 *
 * <p><b>Crash</b>: see {@link FileSwap}; a swap is one operation of the log. What is answered is
 * durable, also when it was done by an earlier call whose answer was lost.
 */
public final class SwapCalls implements SwapProtocol {
  private final NameNode nameNode;
  private final SwapCondition condition;
  private final FileSwap files;

  /**
   * @param points for tests that end the NameNode at a point of a swap
   */
  public SwapCalls(NameNode nameNode, SwapCondition condition, SwapPoints points) {
    this.nameNode = nameNode;
    this.condition = condition;
    this.files = new FileSwap(nameNode, points);
  }

  @Override
  public Inspection inspect(String path) throws IOException {
    requireActive();
    return Inspection.of(files.describe(path), condition);
  }

  @Override
  public SwapAnswer swap(FileIdentity source, FileIdentity copy) throws IOException {
    requireActive();
    SwapRules rules = new SwapRules(source, copy, condition);
    try {
      files.swap(source.path(), copy.path(), rules);
      return rules.answer();
    } catch (FileNotFoundException e) {
      return isDone(source, copy)
          ? SwapAnswer.SWAPPED
          : SwapAnswer.refused(
              SwapRefusal.CHANGED.because(
                  "found", String.valueOf(e.getMessage()), "file and copy", source.path()));
    } catch (QuotaExceededException e) {
      return SwapAnswer.refused(
          SwapRefusal.QUOTA.because(
              "quota", String.valueOf(e.getMessage()), "room for the copy", source.path()));
    }
  }

  @Override
  public void protectFolder(String path) throws IOException {
    requireActive();
    files.protectFolder(path);
  }

  /** Whether the path leads to the copy already. */
  private boolean isDone(FileIdentity source, FileIdentity copy) throws IOException {
    try {
      if (files.describe(source.path()).inodeId() != copy.inodeId()) {
        return false;
      }
    } catch (FileNotFoundException e) {
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
