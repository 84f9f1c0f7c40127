/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.refusal.RefusalCause;

/** Why a file cannot be updated, or a session cannot continue, with what to do about it. */
public enum RefusalKind implements RefusalCause {
  NOT_A_FILE("give the path of a file"),
  NOT_STRIPED("write it again into a directory that has an erasure coding policy"),
  CODEC("write it again under a policy of codec rs or izs"),
  INTERRUPTED(
      "wait until the NameNode has closed it, a moment after its start; never recover its lease"),
  OPEN("close it, or hdfs debug recoverLease -path <file>"),
  LOWERED("raise and lower its level once more, or rewrite it (hdfs caso -rewrite <file>)"),
  SNAPSHOT("delete the snapshots that hold it, or copy it: an update would change them too"),
  ENCRYPTED("copy it out of its encryption zone"),
  UPGRADE("finalize the upgrade or roll it back (hdfs dfsadmin -rollingUpgrade finalize)"),
  TOO_MANY_GROUPS("raise dfs.parity.ecupdate.session.file.groups.max, or split the file"),
  GROUP_OPEN("close the file, or hdfs debug recoverLease -path <file>"),
  CORRUPT(
      "hdfs fsck <file>; wait for HDFS to repair it, then open it again; if it stays, read it with"
          + " hdfs ecupdate -read <file> -degraded, and write a new file"),
  REBUILDING("wait until HDFS has rebuilt it, then open it again"),
  MISSING_UNIT(
      "bring its DataNode back, or wait until HDFS has repaired it (hdfs fsck <file>), then open it"
          + " again"),
  SUPERFLUOUS("wait for HDFS to remove superfluous replicas, then open it again"),
  NO_CAPABILITY("put feature ecupdate in service there as on the others, and see its log"),
  TOO_MANY_SESSIONS("close sessions, or raise dfs.parity.ecupdate.session.max"),
  IN_USE(
      "close it where it is open (hdfs ecupdate -status <file>); what has died ends with its lease"),
  OPENED_SINCE(
      "start this program again: what it had not written yet is not written, so check what is in the"
          + " file first, as by fsck for a file system"),
  SCHEME("hdfs ecupdate -scheme <path> FO|FL|PL|PLR, or -unset"),
  UNKNOWN_SESSION(
      "open it again: it was closed, or the NameNode was started again or failed over, and it could"
          + " not be attached; if it was writing, run hdfs ecupdate -recover <file> then"),
  SUSPENDED(
      "usually none: it is retried automatically, until the NameNode has been active for long enough"),
  EXPIRED("open it again, and renew it in time"),
  GONE("the file was deleted or replaced"),
  REPLACED("locate it again: it was rewritten"),
  COPY("write the copy again"),
  NODE_BACK(
      "usually none: it is retried automatically. If it stays: a DataNode that reports, and does not"
          + " have the unit, keeps it from being healed; start it again if HDFS counts it as dead;"
          + " if it has lost the disk, stop it for good, or close the file everywhere and open it"
          + " again when HDFS has rebuilt the unit"),
  TOO_FEW_NODES("bring the DataNode back, or add one that takes updates"),
  CONTRADICTION(
      "bring DataNodes of missing units back, and close the file everywhere: then verification can"
          + " mend it; hdfs izs -verify <file> shows what does not fit, and whether it is mended"),
  UNLISTED_CONTRADICTION(
      "wait until the NameNode has been active for dfs.parity.izs.verify.rebuild.wait; rewrite"
          + " contradictory files, which it logs") {
    @Override
    public String word() {
      return CONTRADICTION.word();
    }
  },
  DOUBTS_UNKNOWN(
      "usually none: it is retried automatically. If it stays, hdfs izs -status shows why parity is"
          + " not verified: mend that");

  private final String remedy;

  RefusalKind(String remedy) {
    this.remedy = remedy;
  }

  /** A session that is not open, as far as this NameNode knows. */
  public static Refusal unknown(SessionId id) {
    return UNKNOWN_SESSION.because("session", id, "an open one", "unknown");
  }

  @Override
  public String request() {
    return "update";
  }

  @Override
  public String remedy() {
    return remedy;
  }
}
