/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.it.Damage.LstorPlaces;
import io.hdfsparity.raidp.format.DiskFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged, foreign and swapped files under real DataNodes: each is refused by name, what can be
 * read stays readable, nothing is changed, and with the right files back all is as it was.
 */
@Tag("full")
class RaidpDamageTest {
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(8, 2, 1, 3, 4L << 20, 1 << 16, 256 << 10);
  private static final String FRAME_FILE = "raidp-frame";
  private static final String DISK_FILE = "raidp-disk";

  private MiniRaidp raidp;
  private final Map<String, byte[]> files = new TreeMap<>();

  /** Damage to the files of one stopped node, and what its error says. */
  private record Case(String error, Strike strike) {}

  private interface Strike {
    void at(int node) throws IOException;
  }

  @Test
  void eachDamageIsRefusedByNameAndHarmsNothing(@TempDir Path root) throws Exception {
    try (MiniRaidp cluster = MiniRaidp.start(root, SHAPE)) {
      raidp = cluster;
      for (int i = 0; i < 30; i++) {
        byte[] content = MiniRaidp.bytes(i, 1 + 8_501 * i);
        raidp.write("/d/" + i, content);
        files.put("/d/" + i, content);
      }
      Soundness.assertSound(raidp);
      whoHasNoRightsChangesNothing();
      refusals();
      harmlessOrRepairable();
    }
  }

  private List<Case> cases() {
    return List.of(
        new Case(
            "CorruptHeader",
            node -> {
              Damage.flip(lstor(node).file(), 100);
              Damage.flip(lstor(node).file(), LstorPlaces.BLOCK + 100);
            }),
        new Case("CorruptTable", node -> Damage.flip(lstor(node).file(), usedRow(node) + 20)),
        new Case(
            "ForeignDisk",
            node ->
                Files.copy(
                    lstor((node + 1) % SHAPE.nodes()).file(),
                    lstor(node).file(),
                    StandardCopyOption.REPLACE_EXISTING)),
        new Case("was cut", node -> Damage.cut(lstor(node).file(), lstor(node).fileBytes() - 4096)),
        new Case(
            "clusterId=CID-elsewhere",
            node ->
                new DiskFile("CID-elsewhere", DiskFile.read(disk(node)).diskId())
                    .write(disk(node))),
        new Case("Corrupt", node -> Damage.cut(disk(node).resolve(DISK_FILE), 17)),
        new Case(
            "Foreign",
            node ->
                Files.copy(
                    volume((node + 1) % SHAPE.nodes()).resolve(FRAME_FILE),
                    volume(node).resolve(FRAME_FILE),
                    StandardCopyOption.REPLACE_EXISTING)),
        new Case("Corrupt", node -> Damage.flip(volume(node).resolve(FRAME_FILE), 30)));
  }

  private void refusals() throws Exception {
    List<Case> cases = cases();
    List<DataNodeProperties> stopped = stopAll();
    keepCopies();
    for (int node = 0; node < cases.size(); node++) {
      cases.get(node).strike().at(node);
    }
    restart(stopped);
    for (int node = 0; node < cases.size(); node++) {
      awaitProblem(node, cases.get(node).error());
    }
    // A node may tell its problem before it tells its replicas; wrong bytes are never waited for.
    MiniRaidp.await("readable")
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              assertReadable();
              return true;
            });
    assertThatThrownBy(() -> raidp.write("/refused", new byte[10]))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/refused");
    raidp.fs().delete(new org.apache.hadoop.fs.Path("/refused"), false);
    stopped = stopAll();
    restoreCopies();
    restart(stopped);
    awaitUsable();
    assertReadable();
    Soundness.assertSound(raidp);
  }

  /** What a crash may leave at the end of a journal, and what a scrub has to find. */
  private void harmlessOrRepairable() throws Exception {
    List<DataNodeProperties> stopped = stopAll();
    for (long at = 0; at < 16; at++) {
      Damage.flip(lstor(0).file(), lstor(0).journal() + at * LstorPlaces.BLOCK);
    }
    Damage.flip(lstor(1).file(), lstor(1).dataParity() + 5);
    restart(stopped);
    awaitUsable();
    assertReadable();
    MiniRaidp.Printed scrub = raidp.admin("-scrub", "-json");
    assertThat(scrub.exitCode()).as(scrub.toString()).isNotZero();
    assertThat(scrub.json().path("findings"))
        .as(scrub.toString())
        .allMatch(finding -> finding.path("kind").asText().equals("parity-cell-crc"))
        .isNotEmpty();
    MiniRaidp.Printed repair = raidp.admin("-fsck", "-repair", "-json");
    assertThat(repair.exitCode()).as(repair.toString()).isZero();
    Soundness.assertSound(raidp);
  }

  private void whoHasNoRightsChangesNothing() throws Exception {
    String before = raidp.admin("-layout", "-json").out();
    String disk =
        raidp
            .admin("-status", "-json")
            .json()
            .path("nodes")
            .path(0)
            .path("disks")
            .path(0)
            .path("id")
            .asText();
    UserGroupInformation bob =
        UserGroupInformation.createUserForTesting("bob", new String[] {"people"});
    for (String[] command :
        List.of(
            new String[] {"-layout", "-apply"},
            new String[] {"-failDisk", disk},
            new String[] {"-recover"},
            new String[] {"-fsck", "-repair"},
            new String[] {"-scrub"})) {
      MiniRaidp.Printed refused =
          bob.doAs((PrivilegedExceptionAction<MiniRaidp.Printed>) () -> raidp.admin(command));
      assertThat(refused.exitCode()).as(List.of(command) + " " + refused).isNotZero();
      assertThat(refused.err()).as(List.of(command) + " " + refused).contains("bob", "uperuser");
    }
    assertThat(raidp.admin("-layout", "-json").out()).isEqualTo(before);
  }

  // ---------------------------------------------------------------- nodes

  private static int nodeOf(DataNodeProperties node) {
    String dirs = node.getDatanode().getConf().get("dfs.datanode.data.dir");
    return Integer.parseInt(dirs.replaceAll("(?s).*?/node([0-9]+)/.*", "$1"));
  }

  private List<DataNodeProperties> stopAll() {
    List<DataNodeProperties> stopped = new ArrayList<>();
    for (int i = 0; i < SHAPE.nodes(); i++) {
      stopped.add(raidp.dfs().stopDataNode(0));
    }
    stopped.sort(Comparator.comparingInt(RaidpDamageTest::nodeOf));
    return stopped;
  }

  private void restart(List<DataNodeProperties> stopped) throws Exception {
    for (DataNodeProperties node : stopped) {
      raidp.dfs().restartDataNode(node, true);
    }
  }

  private void awaitProblem(int node, String error) {
    MiniRaidp.await("node " + node + " says " + error)
        .untilAsserted(
            () -> {
              MiniRaidp.Printed status = raidp.admin("-status", "-json");
              List<String> details = new ArrayList<>();
              status.json().path("problems").forEach(p -> details.add(p.path("detail").asText()));
              assertThat(details)
                  .anyMatch(
                      detail ->
                          detail.contains(error)
                              && (detail.contains("node" + node + "/")
                                  || detail.contains("node" + node + "-")));
            });
  }

  private void awaitUsable() {
    MiniRaidp.await("all superchunks usable, no problems")
        .untilAsserted(
            () -> {
              JsonNode chunks = raidp.admin("-layout", "-json").json().path("superchunks");
              assertThat(chunks).isNotEmpty();
              for (JsonNode chunk : chunks) {
                assertThat(chunk.path("usable").asBoolean()).as(chunk.toString()).isTrue();
              }
              MiniRaidp.Printed status = raidp.admin("-status", "-json");
              assertThat(status.json().path("problems")).as(status.toString()).isEmpty();
            });
  }

  private void assertReadable() throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertThat(raidp.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
    }
  }

  // ---------------------------------------------------------------- files

  private Path disk(int node) {
    return MiniRaidp.diskRoot(raidp.root(), node, 0);
  }

  private Path volume(int node) {
    return raidp.volumeDirs(node).get(0);
  }

  private LstorPlaces lstor(int node) throws IOException {
    return LstorPlaces.of(MiniRaidp.lstorDir(raidp.root(), node, 0));
  }

  /** Offset of a row of the slot table that is in use. */
  private long usedRow(int node) throws IOException {
    LstorPlaces places = lstor(node);
    byte[] bytes = Files.readAllBytes(places.file());
    for (int i = 0; i < places.maxEntries(); i++) {
      long row = places.slotTable() + 256L * i;
      if (bytes[(int) row + 4] != 0) {
        return row;
      }
    }
    throw new AssertionError("no row in use");
  }

  private List<Path> kept() throws IOException {
    List<Path> kept = new ArrayList<>();
    for (int node = 0; node < SHAPE.nodes(); node++) {
      kept.add(ParityTwin.lstorFile(MiniRaidp.lstorDir(raidp.root(), node, 0)));
      kept.add(disk(node).resolve(DISK_FILE));
      kept.add(volume(node).resolve(FRAME_FILE));
    }
    return kept;
  }

  private Path copyOf(Path file) {
    return raidp.root().resolve("kept").resolve(raidp.root().relativize(file));
  }

  private void keepCopies() throws IOException {
    for (Path file : kept()) {
      Files.createDirectories(copyOf(file).getParent());
      Files.copy(file, copyOf(file));
    }
  }

  private void restoreCopies() throws IOException {
    for (Path file : kept()) {
      Files.copy(copyOf(file), file, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
