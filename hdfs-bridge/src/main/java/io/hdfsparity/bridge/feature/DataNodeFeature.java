/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.feature;

import org.apache.hadoop.hdfs.server.datanode.DataNode;

/** A feature's part of a DataNode. */
public interface DataNodeFeature extends Feature<DataNode> {}
