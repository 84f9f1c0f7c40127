/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.wire;

import io.hdfsparity.bridge.wire.GuardedService;
import io.hdfsparity.bridge.wire.ServedProtocol;
import io.hdfsparity.ecupdate.protocol.NodeProtocol;
import io.hdfsparity.ecupdate.protocol.SessionProtocol;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.UpdateNodeService;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.UpdateSessionService;
import org.apache.hadoop.security.authorize.Service;

/** The protocols of the session manager, for the server of the NameNode. Stateless. */
public final class UpdateProtocols {
  /** Users and groups that may open sessions; who may write which file is HDFS's rule. */
  public static final Service SESSION =
      new Service("security.ecupdate.session.protocol.acl", UpdateSessionProtocolPB.class);

  /** DataNodes. */
  public static final Service NODE =
      new Service("security.ecupdate.node.protocol.acl", UpdateNodeProtocolPB.class);

  private UpdateProtocols() {}

  /** What answers clients. */
  public static ServedProtocol session(SessionProtocol impl) {
    return new ServedProtocol(
        SESSION,
        GuardedService.of(
            UpdateSessionService::newReflectiveBlockingService, new SessionServerTranslator(impl)));
  }

  /** What answers DataNodes. */
  public static ServedProtocol node(NodeProtocol impl) {
    return new ServedProtocol(
        NODE,
        GuardedService.of(
            UpdateNodeService::newReflectiveBlockingService, new NodeServerTranslator(impl)));
  }
}
