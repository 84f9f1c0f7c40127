/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.HadoopKerberosName;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Lets only DataNodes report: clients send tokens to the address in a report. Service-level
 * authorization can be off with Kerberos; without Kerberos there is only a name to go by, and HDFS
 * itself believes whoever says that he is a DataNode. Immutable.
 */
final class DataNodeCallers {
  private final Optional<String> user;

  private DataNodeCallers(Optional<String> user) {
    this.user = user;
  }

  /**
   * @throws IOException when the DataNodes' principal cannot be mapped to a user
   */
  static DataNodeCallers of(Configuration conf) throws IOException {
    String principal = conf.getTrimmed(DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY);
    if (!UserGroupInformation.isSecurityEnabled() || principal == null) {
      return new DataNodeCallers(Optional.empty());
    }
    String any = SecurityUtil.getServerPrincipal(principal, InetAddress.getLoopbackAddress());
    return new DataNodeCallers(Optional.of(new HadoopKerberosName(any).getShortName()));
  }

  /**
   * @throws AccessControlException when the caller of the RPC is no DataNode
   */
  void check() throws IOException {
    String caller = NameNode.getRemoteUser().getShortUserName();
    if (user.isPresent() && !user.get().equals(caller)) {
      throw new AccessControlException(
          "Cannot report as a DataNode: user=" + caller + ", expected " + user.get());
    }
  }
}
