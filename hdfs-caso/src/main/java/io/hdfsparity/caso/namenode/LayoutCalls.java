/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.namenode;

import io.hdfsparity.caso.wire.LayoutProtocol;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.FileJoin;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.StandbyException;

/** Answers of a NameNode; {@link FileJoin} asks for a superuser. Thread-safe. */
final class LayoutCalls implements LayoutProtocol {
  private final NameNode nameNode;
  private final FileJoin joins;

  LayoutCalls(NameNode nameNode) {
    this.nameNode = nameNode;
    this.joins = new FileJoin(nameNode);
  }

  @Override
  public void join(String target, List<String> parts) throws IOException {
    if (!nameNode.isActiveState()) {
      throw new StandbyException("Cannot join files: state=" + nameNode.getState());
    }
    joins.join(target, parts);
  }

  /** Always: this is not served before the guard is in place. */
  @Override
  public boolean isGuarded() {
    return true;
  }
}
