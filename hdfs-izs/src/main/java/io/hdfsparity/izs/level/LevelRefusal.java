/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.level;

import io.hdfsparity.bridge.refusal.RefusalCause;

/** Why a file keeps its level, with what to do about it. */
public enum LevelRefusal implements RefusalCause {
  NOT_STRIPED("write it again into a directory that has an erasure coding policy"),
  CODEC("write it again under a policy of codec izs or rs"),
  OTHER_LEVEL("write it again under a policy with 1, 2 or 3 parity units"),
  INTERRUPTED(
      "wait until the NameNode has closed it, a moment after its start; never recover its lease"),
  OPEN("close it, or hdfs debug recoverLease -path <file>"),
  SNAPSHOT("delete the snapshots that hold it, or copy it"),
  ENCRYPTED("copy it under the wanted policy"),
  TOO_MANY_GROUPS(
      "raise dfs.parity.izs.level.file.groups.max, up to 20000 (see its reference), or copy the file in"
          + " parts"),
  NO_POLICY("hdfs ec -addPolicies, then hdfs ec -enablePolicy"),
  POLICY_DISABLED("hdfs ec -enablePolicy -policy <name>"),
  GROUP_OPEN("close the file, or hdfs debug recoverLease -path <file>"),
  REBUILDING("wait until hdfs izs -status shows no group that lacks units, then run it again"),
  CORRUPT("hdfs fsck <file>; wait for HDFS to repair it, then run it again"),
  DRAINING(
      "wait for the end of maintenance, or of decommission and stop the node; then run it again"),
  SUPERFLUOUS("wait for HDFS to remove superfluous replicas, then run it again"),
  MISSING_UNIT("hdfs fsck <file>; bring its nodes back or wait for the repair, then run it again"),
  CONTRADICTION(
      "hdfs izs -verify <file> shows whether verification has mended it: then run it again; else"
          + " compare the file with its source, and write it again"),
  UNLISTED_CONTRADICTION(
      "rewrite contradictory files, which the NameNode logs; then hdfs dfs -setfattr -x"
          + " trusted.parity.izs.verified / as superuser has all groups verified again") {
    @Override
    public String word() {
      return CONTRADICTION.word();
    }
  },
  DOUBTS_UNKNOWN(
      "hdfs izs -status shows why parity is not verified: mend that, or wait a second after a start"
          + " or failover, then run it again; a damaged xattr trusted.parity.izs.verified of / can be"
          + " removed"),
  STALE("hdfs dfsadmin -triggerBlockReport <datanode> on every DataNode, then run it again"),
  UNAVAILABLE(
      "hdfs dfsadmin -report; bring the nodes or disks back, or wait until HDFS has rebuilt their"
          + " units; then run it again") {
    @Override
    public String word() {
      return STALE.word();
    }
  },
  QUEUED_DELETE("wait until the DataNodes have deleted it (a few heartbeats), then run it again"),
  SURPLUS(
      "wait until the sweeper has dropped it (dfs.parity.izs.level.sweep.interval), then again");

  private final String remedy;

  LevelRefusal(String remedy) {
    this.remedy = remedy;
  }

  @Override
  public String request() {
    return "change the level";
  }

  @Override
  public String remedy() {
    return remedy;
  }
}
