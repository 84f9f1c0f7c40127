/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.client;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;

/** Is shown the block groups of a file, one after the other. */
@FunctionalInterface
public interface GroupVisitor {
  /**
   * Looks at a group.
   *
   * @param units valid while the call lasts
   * @param policy of the file
   */
  void visit(InternalBlocks units, BlockGroup group, ErasureCodingPolicy policy) throws IOException;
}
