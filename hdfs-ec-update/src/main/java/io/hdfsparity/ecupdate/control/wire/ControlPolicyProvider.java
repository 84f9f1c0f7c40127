/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.control.wire;

import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;

/**
 * Service-level authorization at the DataNodes: the key of hadoop-policy.xml for administrators.
 */
public final class ControlPolicyProvider extends PolicyProvider {
  /** Administrators; what changes something is for HDFS superusers besides. */
  public static final String CONTROL_ACL = "security.ecupdate.control.protocol.acl";

  @Override
  public Service[] getServices() {
    return new Service[] {new Service(CONTROL_ACL, UpdateControlProtocolPB.class)};
  }
}
