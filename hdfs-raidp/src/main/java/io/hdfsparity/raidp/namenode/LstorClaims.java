/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.LstorReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.security.AccessControlException;

/**
 * Lstors of disks that no DataNode has reported to this manager, with the nodes in whose names they
 * were reported. Such a report proves nothing: a file that was left behind when the disk was moved
 * may be served beside the right one, or a host may invent it. While two nodes claim one Lstor it
 * counts as one that cannot be read. Once a DataNode reports the disk, only that node speaks for
 * its Lstor. Thread-safe; time is passed in.
 */
final class LstorClaims {
  private final long maxAgeMs;

  /** By disk; of each the claims by node, the first one first. */
  private final Map<String, Map<String, Claim>> claims = new HashMap<>();

  private record Claim(LstorReport report, long madeAtMs) {}

  /**
   * @param maxAgeMs after which a claim that was not repeated is none any more
   */
  LstorClaims(long maxAgeMs) {
    this.maxAgeMs = maxAgeMs;
  }

  /**
   * Notes a report.
   *
   * @return what is known of the Lstor now: the report of the first node that claims it; with a
   *     failure if there is another one
   */
  synchronized LstorReport take(LstorReport report, long nowMs) {
    Map<String, Claim> all = claims.computeIfAbsent(report.diskId(), id -> new LinkedHashMap<>());
    all.put(report.nodeUuid(), new Claim(report, nowMs));
    all.values().removeIf(claim -> nowMs - claim.madeAtMs() > maxAgeMs);
    LstorReport first = all.values().iterator().next().report();
    return all.size() == 1 ? first : first.withFailure(contested(all.values()));
  }

  private static String contested(Collection<Claim> all) {
    List<String> names = new ArrayList<>();
    all.forEach(claim -> names.add(name(claim.report())));
    return "Lstor is served in the name of more than one node: "
        + String.join(", ", names)
        + "; expected one, as no DataNode has reported its disk "
        + all.iterator().next().report().diskId()
        + " since this NameNode started; it is not read. Start the DataNode that has the disk, or"
        + " remove the file lstor-"
        + all.iterator().next().report().diskId()
        + " on the other host and restart the Lstor daemon there";
  }

  private static String name(LstorReport report) {
    return report.nodeUuid() + " at " + report.host() + ":" + report.port();
  }

  /** Refuses a report whose Lstor another node has claimed before. */
  static IOException refused(LstorReport report, LstorReport known) {
    return new AccessControlException(
        ErrorMessage.to("take a report in")
            .value("disk", report.diskId())
            .value("node", name(report))
            .expected("no Lstor that is known already: " + known.failure().orElse(name(known)))
            .message());
  }

  /**
   * Ends the claims of disks that a DataNode has reported.
   *
   * @return what is known now of Lstors that another node had claimed first: each with a failure
   */
  synchronized List<LstorReport> end(String nodeUuid, List<DiskReport> disks) {
    List<LstorReport> changed = new ArrayList<>();
    if (!claims.isEmpty()) {
      disks.forEach(disk -> end(nodeUuid, disk.diskId()).ifPresent(changed::add));
    }
    return changed;
  }

  private Optional<LstorReport> end(String nodeUuid, String diskId) {
    return Optional.ofNullable(claims.remove(diskId))
        .map(all -> all.values().iterator().next().report())
        .filter(first -> !first.nodeUuid().equals(nodeUuid))
        .map(
            first ->
                first.withFailure(
                    "Lstor is served in the name of "
                        + name(first)
                        + "; expected "
                        + nodeUuid
                        + ", whose DataNode has its disk; it is not read. Start the Lstor daemon"
                        + " there, and remove the file lstor-"
                        + diskId
                        + " on the other host"));
  }
}
