/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

/**
 * How much of a superchunk is to be made, and is made.
 *
 * @param bytesTotal data bytes to make, as far as known
 * @param bytesDone data bytes installed
 * @param blocksTotal blocks to make
 * @param blocksDone blocks installed
 */
public record RebuildCounts(long bytesTotal, long bytesDone, int blocksTotal, int blocksDone) {
  public static final RebuildCounts NONE = new RebuildCounts(0, 0, 0, 0);
}
