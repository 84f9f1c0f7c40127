/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;

/**
 * Asks the NameNode whether the calling user is a superuser.
 *
 * <p>Reaches: FSNamesystem.checkSuperuserPrivilege(String), package-private. Takes the caller of
 * the RPC that the thread is serving (of any server in the process), else the process's user.
 * Checked for Hadoop 3.5.0. Stateless.
 */
public final class SuperuserCheck {
  private SuperuserCheck() {}

  /**
   * Returns when the caller is a superuser, or permissions are off.
   *
   * @param operation name for the audit log
   * @throws org.apache.hadoop.security.AccessControlException when not
   */
  public static void check(FSNamesystem namesystem, String operation) throws IOException {
    namesystem.checkSuperuserPrivilege(operation);
  }
}
