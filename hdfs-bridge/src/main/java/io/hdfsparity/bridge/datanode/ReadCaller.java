/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.datanode;

/** Who opens the bytes of a replica, as far as the dataset can tell. */
public enum ReadCaller {
  /** A client, by Hadoop's data transfer protocol. */
  CLIENT,
  /**
   * A DataNode that compares units with each other, and makes nothing of them. By its client name,
   * {@link #VERIFIER_CLIENT}.
   */
  VERIFIER,
  /** The checksum of a block, for a client's file checksum. */
  CHECKSUM,
  /** The volume scanner of this DataNode. */
  SCANNER,
  /** Another DataNode that makes something of it and other blocks: reconstruction. */
  RECONSTRUCTION,
  /** A DataNode that copies it: transfer, Balancer; or none that is known. */
  DATANODE,
  /** None of these. */
  UNKNOWN;

  /** The client name by which {@link #VERIFIER} reads. */
  public static final String VERIFIER_CLIENT = "hdfsparity-verifier";
}
