/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Who is an HDFS superuser to a DataNode: the rule of {@code DataNode.checkSuperuserPrivilege},
 * which is private: the DataNode's own user, and members of the supergroup; everybody where
 * permissions are off. Immutable, thread-safe.
 */
final class SuperuserRule {
  private final boolean isEnabled;
  private final String group;
  private final String self;

  SuperuserRule(Configuration conf) throws IOException {
    isEnabled =
        conf.getBoolean(
            DFSConfigKeys.DFS_PERMISSIONS_ENABLED_KEY,
            DFSConfigKeys.DFS_PERMISSIONS_ENABLED_DEFAULT);
    group =
        conf.getTrimmed(
            DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY,
            DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT);
    self = UserGroupInformation.getLoginUser().getUserName();
  }

  /**
   * Returns when the caller of the RPC that the thread serves is one.
   *
   * @throws AccessControlException when not
   */
  void check(String doing) throws IOException {
    UserGroupInformation caller = Server.getRemoteUser();
    if (caller == null) {
      caller = UserGroupInformation.getCurrentUser();
    }
    if (isEnabled && !caller.getUserName().equals(self) && !caller.getGroupsSet().contains(group)) {
      throw new AccessControlException(
          "Cannot "
              + doing
              + ": user="
              + caller.getShortUserName()
              + ", expected the DataNode's user or a member of group "
              + group);
    }
  }
}
