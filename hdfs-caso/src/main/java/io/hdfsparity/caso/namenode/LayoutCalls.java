/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.namenode;

import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.bridge.swap.SwapPoints;
import io.hdfsparity.caso.swap.Inspection;
import io.hdfsparity.caso.swap.SwapAnswer;
import io.hdfsparity.caso.swap.SwapRules;
import io.hdfsparity.caso.wire.LayoutProtocol;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.hdfs.server.namenode.FileJoin;
import org.apache.hadoop.hdfs.server.namenode.FileSwap;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.StandbyException;

/**
 * Answers of a NameNode; {@link FileSwap} and {@link FileJoin} ask for a superuser. Thread-safe.
 */
final class LayoutCalls implements LayoutProtocol {
  private final NameNode nameNode;
  private final FileSwap files;
  private final FileJoin joins;

  LayoutCalls(NameNode nameNode, SwapPoints points) {
    this.nameNode = nameNode;
    this.files = new FileSwap(nameNode, points);
    this.joins = new FileJoin(nameNode);
  }

  @Override
  public Inspection inspect(String path) throws IOException {
    requireActive();
    return Inspection.of(files.describe(path));
  }

  @Override
  public SwapAnswer swap(FileIdentity source, FileIdentity copy) throws IOException {
    requireActive();
    SwapRules rules = new SwapRules(source, copy);
    try {
      files.swap(source.path(), copy.path(), rules);
      return rules.answer();
    } catch (FileNotFoundException e) {
      return isDone(source, copy)
          ? SwapAnswer.SWAPPED
          : refused("found", e, "file and copy", source.path());
    } catch (QuotaExceededException e) {
      return refused("quota", e, "room for the copy", source.path());
    }
  }

  @Override
  public void join(String target, List<String> parts) throws IOException {
    requireActive();
    joins.join(target, parts);
  }

  /** Always: this is not served before the guard is in place. */
  @Override
  public boolean isGuarded() {
    return true;
  }

  private static SwapAnswer refused(String name, IOException e, String rule, String path) {
    return new SwapAnswer(
        SwapAnswer.Outcome.REFUSED,
        ErrorMessage.to("change the order of a file")
            .value(name, e.getMessage())
            .expected(rule)
            .where("file", path)
            .message());
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
