/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.HadoopKerberosName;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Lets only the daemons of HDFS in: block bytes and parity are read past HDFS' permissions here,
 * and slots are changed.
 *
 * <p>Peer and Lstor services are called by DataNodes and by the NameNode, so one clientPrincipal in
 * KerberosInfo will not do. Allowed is whoever maps to the short name of this process, of a
 * DataNode or of a NameNode. Like HDFS, a cluster without Kerberos has only the user name to go by.
 */
public final class DaemonCallers implements CallerCheck {
  private final Set<String> allowedUsers;

  private DaemonCallers(Set<String> allowedUsers) {
    this.allowedUsers = Set.copyOf(allowedUsers);
  }

  /**
   * @throws IOException when a configured principal cannot be mapped to a user
   */
  public static DaemonCallers of(Configuration conf) throws IOException {
    Set<String> users = new TreeSet<>();
    users.add(UserGroupInformation.getLoginUser().getShortUserName());
    if (UserGroupInformation.isSecurityEnabled()) {
      for (String key :
          new String[] {
            DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY,
            DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY
          }) {
        String principal = conf.getTrimmed(key);
        if (principal != null) {
          String any = SecurityUtil.getServerPrincipal(principal, InetAddress.getLoopbackAddress());
          users.add(new HadoopKerberosName(any).getShortName());
        }
      }
    }
    return new DaemonCallers(users);
  }

  @Override
  public void check(String operation) throws AccessControlException {
    UserGroupInformation caller = Server.getRemoteUser();
    // Calls inside the process have no RPC caller.
    if (caller != null && !allowedUsers.contains(caller.getShortUserName())) {
      throw new AccessControlException(
          "Cannot "
              + operation
              + ": user="
              + caller.getShortUserName()
              + ", expected one of "
              + new TreeSet<>(allowedUsers));
    }
  }
}
