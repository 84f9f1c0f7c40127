/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.format.NodesFile;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeRosterTest {
  @TempDir Path dir;

  @Test
  void whatWasNotedIsKnownAfterARestart() throws IOException {
    NodeRoster first = NodeRoster.open(dir, "CID");
    assertThat(first.contains("n1")).isFalse();
    first.add(List.of("n1", "n2"));
    first.add(List.of("n3", ""));
    NodeRoster second = NodeRoster.open(dir, "CID");
    assertThat(List.of("n1", "n2", "n3")).allMatch(second::contains);
    assertThat(second.contains("n4")).isFalse();
    assertThat(second.contains("")).isFalse();
  }

  @Test
  void onlyNewNodesAreWritten() throws IOException {
    List<Set<String>> saved = new ArrayList<>();
    NodeRoster roster = new NodeRoster(Set.of("n1"), saved::add);
    roster.add(List.of("n1"));
    roster.add(List.of("n1", "n2"));
    roster.add(List.of("n2", ""));
    assertThat(saved).containsExactly(Set.of("n1", "n2"));
  }

  /** Else a pairing could be stored by a node that nobody remembers. */
  @Test
  void aNodeThatCannotBeNotedIsNotTakenIn() {
    NodeRoster roster =
        new NodeRoster(
            Set.of(),
            nodes -> {
              throw new IOException("no room, says the test");
            });
    SuperchunkMap map = new SuperchunkMap(10_000, 20_000, 0);
    NodeReports reports =
        new NodeReports(
            map, roster, new Grants(60_000), null, () -> "CID", () -> false, () -> 0, 20_000);
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
            new SuperchunkMap(10_000, 20_000, 0),
            roster,
            new Grants(60_000),
            null,
            () -> "CID",
            () -> false,
            () -> 0,
            20_000);
    reports.reportNode(Reports.node("n1", Reports.frame("a", 0, new Pairing(1, 1, "b", "n2"))));
    reports.reportLstor(Reports.lstor("n3", false, Reports.spare("c", 0)));
    assertThat(NodesFile.read(dir)).isEqualTo(new NodesFile("CID", Set.of("n1", "n2", "n3")));
  }

  @Test
  void nodesOfAnEarlierClusterAreNone() throws IOException {
    NodeRoster.open(dir, "CID-old").add(List.of("n1"));
    NodeRoster roster = NodeRoster.open(dir, "CID");
    assertThat(roster.contains("n1")).isFalse();
    roster.add(List.of("n2"));
    assertThat(NodesFile.read(dir)).isEqualTo(new NodesFile("CID", Set.of("n2")));
  }

  @Test
  void aDamagedFileIsNamedWithWhatToDo() throws IOException {
    byte[] good = new NodesFile("CID", Set.of("n1")).encode();
    good[20] ^= 1;
    Files.write(dir.resolve(NodesFile.NAME), good);
    assertThatThrownBy(() -> NodeRoster.open(dir, "CID"))
        .hasMessageContaining(dir.resolve(NodesFile.NAME).toString())
        .hasMessageContaining("crc32c=")
        .hasMessageContaining("move it away");
  }

  @Test
  void withoutAManagerNothingIsPlacedAndTheNodesAreKnown() {
    RefusingPlacement refusing =
        new RefusingPlacement("port taken", new NodeRoster(Set.of("n1"), nodes -> {}));
    assertThat(refusing.owns("n1")).isTrue();
    assertThat(refusing.owns("n2")).isFalse();
    assertThat(refusing.leavesToHdfs("n2")).isFalse();
    assertThat(refusing.partnerOf("a")).isEmpty();
    assertThatThrownBy(
            () ->
                refusing.chooseNew(
                    "/f", 2, Optional.empty(), List.of(), Set.of(), 1, (s, n, b) -> true))
        .hasMessageContaining("/f")
        .hasMessageContaining("port taken");
  }
}
