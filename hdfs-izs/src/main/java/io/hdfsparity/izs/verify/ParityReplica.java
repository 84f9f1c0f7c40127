/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.verify;

/**
 * A parity unit where it is stored. The node does not tell: HDFS can rebuild a unit of a failed
 * disk on another disk of the same node. Immutable.
 *
 * @param unit number of the unit
 * @param storageId of the DataNode's storage, unique in the cluster
 */
public record ParityReplica(int unit, String storageId) {}
