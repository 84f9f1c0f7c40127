/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.session.wire;

import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;

/** Service-level authorization: keys of hadoop-policy.xml that say who may call the NameNode. */
public final class UpdatePolicyProvider extends PolicyProvider {
  /** Users and groups that may open sessions; who may write which file is HDFS's rule. */
  public static final String SESSION_ACL = "security.ecupdate.session.protocol.acl";

  /** DataNodes. */
  public static final String NODE_ACL = "security.ecupdate.node.protocol.acl";

  @Override
  public Service[] getServices() {
    return new Service[] {
      new Service(SESSION_ACL, UpdateSessionProtocolPB.class),
      new Service(NODE_ACL, UpdateNodeProtocolPB.class)
    };
  }
}
