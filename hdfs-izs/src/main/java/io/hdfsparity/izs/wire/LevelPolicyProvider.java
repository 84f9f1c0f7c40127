/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.wire;

import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;

/**
 * Service-level authorization: the key of hadoop-policy.xml that says who may call the protocol.
 */
public final class LevelPolicyProvider extends PolicyProvider {
  /** Users and groups that may call the level manager; who may change which file is HDFS's rule. */
  public static final String LEVEL_ACL = "security.izs.level.protocol.acl";

  @Override
  public Service[] getServices() {
    return new Service[] {new Service(LEVEL_ACL, LevelProtocolPB.class)};
  }
}
