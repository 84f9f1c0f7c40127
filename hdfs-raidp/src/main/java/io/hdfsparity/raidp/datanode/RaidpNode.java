/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * The DataNode that RAIDP is opened in.
 *
 * @param dataset its replicas
 * @param conf as the dataset has it
 * @param context what its disks have in common
 * @param peers where partners are
 * @param gate open while the feature is in service
 */
record RaidpNode(
    DataNode datanode,
    DatasetAccess dataset,
    Configuration conf,
    DiskContext context,
    PeerBook peers,
    ServiceFlag gate) {}
