/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;

/**
 * Service-level authorization: keys of hadoop-policy.xml that say who may call which protocol of
 * RAIDP.
 */
public final class RaidpPolicyProvider extends PolicyProvider {
  /** Agents and Lstor daemons to the manager. */
  public static final String NODE_ACL = "security.raidp.node.protocol.acl";

  /** Administrators to the manager. */
  public static final String ADMIN_ACL = "security.raidp.admin.protocol.acl";

  /** DataNodes and manager to a DataNode. */
  public static final String PEER_ACL = "security.raidp.peer.protocol.acl";

  /** DataNodes to an Lstor daemon. */
  public static final String LSTOR_ACL = "security.raidp.lstor.protocol.acl";

  @Override
  public Service[] getServices() {
    return new Service[] {
      new Service(NODE_ACL, RaidpNodeProtocolPB.class),
      new Service(ADMIN_ACL, RaidpAdminProtocolPB.class),
      new Service(PEER_ACL, RaidpPeerProtocolPB.class),
      new Service(LSTOR_ACL, RaidpLstorProtocolPB.class)
    };
  }
}
