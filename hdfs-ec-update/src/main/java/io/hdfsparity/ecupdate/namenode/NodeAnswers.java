/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.ecupdate.protocol.NodeAnswer;
import io.hdfsparity.ecupdate.protocol.NodeRegistry;
import io.hdfsparity.ecupdate.protocol.NodeReport;
import io.hdfsparity.ecupdate.protocol.SessionList;
import io.hdfsparity.ecupdate.protocol.SessionTable;
import io.hdfsparity.ecupdate.protocol.SessionTimes;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/** What DataNodes are answered, and in which order that is put together. Thread-safe. */
record NodeAnswers(
    NodeRegistry nodes, ReplacedGroups replaced, SessionTimes times, LongSupplier transactionId) {
  /**
   * Notes a report, and answers it.
   *
   * @param table of the present term; none on a standby
   */
  NodeAnswer answer(NodeReport report, Optional<SessionTable> table) {
    // Before the sets are read: a session that is over by then waits for the next report, and a
    // group that is listed by then may be judged without this one (GroupHealing).
    // A DataNode with older software would serve their units; one that nobody notifies serves none.
    // It
    // is held back for good here, before it is noted, or it would have to be waited for.
    boolean isInVain = !report.heedsReplaced() && !replaced.ids().isEmpty();
    if (isInVain) {
      nodes.reportedInVain(report);
    } else {
      nodes.reported(report);
    }
    SessionList live = table.map(SessionTable::live).orElse(SessionList.NONE);
    Set<Long> groups = replaced.ids();
    boolean isHeeded = !isInVain && (groups.isEmpty() || report.heedsReplaced());
    return new NodeAnswer(
        table.isPresent() && isHeeded,
        transactionId.getAsLong(),
        live,
        times.validMs(),
        times.reportEveryMs(),
        groups);
  }
}
