/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

/** Sets which id the next block group gets. */
public final class GroupIds {
  private GroupIds() {}

  /** The highest id that was given. */
  public static void last(BlockManager blocks, long id) {
    blocks.getBlockIdManager().getBlockGroupIdGenerator().setCurrentValue(id);
  }
}
