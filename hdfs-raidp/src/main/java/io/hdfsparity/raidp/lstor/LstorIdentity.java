/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

/**
 * Whose Lstor this is. Written once, at format.
 *
 * @param clusterId HDFS cluster id
 * @param diskId id of the disk whose frames the parity covers
 * @param nodeUuid DataNode that formatted it; told to operators, not checked at open
 */
public record LstorIdentity(String clusterId, String diskId, String nodeUuid) {
  /** Most UTF-8 bytes of each of the three. */
  public static final int MAX_ID_BYTES = 255;

  public LstorIdentity {
    FixedText.requireFits("clusterId", clusterId, 1, MAX_ID_BYTES);
    FixedText.requireFits("diskId", diskId, 1, MAX_ID_BYTES);
    FixedText.requireFits("nodeUuid", nodeUuid, 0, MAX_ID_BYTES);
  }
}
