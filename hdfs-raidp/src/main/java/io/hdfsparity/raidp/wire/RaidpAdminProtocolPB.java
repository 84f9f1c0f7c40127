/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.raidp.wire.proto.RaidpProtos.RaidpAdminService;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;

/**
 * Wire form of {@link RaidpAdminProtocol}: administrators to manager.
 *
 * <p>The protocol name is the class itself: Hadoop's server loads the class of that name to
 * authorize a connection.
 */
@KerberosInfo(serverPrincipal = DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY)
@ProtocolInfo(protocolName = "io.hdfsparity.raidp.wire.RaidpAdminProtocolPB", protocolVersion = 1)
public interface RaidpAdminProtocolPB extends RaidpAdminService.BlockingInterface {}
