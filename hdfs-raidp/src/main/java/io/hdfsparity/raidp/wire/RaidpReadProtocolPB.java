/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.raidp.wire.proto.RaidpReadProtos.RaidpReadService;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSelector;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;
import org.apache.hadoop.security.token.TokenInfo;

/**
 * Wire form of {@link RaidpReadProtocol}: clients and DataNodes to manager.
 *
 * <p>The protocol name is the class itself: Hadoop's server loads the class of that name to
 * authorize a connection.
 */
@KerberosInfo(serverPrincipal = DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY)
@TokenInfo(DelegationTokenSelector.class)
@ProtocolInfo(protocolName = "io.hdfsparity.raidp.wire.RaidpReadProtocolPB", protocolVersion = 1)
public interface RaidpReadProtocolPB extends RaidpReadService.BlockingInterface {}
