/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.namenode.PairPlacement;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Places nothing. */
class NoPairs implements PairPlacement {
  @Override
  public List<Target> chooseNew(
      String path,
      int replicas,
      Optional<String> writer,
      List<String> favored,
      Set<String> excluded,
      long blockBytes,
      Usable usable) {
    return List.of();
  }

  @Override
  public boolean leavesToHdfs(String nodeUuid) {
    return false;
  }
}
