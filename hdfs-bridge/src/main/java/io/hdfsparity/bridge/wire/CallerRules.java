/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import java.io.IOException;
import java.net.InetAddress;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.HadoopKerberosName;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.jspecify.annotations.Nullable;

/**
 * Who is a DataNode, a daemon, a superuser, an administrator: by the name of the caller of the RPC
 * that the thread serves. Service-level authorization can be off, and where it is on it authorizes
 * a connection for one protocol, while a call names its protocol itself; so each call is checked.
 *
 * <ul>
 *   <li>With Kerberos, daemons are whoever maps to the short name of {@code
 *       dfs.datanode.kerberos.principal} or {@code dfs.namenode.kerberos.principal}, and this
 *       process's own user.
 *   <li>Without Kerberos there is only a name to go by: that of this process's user, or one of a
 *       member of the supergroup. Who can choose his name passes, as everywhere in HDFS then.
 *   <li>Superusers are, as in HDFS, this process's user and members of {@code
 *       dfs.permissions.superusergroup}; everybody where {@code dfs.permissions.enabled} is false.
 * </ul>
 *
 * <p>Immutable, thread-safe.
 */
public final class CallerRules {
  private final boolean arePermissionsOn;
  private final boolean isSecure;
  private final String self;
  private final String superGroup;
  private final Set<String> dataNodes;
  private final Set<String> daemons;
  private final AccessControlList administrators;

  private CallerRules(Configuration conf) throws IOException {
    arePermissionsOn =
        conf.getBoolean(
            DFSConfigKeys.DFS_PERMISSIONS_ENABLED_KEY,
            DFSConfigKeys.DFS_PERMISSIONS_ENABLED_DEFAULT);
    isSecure = UserGroupInformation.isSecurityEnabled();
    self = UserGroupInformation.getLoginUser().getShortUserName();
    superGroup =
        conf.getTrimmed(
            DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY,
            DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT);
    dataNodes = new LinkedHashSet<>();
    add(conf, DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY, dataNodes);
    if (dataNodes.isEmpty()) {
      dataNodes.add(self);
    }
    daemons = new LinkedHashSet<>(dataNodes);
    daemons.add(self);
    add(conf, DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, daemons);
    administrators = new AccessControlList(conf.get(DFSConfigKeys.DFS_ADMIN, " "));
  }

  /**
   * Of a daemon's configuration and login.
   *
   * @throws IOException when a configured principal cannot be mapped to a user
   */
  public static CallerRules of(Configuration conf) throws IOException {
    return new CallerRules(conf);
  }

  private void add(Configuration conf, String key, Set<String> users) throws IOException {
    String principal = conf.getTrimmed(key);
    if (isSecure && principal != null && !principal.isEmpty()) {
      String any = SecurityUtil.getServerPrincipal(principal, InetAddress.getLoopbackAddress());
      users.add(new HadoopKerberosName(any).getShortName());
    }
  }

  /**
   * Returns when the caller of the RPC is one of those.
   *
   * @param operation for the message
   * @throws AccessControlException when not, and when the thread serves no RPC
   */
  public void check(Caller who, String operation) throws AccessControlException {
    check(Server.getRemoteUser(), who, operation);
  }

  /**
   * The same of a given user.
   *
   * @param caller null: nobody
   */
  void check(@Nullable UserGroupInformation caller, Caller who, String operation)
      throws AccessControlException {
    if (caller == null || !is(caller, who)) {
      throw new AccessControlException(
          "Cannot "
              + operation
              + ": user="
              + (caller == null ? "none" : caller.getShortUserName())
              + ", expected "
              + expected(who));
    }
  }

  /** Whether a user is a superuser, or an administrator by {@code dfs.cluster.administrators}. */
  public boolean isAdministrator(UserGroupInformation user) {
    return is(user, Caller.ADMINISTRATORS);
  }

  private boolean is(UserGroupInformation caller, Caller who) {
    if (who != Caller.USERS && hasBlockToken(caller)) {
      return false;
    }
    return switch (who) {
      case DATANODES -> isDaemon(caller, dataNodes);
      case DAEMONS -> isDaemon(caller, daemons);
      case SUPERUSERS -> isSuperuser(caller);
      case ADMINISTRATORS -> isSuperuser(caller) || administrators.isUserAllowed(caller);
      case USERS -> true;
    };
  }

  /** A block token says who may read a block, not who may act in the name that is in it. */
  private static boolean hasBlockToken(UserGroupInformation caller) {
    return caller.getTokenIdentifiers().stream().anyMatch(BlockTokenIdentifier.class::isInstance);
  }

  private boolean isDaemon(UserGroupInformation caller, Set<String> users) {
    return users.contains(caller.getShortUserName())
        || !isSecure && caller.getGroupsSet().contains(superGroup);
  }

  private boolean isSuperuser(UserGroupInformation caller) {
    return !arePermissionsOn
        || caller.getShortUserName().equals(self)
        || caller.getGroupsSet().contains(superGroup);
  }

  private String expected(Caller who) {
    return switch (who) {
      case DATANODES -> named(who, dataNodes);
      case DAEMONS -> named(who, daemons);
      case SUPERUSERS, ADMINISTRATORS ->
          who.words() + ": user " + self + " or a member of group " + superGroup;
      case USERS -> who.words();
    };
  }

  private String named(Caller who, Set<String> users) {
    String names = who.words() + ": " + String.join(" or ", users);
    return isSecure ? names : names + ", or a member of group " + superGroup;
  }
}
