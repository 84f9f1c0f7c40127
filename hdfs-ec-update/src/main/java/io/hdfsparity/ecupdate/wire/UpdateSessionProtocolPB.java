/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.wire;

import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.UpdateSessionService;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;

/**
 * Wire form of {@link io.hdfsparity.ecupdate.protocol.SessionProtocol}.
 *
 * <p>The protocol name is the class itself: Hadoop's server loads the class of that name to
 * authorize a connection.
 */
@KerberosInfo(serverPrincipal = DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY)
@ProtocolInfo(
    protocolName = "io.hdfsparity.ecupdate.wire.UpdateSessionProtocolPB",
    protocolVersion = 1)
public interface UpdateSessionProtocolPB extends UpdateSessionService.BlockingInterface {}
