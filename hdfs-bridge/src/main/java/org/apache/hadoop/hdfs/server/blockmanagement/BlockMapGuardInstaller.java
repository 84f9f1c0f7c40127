/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Objects;

/**
 * Installs the {@link BlockMapGuard} from a placement policy's {@code initialize}: the only code of
 * ours that runs in every NameNode before the first block is loaded and before a DataNode can
 * report.
 *
 * <p>Reaches, from the FSClusterStats that a policy is given (an anonymous class in
 * DatanodeManager), its outer DatanodeManager and that one's blockManager (private). In the
 * constructor of BlockManager the map of blocks is made before the policies. Checked for Hadoop
 * 3.5.0. Stateless.
 */
public final class BlockMapGuardInstaller {
  private BlockMapGuardInstaller() {}

  /**
   * Installs it, once; later calls change nothing.
   *
   * @param stats as given to the placement policy
   * @return the block manager whose map it is
   * @throws IllegalStateException when this Hadoop is another one; the NameNode must not start
   */
  public static BlockManager install(FSClusterStats stats) {
    Object nodes = PrivateFields.get(PrivateFields.of(stats.getClass(), "this$0"), stats);
    Object blocks =
        PrivateFields.get(
            PrivateFields.of(DatanodeManager.class, "blockManager"), Objects.requireNonNull(nodes));
    BlockManager manager = (BlockManager) Objects.requireNonNull(blocks);
    BlockMapGuard.install(manager);
    return manager;
  }
}
