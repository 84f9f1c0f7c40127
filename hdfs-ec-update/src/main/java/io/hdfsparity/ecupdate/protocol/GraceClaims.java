/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import io.hdfsparity.bridge.refusal.Refusal;
import java.util.Optional;
import java.util.Set;

/**
 * Who goes before whoever opens a file after a failover: the owner of an exclusive session, as long
 * as it may be attached. Without that, a shared session that is opened first keeps it out.
 *
 * <p>DataNodes say that there was one. Each with a unit of the file is waited for until it has said
 * what it keeps suspended, which takes a report or two. A DataNode that was started again does not
 * know: others do, and a session that not all of them keep is not attached anyway.
 *
 * <p>It decides who comes first, and nothing else: two sessions of which one is exclusive are never
 * both open, whoever that is ({@link SessionTable}). Thread-safe.
 */
public final class GraceClaims {
  private final NodeRegistry nodes;

  /**
   * @param nodes what DataNodes have said
   */
  public GraceClaims(NodeRegistry nodes) {
    this.nodes = nodes;
  }

  /**
   * Why a file is not opened now; empty after the grace.
   *
   * @param table of the present term
   * @param uuids of the DataNodes that have a unit of the file
   */
  public Optional<Refusal> judge(SessionTable table, long inodeId, String path, Set<String> uuids) {
    long graceMs = table.graceLeftMs();
    if (graceMs <= 0) {
      return Optional.empty();
    }
    NodeRegistry.Exclusives said = nodes.exclusives(uuids, table.incarnation(), inodeId);
    if (said.sessions().stream().anyMatch(table::isAttachable)) {
      return Optional.of(
          RefusalKind.IN_USE.because(
              "session",
              "exclusive, of before the failover; it may be attached for ms=" + graceMs,
              "none that is exclusive",
              path));
    }
    return said.isWhole()
        ? Optional.empty()
        : Optional.of(
            RefusalKind.SUSPENDED.because(
                "dataNodesReported", "not all", "all that have a unit of it", path));
  }
}
