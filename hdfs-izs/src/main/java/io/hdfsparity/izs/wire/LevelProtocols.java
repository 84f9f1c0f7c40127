/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.wire;

import io.hdfsparity.bridge.wire.GuardedService;
import io.hdfsparity.bridge.wire.ServedProtocol;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.IzsLevelService;
import org.apache.hadoop.security.authorize.Service;

/** The protocol of the level manager, for the server of the NameNode. Stateless. */
public final class LevelProtocols {
  /** Who may call the level manager; who may change which file is HDFS's rule. */
  public static final Service LEVEL =
      new Service("security.izs.level.protocol.acl", LevelProtocolPB.class);

  /** Who may swap files for copies in another form: superusers of those. */
  public static final Service FORM_SWAP =
      new Service("security.izs.level.protocol.acl", FormSwapProtocolPB.class);

  private LevelProtocols() {}

  /** What answers. */
  public static ServedProtocol level(LevelProtocol impl, VerifyProtocol verification) {
    return new ServedProtocol(
        LEVEL,
        GuardedService.of(
            IzsLevelService::newReflectiveBlockingService,
            new LevelServerTranslator(impl, verification)));
  }
}
