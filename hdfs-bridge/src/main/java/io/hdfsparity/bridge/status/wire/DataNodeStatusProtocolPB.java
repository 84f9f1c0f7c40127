/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.status.wire;

import io.hdfsparity.bridge.status.wire.proto.SuiteStatusProtos.SuiteStatusService;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;

/**
 * Wire form of {@link io.hdfsparity.bridge.status.SuiteStatusProtocol} in a DataNode, whose
 * principal is another than the NameNode's. The protocol name is the class itself, as in {@link
 * NameNodeStatusProtocolPB}.
 */
@KerberosInfo(serverPrincipal = DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY)
@ProtocolInfo(
    protocolName = "io.hdfsparity.bridge.status.wire.DataNodeStatusProtocolPB",
    protocolVersion = 1)
public interface DataNodeStatusProtocolPB extends SuiteStatusService.BlockingInterface {}
