/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap;

import io.hdfsparity.bridge.refusal.RefusalCause;

/** Why a copy does not take the place of a file, with what to do about it. */
public enum SwapRefusal implements RefusalCause {
  OPEN(
      "close it; or, if it is open a minute after a start of the NameNode and nobody writes it,"
          + " hdfs debug recoverLease -path <file>; then run it again"),
  SNAPSHOT("delete the snapshots that hold it: they would keep the old blocks on the disks"),
  ENCRYPTED("copy it within its encryption zone"),
  STORED_ORDER("put it back into its own order: hdfs caso -restore <file>; then run it again"),
  MISSING_UNIT("hdfs fsck <file>; bring its nodes back or wait for the repair, then run it again"),
  DECODED(
      "bring its DataNodes back or wait for the repair (hdfs fsck <file>), then run it again: its"
          + " parity may be wrong, and the units that could not be read would be deleted"),
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
          + " or failover, then run it again"),
  OWN_MARK(
      "have RAIDP protect its directory instead: hdfs raidp -unprotect <file>, while no directory"
          + " above it is protected; then run it again"),
  CHANGED("it was written, replaced, renamed or deleted meanwhile; run it again"),
  COPY_LOST("do not write into the work folder; run it again"),
  MISMATCH("hdfs fsck <file> -files -blocks -locations; look for a bad disk or memory"),
  THIN("see that enough DataNodes with room are alive for the copy, then run it again"),
  ATTRIBUTES("see that nobody changes them all the time, then run it again"),
  QUOTA("raise the quota (hdfs dfsadmin -setSpaceQuota)"),
  UNKNOWN("see the NameNode; run it again: it finds out what became of the file");

  private final String remedy;

  SwapRefusal(String remedy) {
    this.remedy = remedy;
  }

  @Override
  public String request() {
    return "replace a file by a copy of it";
  }

  @Override
  public String remedy() {
    return remedy;
  }
}
