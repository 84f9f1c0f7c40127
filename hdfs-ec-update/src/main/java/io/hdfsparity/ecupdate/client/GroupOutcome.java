/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.ecupdate.protocol.RefusalKind;
import java.util.EnumSet;
import java.util.Set;

/**
 * What has become of a block group that was read under locks, to be rewritten: whether the locks
 * may be released (ADR 0023). What is written into a group that was replaced is lost.
 */
enum GroupOutcome {
  /** It is the file's: locks are set to what they were. */
  AS_IT_WAS,
  /** It may be the file's or not: locks are left as of a client that has crashed. */
  IN_DOUBT,
  /** The file has another one: locks stay. */
  REPLACED;

  /** What is said when the group was looked at, and was found in the file; by nobody else. */
  private static final Set<RefusalKind> OF_THE_GROUP =
      EnumSet.of(
          RefusalKind.NODE_BACK,
          RefusalKind.TOO_FEW_NODES,
          RefusalKind.COPY,
          RefusalKind.SUPERFLUOUS,
          RefusalKind.CORRUPT,
          RefusalKind.MISSING_UNIT,
          RefusalKind.GROUP_OPEN,
          RefusalKind.REBUILDING,
          RefusalKind.NO_CAPABILITY,
          RefusalKind.CONTRADICTION,
          RefusalKind.DOUBTS_UNKNOWN);

  /**
   * After the NameNode has refused to replace it. A NameNode that does not know the session may
   * have taken over from one that has replaced the group, and whose answer was lost; and while a
   * session was over somebody else may have. What is not known here may mean anything.
   */
  static GroupOutcome after(Refusal refusal) {
    if (refusal.kind().equals(RefusalKind.REPLACED.word())) {
      return REPLACED;
    }
    return OF_THE_GROUP.stream().anyMatch(kind -> kind.word().equals(refusal.kind()))
        ? AS_IT_WAS
        : IN_DOUBT;
  }

  /** Whether the NameNode has refused because the file has another group there. */
  static boolean isReplaced(Refusal refusal) {
    return after(refusal) == REPLACED;
  }
}
