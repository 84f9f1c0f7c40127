/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.wire.message.LstorReport;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Disks whose Lstors were reported in the name of each node. An Lstor is remembered while the
 * manager runs, so a host that invents disk ids would fill the NameNode's memory. Thread-safe.
 */
final class ReportedLstors {
  /** More than disks in a node, with all that were ever replaced. */
  static final int MAX_OF_NODE = 1024;

  /** What an Lstor's superblock can hold. */
  static final int MAX_ID_LENGTH = 255;

  private final Map<String, Set<String>> byNode = new HashMap<>();

  /**
   * Takes a note of a report.
   *
   * @throws IOException that names the limit; nothing is noted then
   */
  synchronized void take(LstorReport report) throws IOException {
    String diskId = report.diskId();
    if (diskId.isBlank() || diskId.length() > MAX_ID_LENGTH) {
      throw new IOException(
          refusal(report)
              .value("diskIdLength", diskId.length())
              .expected("1 to " + MAX_ID_LENGTH + " characters")
              .message());
    }
    Set<String> known = byNode.computeIfAbsent(report.nodeUuid(), uuid -> new HashSet<>());
    if (!known.contains(diskId) && known.size() >= MAX_OF_NODE) {
      throw new IOException(
          refusal(report)
              .value("disk", diskId)
              .expected(
                  "at most "
                      + MAX_OF_NODE
                      + " Lstors of a node; restart the NameNode if so many disks were replaced")
              .message());
    }
    known.add(diskId);
  }

  private static ErrorMessage refusal(LstorReport report) {
    return ErrorMessage.to("take a report in")
        .value("node", report.nodeUuid())
        .value("host", report.host());
  }
}
