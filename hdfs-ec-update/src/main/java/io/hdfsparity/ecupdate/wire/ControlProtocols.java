/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.wire;

import io.hdfsparity.bridge.wire.GuardedService;
import io.hdfsparity.bridge.wire.ServedProtocol;
import io.hdfsparity.ecupdate.protocol.ControlProtocol;
import io.hdfsparity.ecupdate.wire.proto.UpdateControlProtos.UpdateControlService;
import org.apache.hadoop.security.authorize.Service;

/** The protocol by which updates in a DataNode are controlled, for its server. Stateless. */
public final class ControlProtocols {
  /** Administrators; what changes something is for HDFS superusers besides. */
  public static final Service CONTROL =
      new Service("security.ecupdate.control.protocol.acl", UpdateControlProtocolPB.class);

  private ControlProtocols() {}

  /** What answers. */
  public static ServedProtocol control(ControlProtocol impl) {
    return new ServedProtocol(
        CONTROL,
        GuardedService.of(
            UpdateControlService::newReflectiveBlockingService, new ControlServerTranslator(impl)));
  }
}
