/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

import java.util.List;

/** Settings of Hadoop on which the suite depends for security, and for reading files. */
final class SecurityCheck implements DoctorCheck {
  private static final String FILE_SYSTEM = "fs.hdfs.impl";

  @Override
  public List<? extends FindingKind> kinds() {
    return List.of(SecurityFinding.values());
  }

  @Override
  public void check(ClusterFacts facts, FindingList found) {
    for (DescribedDaemon each : facts.described()) {
      boolean hasKerberos =
          each.status().key("hadoop.security.authentication").equalsIgnoreCase("kerberos");
      if (hasKerberos) {
        unlessTrue(each, "hadoop.security.authorization", SecurityFinding.AUTHORIZATION_OFF, found);
        unlessTrue(each, "dfs.block.access.token.enable", SecurityFinding.TOKENS_OFF, found);
      }
      String fileSystem = each.status().key(FILE_SYSTEM);
      if (!fileSystem.isEmpty()) {
        found.add(
            SecurityFinding.FILE_SYSTEM_IN_DAEMON, each.place(), FILE_SYSTEM + "=" + fileSystem);
      }
      if (each.isNameNode() && each.status().key("dfs.permissions.enabled").equals("false")) {
        found.add(SecurityFinding.PERMISSIONS_OFF, each.place(), "dfs.permissions.enabled=false");
      }
    }
    LocalFacts local = facts.local();
    if (!local.fileSystemProblem().isEmpty()) {
      found.add(
          SecurityFinding.FILE_SYSTEM_NOT_LOADABLE,
          Finding.THIS_HOST,
          FILE_SYSTEM + "=" + local.key(FILE_SYSTEM) + ": " + local.fileSystemProblem());
    }
  }

  private static void unlessTrue(
      DescribedDaemon daemon, String key, FindingKind kind, FindingList found) {
    String value = daemon.status().key(key);
    if (!value.equals("true")) {
      found.add(kind, daemon.place(), key + "=" + value);
    }
  }
}
