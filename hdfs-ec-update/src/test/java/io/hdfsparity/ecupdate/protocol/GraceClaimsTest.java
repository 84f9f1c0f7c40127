/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.refusal.Refusal;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who goes before whoever opens a file after a failover. */
class GraceClaimsTest {
  private static final SessionTimes TIMES = new SessionTimes(100, 40, 10, 9, 9);
  private static final long INODE = 16_386;
  private static final SessionId EXCLUSIVE = new SessionId(-5);
  private static final SessionOwner OWNER = SessionOwner.of(INODE, "u", Sharing.EXCLUSIVE);
  private static final Set<String> NODES = Set.of("a", "b");

  private final AtomicLong clockMs = new AtomicLong(1000);
  private final AtomicLong numbers = new AtomicLong();
  private final NodeRegistry nodes = new NodeRegistry(TIMES, clockMs::get);
  private final SessionTable table =
      new SessionTable(TIMES, clockMs::get, numbers::incrementAndGet);
  private final GraceClaims claims = new GraceClaims(nodes);

  @BeforeEach
  void becomeActive() {
    table.in(1);
  }

  private void report(String uuid, Map<SessionId, SessionOwner> suspended) {
    nodes.reported(
        new NodeReport(new UpdateNode(uuid, 1, "h", 2), table.incarnation(), 1, true, suspended));
  }

  private Optional<String> judge(long inode) {
    return claims.judge(table, inode, "/f", NODES).map(Refusal::kind);
  }

  @Test
  void anExclusiveSessionThatMayBeAttachedGoesBefore() {
    report("a", Map.of(EXCLUSIVE, OWNER));
    assertThat(judge(INODE)).contains("in-use");
    report("b", Map.of());
    assertThat(judge(INODE)).as("one DataNode is enough").contains("in-use");
    assertThat(judge(INODE + 1)).as("another file").isEmpty();
  }

  @Test
  void eachDataNodeOfTheFileIsHeardFirst() {
    assertThat(judge(INODE)).contains("suspended");
    report("a", Map.of());
    assertThat(judge(INODE)).contains("suspended");
    nodes.reported(new NodeReport(new UpdateNode("b", 1, "h", 2), table.incarnation() + 1, 1));
    assertThat(judge(INODE)).as("of another term").contains("suspended");
    report("b", Map.of());
    assertThat(judge(INODE)).isEmpty();
  }

  @Test
  void aSharedSessionThatMayBeAttachedKeepsNobodyOut() {
    SessionOwner shared = SessionOwner.of(INODE, "u", Sharing.SHARED);
    report("a", Map.of(EXCLUSIVE, shared, new SessionId(-6), SessionOwner.UNKNOWN));
    report("b", Map.of(EXCLUSIVE, shared));
    assertThat(judge(INODE)).isEmpty();
  }

  @Test
  void oneThatIsAttachedOrOverIsTheTablesAffair() {
    report("a", Map.of(EXCLUSIVE, OWNER));
    report("b", Map.of(EXCLUSIVE, OWNER));
    Lease lease = new Lease(EXCLUSIVE, INODE, "/f", "u", "c", Sharing.EXCLUSIVE, Optional.empty());
    assertThat(table.attach(lease, OptionalLong.empty()).id()).contains(EXCLUSIVE);
    assertThat(judge(INODE)).isEmpty();
    assertThat(
            table
                .open(INODE, OptionalLong.empty(), "/f", "v", new OpenRequest("/f", "c", 0))
                .refusal()
                .orElseThrow()
                .kind())
        .isEqualTo("in-use");
    table.end(EXCLUSIVE, new Lease.End(RefusalKind.unknown(EXCLUSIVE), /* untouched= */ false));
    assertThat(judge(INODE)).as("DataNodes may not know that it is over").isEmpty();
  }

  @Test
  void afterTheGraceNobodyIsWaitedFor() {
    report("a", Map.of(EXCLUSIVE, OWNER));
    clockMs.addAndGet(TIMES.graceMs() - 1);
    assertThat(judge(INODE)).contains("in-use");
    clockMs.incrementAndGet();
    assertThat(judge(INODE)).isEmpty();
  }
}
