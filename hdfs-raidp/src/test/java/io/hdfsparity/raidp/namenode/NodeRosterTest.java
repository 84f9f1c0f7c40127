/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.format.NodesFile;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeRosterTest {
  @TempDir Path dir;

  @Test
  void whatWasNotedIsKnownAfterARestart() throws IOException {
    NodeRoster first = NodeRoster.open(dir, "CID");
    assertThat(first.contains("n1")).isFalse();
    first.add(Map.of("n1", "10.0.0.1", "n2", "10.0.0.2"));
    first.add(Map.of("n3", "10.0.0.3"));
    NodeRoster second = NodeRoster.open(dir, "CID");
    assertThat(List.of("n1", "n2", "n3")).allMatch(second::contains);
    assertThat(second.contains("n4")).isFalse();
    assertThat(second.addressOf("n2")).contains("10.0.0.2");
    assertThat(second.addressOf("n4")).isEmpty();
  }

  @Test
  void onlyWhatIsNewIsWritten() throws IOException {
    List<Map<String, String>> saved = new ArrayList<>();
    NodeRoster roster = new NodeRoster(Map.of("n1", "a"), saved::add);
    roster.add(Map.of("n1", "a"));
    roster.add(Map.of("n1", "a", "n2", "b"));
    roster.add(Map.of("n2", "b"));
    assertThat(saved).containsExactly(Map.of("n1", "a", "n2", "b"));
    roster.add(Map.of("n2", "moved"));
    assertThat(saved).endsWith(Map.of("n1", "a", "n2", "moved"));
  }

  @Test
  void thereIsALimit() {
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i <= NodeRoster.MAX_NODES; i++) {
      many.put("n" + i, "a");
    }
    NodeRoster roster = new NodeRoster(Map.of(), addresses -> {});
    assertThatThrownBy(() -> roster.add(many))
        .hasMessageContaining("nodes=" + (NodeRoster.MAX_NODES + 1));
    assertThat(roster.contains("n1")).isFalse();
  }

  /** Else a pairing could be stored by a node that nobody remembers. */
  @Test
  void aNodeThatCannotBeNotedIsNotTakenIn() {
    NodeRoster roster =
        new NodeRoster(
            Map.of(),
            nodes -> {
              throw new IOException("no room, says the test");
            });
    SuperchunkMap map =
        new SuperchunkMap(new ManagerOptions.Silence(10_000, 20_000), Coefficients.THREE, 0);
    NodeReports reports =
        new NodeReports(
            map,
            roster,
            id -> Optional.of(new Registrations.Registered("10.0.0.1", Set.of(), Set.of("a"))),
            new Grants(60_000),
            null,
            () -> "CID",
            () -> false,
            () -> 0,
            20_000);
    assertThatThrownBy(() -> reports.reportNode(Reports.node("n1", Reports.spare("a", 0))))
        .hasMessageContaining("no room");
    assertThat(map.view().nodes()).isEmpty();
    assertThat(roster.contains("n1")).isFalse();
  }

  @Test
  void partnersAndOwnersOfLstorsAreNodesOfRaidpToo() throws IOException {
    NodeRoster roster = NodeRoster.open(dir, "CID");
    NodeReports reports =
        new NodeReports(
            new SuperchunkMap(new ManagerOptions.Silence(10_000, 20_000), Coefficients.THREE, 0),
            roster,
            id ->
                id.startsWith("n")
                    ? Optional.of(new Registrations.Registered("at-" + id, Set.of(), Set.of("a")))
                    : Optional.empty(),
            new Grants(60_000),
            null,
            () -> "CID",
            () -> false,
            () -> 0,
            20_000);
    reports.reportNode(Reports.node("n1", Reports.frame("a", 0, new Pairing(1, 1, "b", "n2", 1))));
    reports.reportLstor(Reports.lstor("n3", false, Reports.spare("c", 0)));
    reports.reportNode(
        Reports.node("n1", Reports.frame("a", 0, new Pairing(1, 2, "b", "invented", 1))));
    assertThat(NodesFile.read(dir))
        .isEqualTo(new NodesFile("CID", Map.of("n1", "at-n1", "n2", "at-n2", "n3", "at-n3")));
  }

  /** Each new disk id is kept as long as the manager runs. */
  @Test
  void aHostThatInventsLstorsIsRefusedAndOthersAreNot() throws IOException {
    SuperchunkMap map =
        new SuperchunkMap(new ManagerOptions.Silence(10_000, 20_000), Coefficients.THREE, 0);
    NodeReports reports =
        new NodeReports(
            map,
            NodeRoster.open(dir, "CID"),
            id -> Optional.of(new Registrations.Registered("at-" + id, Set.of(), Set.of("a"))),
            new Grants(60_000),
            null,
            () -> "CID",
            () -> false,
            () -> 0,
            20_000);
    for (int i = 0; i < ReportedLstors.MAX_OF_NODE; i++) {
      reports.reportLstor(lstor("n1", "invented-" + i));
    }
    for (int i = 0; i < 1000; i++) {
      String disk = "more-" + i;
      assertThatThrownBy(() -> reports.reportLstor(lstor("n1", disk)))
          .hasMessageContaining("disk=" + disk + ", expected at most 1024 Lstors of a node")
          .hasMessageContaining("node=n1");
    }
    assertThat(map.view().lstors()).hasSize(ReportedLstors.MAX_OF_NODE);
    // Known ones and those of other hosts go on.
    reports.reportLstor(lstor("n1", "invented-7"));
    reports.reportLstor(lstor("n2", "n2-d"));
    assertThat(map.view().lstors()).hasSize(ReportedLstors.MAX_OF_NODE + 1);
    assertThatThrownBy(() -> reports.reportLstor(lstor("n2", "x".repeat(256))))
        .hasMessageContaining("diskIdLength=256, expected 1 to 255 characters");
  }

  /** What a node reported once is remembered: others may name it. */
  @Test
  void aNodeThatReportsOtherFramesEachTimeIsRefusedInTheEnd() throws IOException {
    SuperchunkMap map =
        new SuperchunkMap(new ManagerOptions.Silence(10_000, 20_000), Coefficients.THREE, 0);
    NodeReports reports =
        new NodeReports(
            map,
            NodeRoster.open(dir, "CID"),
            id -> Optional.of(new Registrations.Registered("at-" + id, Set.of(), Set.of())),
            new Grants(60_000),
            null,
            () -> "CID",
            () -> false,
            () -> 0,
            20_000);
    int rounds = ReportRules.MAX_PASSED / ReportRules.MAX_FRAMES + 1;
    for (int round = 0; round <= rounds; round++) {
      reports.reportNode(deadDisk("n1", "invented-" + round, ReportRules.MAX_FRAMES));
    }
    int passed = map.passedOf("n1");
    assertThat(passed).isEqualTo(rounds * ReportRules.MAX_FRAMES);
    assertThatThrownBy(() -> reports.reportNode(deadDisk("n1", "one-more", 1)))
        .hasMessageContaining("formerFrames=" + passed + ", expected at most 65536")
        .hasMessageContaining("node=n1");
    assertThat(map.passedOf("n1")).isEqualTo(passed);
    reports.reportNode(deadDisk("n2", "other", 2));
    assertThat(map.passedOf("n2")).isZero();
    reports.reportNode(deadDisk("n2", "third", 2));
    assertThat(map.passedOf("n2")).isEqualTo(2);
    reports.reportNode(deadDisk("n2", "other", 2));
    assertThat(map.passedOf("n2")).as("what comes back is not former").isEqualTo(2);
  }

  private static NodeReport deadDisk(String uuid, String storageId, int frames) {
    FrameReport[] all = new FrameReport[frames];
    for (int i = 0; i < frames; i++) {
      all[i] = Reports.frame(storageId, i, new Pairing(i, 1, "partner", "n9", 1));
    }
    return Reports.node(uuid, DiskState.DISK_FAILED, all);
  }

  private static LstorReport lstor(String uuid, String diskId) {
    return new LstorReport(diskId, "CID", uuid, "host", 3, false, List.of(), Optional.empty());
  }

  @Test
  void aPartnerThatRegistersLaterIsNotedThoughNoReportNamesItAgain() throws IOException {
    NodeRoster roster = NodeRoster.open(dir, "CID");
    Set<String> registered = new HashSet<>(Set.of("n1"));
    NodeReports reports =
        new NodeReports(
            new SuperchunkMap(new ManagerOptions.Silence(10_000, 20_000), Coefficients.THREE, 0),
            roster,
            id ->
                registered.contains(id)
                    ? Optional.of(new Registrations.Registered("at-" + id, Set.of(), Set.of("a")))
                    : Optional.empty(),
            new Grants(60_000),
            null,
            () -> "CID",
            () -> false,
            () -> 0,
            20_000);
    NodeReport full = Reports.node("n1", Reports.frame("a", 0, new Pairing(1, 1, "b", "n2", 1)));
    OptionalLong receipt = reports.reportNode(full).receipt();
    assertThat(roster.contains("n2")).isFalse();
    registered.add("n2");
    reports.reportNode(new NodeReport(full.node(), List.of(), List.of(), receipt));
    assertThat(roster.contains("n2")).isTrue();
  }

  @Test
  void aPartnerThatNoFrameNamesAnyMoreIsNotNoted() throws IOException {
    NodeRoster roster = NodeRoster.open(dir, "CID");
    Set<String> registered = new HashSet<>(Set.of("n1"));
    NodeReports reports =
        new NodeReports(
            new SuperchunkMap(new ManagerOptions.Silence(10_000, 20_000), Coefficients.THREE, 0),
            roster,
            id ->
                registered.contains(id)
                    ? Optional.of(new Registrations.Registered("at-" + id, Set.of(), Set.of("a")))
                    : Optional.empty(),
            new Grants(60_000),
            null,
            () -> "CID",
            () -> false,
            () -> 0,
            20_000);
    NodeReport full = Reports.node("n1", Reports.frame("a", 0, new Pairing(1, 1, "b", "n2", 1)));
    OptionalLong receipt = reports.reportNode(full).receipt();
    for (String partner : List.of("n3", "n4")) {
      DiskReport changed =
          full.disks()
              .get(0)
              .withFrames(List.of(Reports.frame("a", 0, new Pairing(1, 1, "b", partner, 1))));
      receipt =
          reports
              .reportNode(new NodeReport(full.node(), List.of(changed), List.of(), receipt))
              .receipt();
      assertThat(
              reports
                  .reportNode(
                      new NodeReport(
                          full.node(),
                          List.of(
                              changed.withFrames(
                                  List.of(Reports.frame("a", 0, new Pairing(1, 1, "b", "n5", 1))))),
                          List.of(),
                          OptionalLong.of(receipt.getAsLong() + 1)))
                  .receipt())
          .as("it continues another report")
          .isEmpty();
    }
    registered.addAll(Set.of("n2", "n3", "n4", "n5"));
    reports.reportNode(new NodeReport(full.node(), List.of(), List.of(), receipt));
    assertThat(roster.contains("n4")).isTrue();
    assertThat(List.of("n2", "n3", "n5")).noneMatch(roster::contains);
  }

  @Test
  void nodesOfAnEarlierClusterAreNone() throws IOException {
    NodeRoster.open(dir, "CID-old").add(Map.of("n1", "a"));
    NodeRoster roster = NodeRoster.open(dir, "CID");
    assertThat(roster.contains("n1")).isFalse();
    roster.add(Map.of("n2", "b"));
    assertThat(NodesFile.read(dir)).isEqualTo(new NodesFile("CID", Map.of("n2", "b")));
  }

  @Test
  void aDamagedFileIsNamedWithWhatToDo() throws IOException {
    byte[] good = new NodesFile("CID", Map.of("n1", "a")).encode();
    good[20] ^= 1;
    Files.write(dir.resolve(NodesFile.NAME), good);
    assertThatThrownBy(() -> NodeRoster.open(dir, "CID"))
        .hasMessageContaining(dir.resolve(NodesFile.NAME).toString())
        .hasMessageContaining("crc32c=")
        .hasMessageContaining("move it away");
  }

  @Test
  void withoutAManagerNothingIsPlaced() {
    RefusingPlacement refusing = new RefusingPlacement("port taken", path -> true);
    assertThat(refusing.leavesToHdfs("n2")).isFalse();
    assertThatThrownBy(
            () ->
                refusing.chooseNew(
                    "/f", 2, Optional.empty(), List.of(), Set.of(), 1, (s, n, b) -> true))
        .hasMessageContaining("/f")
        .hasMessageContaining("port taken");
  }
}
