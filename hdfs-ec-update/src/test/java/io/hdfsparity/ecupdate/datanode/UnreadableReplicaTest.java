/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.datanode.ReadCaller;
import io.hdfsparity.bridge.datanode.ReplicaSnapshot;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.ChecksumException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A replica that the disk cannot give back, or only its begin, is as damaged as one whose bytes do
 * not fit their checksums. VolumeScanner reports all but a missing file, so it must not get one.
 */
class UnreadableReplicaTest extends UpdateVolumeFixture {
  /** Reading it at offset 0 is an error of the kernel, EIO, as of a sector that is lost. */
  private static final Path UNREADABLE = Path.of("/proc/self/mem");

  private static final ReplicaKey REPLICA = new ReplicaKey(OneVolume.POOL, BLOCK);

  /** Of the first delta in reserved space: behind two copies of the head and its own. */
  private static final int DELTA_OFFSET = 8192 + 40;

  private File file(String which) {
    File block = disk.place(BLOCK);
    return which.equals("data")
        ? block
        : new File(block.getParentFile(), block.getName() + "_" + OneVolume.STAMP + ".meta");
  }

  private void cut(String which, long lengthBytes) throws IOException {
    try (RandomAccessFile cut = new RandomAccessFile(file(which), "rw")) {
      cut.setLength(lengthBytes);
    }
  }

  private void overwrite(String which, long offset, int value) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(file(which), "rw")) {
      file.seek(offset);
      file.write(value);
    }
  }

  private void scan() throws IOException {
    try (ReplicaSnapshot scanned = open(ReadCaller.SCANNER)) {
      read(scanned);
    }
  }

  /** A parity replica with a delta in reserved space, which then the disk cannot read. */
  private Path makeDeltasUnreadable() throws Exception {
    scheme = "PLR";
    admit(PARITY);
    add(100, new byte[] {1, 2, 3});
    Path area = UpdateDirectory.open(root, OneVolume.POOL).reservedSpace(BLOCK);
    await().until(() -> volume.running().status(REPLICA).reservedUsedBytes(), used -> used > 0);
    Path kept = area.resolveSibling("kept");
    Files.move(area, kept);
    Files.createSymbolicLink(area, UNREADABLE);
    return kept;
  }

  private void restore(Path kept) throws IOException {
    Files.move(
        kept,
        UpdateDirectory.open(root, OneVolume.POOL).reservedSpace(BLOCK),
        StandardCopyOption.REPLACE_EXISTING);
  }

  private void assertRefusedOnce() {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(this::scan)
          .isInstanceOf(FileNotFoundException.class) // the scanner reports all else
          .hasMessageContaining("Input/output error");
    }
    assertThatThrownBy(() -> volume.running().merge(REPLICA))
        .hasMessageContaining("Input/output error")
        .hasMessageContaining("try again");
    assertThat(givenUp.quiet()).isEmpty();
    assertThat(disk.damaged).isEmpty();
    assertThat(rereads).as("one check for all failures").hasSize(1);
    assertThat(disk.diskChecks).hasValue(0);
  }

  @Test
  void anErrorOfTheDiskThatPassesLeavesTheReplicaInService() throws Exception {
    Path kept = makeDeltasUnreadable();
    assertRefusedOnce();
    restore(kept);
    rereads.remove().run();
    assertThat(disk.diskChecks).hasValue(1);
    assertThat(givenUp.quiet()).isEmpty();
    assertThat(disk.damaged).isEmpty();
    scan();
    add(200, new byte[] {4});
    volume.running().merge(REPLICA);
    scan();
    assertThat(rereads).isEmpty();
  }

  @Test
  void anErrorThatStaysOnADiskThatPassesItsCheckIsDamage() throws Exception {
    makeDeltasUnreadable();
    assertRefusedOnce();
    rereads.remove().run();
    assertThat(givenUp.quiet()).containsExactly(BLOCK);
    assertThat(disk.damaged).containsExactly(BLOCK);
    assertThatThrownBy(() -> add(200, new byte[] {4})).hasMessageContaining("damage");
    assertThatThrownBy(this::scan).isInstanceOf(ChecksumException.class);
    assertThat(rereads).isEmpty();
  }

  /** HDFS takes the disk out of service: no replica of it is reported one by one. */
  @Test
  void noReplicaOfADiskThatFailsItsCheckIsGivenUp() throws Exception {
    makeDeltasUnreadable();
    assertRefusedOnce();
    disk.isDiskSound = false;
    rereads.remove().run();
    assertThat(disk.diskChecks).hasValue(1);
    assertThat(givenUp.quiet()).isEmpty();
    assertThat(disk.damaged).isEmpty();
  }

  @Test
  void theScannerFindsUnreadableChecksumsOfOneThatWasNeverUpdated() throws Exception {
    Path meta = file("meta").toPath();
    Files.delete(meta);
    Files.createSymbolicLink(meta, UNREADABLE);
    try (ReplicaSnapshot scanned = open(ReadCaller.SCANNER)) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> scanned.readMeta(0, new byte[7], 0, 7))
            .isInstanceOf(ChecksumException.class)
            .hasMessageContaining("Input/output error");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"data", "meta"})
  void theScannerFindsAnEndThatComesTooEarly(String which) throws Exception {
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    for (long lengthBytes : new long[] {300, 0}) {
      cut(which, lengthBytes);
      assertThatThrownBy(this::scan).isInstanceOf(ChecksumException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"data", "meta"})
  void aWriteThatFindsItEndsUpdatesOfThisReplicaAlone(String which) throws Exception {
    long other = BLOCK - 16;
    disk.add(other, content);
    admit(DATA);
    volume.admit(other, descriptor(DATA));
    swap(100, new byte[] {1, 2, 3});
    cut(which, 300);
    assertThatThrownBy(() -> swap(CELL_BYTES + 1100, new byte[] {5}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("rewrite its block group");
    assertThat(givenUp.quiet()).containsExactly(BLOCK);
    assertThat(disk.damaged).containsExactly(BLOCK);
    volume.running().openReader(new ReplicaKey(OneVolume.POOL, other)).close();
    assertThat(volume.running().status().failure()).isEmpty();
  }

  /** As of a DataNode that opens it for the first time, or again. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "data cut",
        "meta cut",
        "meta header",
        "meta version",
        "meta type",
        "meta sums",
        "meta chunk",
        "meta unreadable",
        "state unreadable"
      })
  void damageThatIsFoundWhenItIsOpenedEndsItsUpdates(String what) throws Exception {
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    volume.close();
    damage(what);
    restart();
    assertThat(volume.reads().withheld()).containsExactly(BLOCK);
    // An error of the disk is damage when the disk has passed a check.
    for (Runnable judgement = rereads.poll(); judgement != null; judgement = rereads.poll()) {
      judgement.run();
    }
    assertThat(givenUp.quiet()).containsExactly(BLOCK);
    assertThat(disk.damaged).containsExactly(BLOCK);
  }

  /** It was admitted and nobody has asked for it yet. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "data cut",
        "meta cut",
        "meta header",
        "meta version",
        "meta type",
        "meta sums",
        "meta chunk",
        "meta unreadable"
      })
  void soDoesDamageThatIsFoundByAReader(String what) throws Exception {
    admit(DATA);
    damage(what);
    assertThatThrownBy(() -> open(ReadCaller.CLIENT)).isInstanceOf(ChecksumException.class);
    assertThat(givenUp.quiet()).containsExactly(BLOCK);
    assertThat(disk.damaged).containsExactly(BLOCK);
  }

  private void damage(String what) throws IOException {
    switch (what) {
      case "data cut" -> cut("data", 300);
      case "meta cut" -> cut("meta", 300);
      case "meta header" -> cut("meta", 3);
      case "meta version" -> overwrite("meta", 0, 0x55);
      case "meta type" -> overwrite("meta", 2, 0x55);
      case "meta sums" -> overwrite("meta", 2, 0); // none
      case "meta chunk" -> overwrite("meta", 3, 0x80); // less than nothing
      case "meta unreadable" -> makeUnreadable(file("meta").toPath());
      default -> makeUnreadable(root.resolve("ecupdate/BP-1/blk_" + BLOCK + ".state"));
    }
  }

  private static void makeUnreadable(Path file) throws IOException {
    Files.deleteIfExists(file);
    Files.createSymbolicLink(file, UNREADABLE);
  }

  /** Its bytes come back, and are not those that were written. */
  @ParameterizedTest
  @ValueSource(strings = {"scan", "merge"})
  void aDeltaThatDoesNotFitItsChecksumIsDamage(String what) throws Exception {
    scheme = "PLR";
    admit(PARITY);
    add(100, new byte[] {1, 2, 3});
    await().until(() -> volume.running().status(REPLICA).reservedUsedBytes(), used -> used > 0);
    Path area = UpdateDirectory.open(root, OneVolume.POOL).reservedSpace(BLOCK);
    try (RandomAccessFile file = new RandomAccessFile(area.toFile(), "rw")) {
      file.seek(DELTA_OFFSET + 1);
      file.write(99);
    }
    if (what.equals("scan")) {
      assertThatThrownBy(this::scan).isInstanceOf(ChecksumException.class);
    } else {
      assertThatThrownBy(() -> volume.running().merge(REPLICA)).hasMessageContaining("deltaCrc");
    }
    assertThat(givenUp.quiet()).containsExactly(BLOCK);
    assertThat(disk.damaged).containsExactly(BLOCK);
    assertThat(volume.running().status().failure()).isEmpty();
  }

  /** A disk that has lost more than single sectors is failing, though it takes what is written. */
  @Test
  void aDiskOnWhichSeveralReplicasCannotBeReadIsReportedAsFailed() throws Exception {
    List<Long> blocks = new ArrayList<>();
    for (long block = BLOCK - 16; blocks.size() < 8; block -= 16) {
      blocks.add(block);
      disk.add(block, content);
      clock.advance(QUIET_MS);
      volume.admit(block, descriptor(DATA));
      makeUnreadable(root.resolve("ecupdate/BP-1/blk_" + block + ".state"));
      long unreadable = block;
      assertThatThrownBy(
              () -> volume.running().openReader(new ReplicaKey(OneVolume.POOL, unreadable)).close())
          .hasMessageContaining("Input/output error");
      rereads.remove().run();
      if (!disk.isDiskSound) {
        break;
      }
    }
    assertThat(disk.failures).hasSize(1);
    assertThat(disk.failures.get(0)).contains("Input/output error");
    assertThat(blocks).hasSize(SuspectReplicas.MAX_UNREADABLE);
    assertThat(givenUp.quiet())
        .containsExactlyInAnyOrderElementsOf(blocks.subList(0, blocks.size() - 1));
  }

  /** A sector is lost now and then. */
  @Test
  void replicasThatCannotBeReadOnceInAWhileAreGivenUpOneByOne() throws Exception {
    Set<Long> blocks = new TreeSet<>();
    for (long block = BLOCK - 16; blocks.size() < 8; block -= 16) {
      blocks.add(block);
      disk.add(block, content);
      clock.advance(SuspectReplicas.UNREADABLE_WITHIN_MS);
      volume.admit(block, descriptor(DATA));
      makeUnreadable(root.resolve("ecupdate/BP-1/blk_" + block + ".state"));
      long unreadable = block;
      assertThatThrownBy(
              () -> volume.running().openReader(new ReplicaKey(OneVolume.POOL, unreadable)).close())
          .hasMessageContaining("Input/output error");
      rereads.remove().run();
    }
    assertThat(disk.failures).isEmpty();
    assertThat(givenUp.quiet()).containsExactlyInAnyOrderElementsOf(blocks);
  }

  /** As BlockReceiver does. */
  @Test
  void anErrorOfAWriteHasTheDiskChecked() throws Exception {
    scheme = "PLR";
    admit(PARITY);
    Path state = root.resolve("ecupdate/BP-1/blk_" + BLOCK + ".state");
    Files.createSymbolicLink(state.resolveSibling(state.getFileName() + ".tmp"), UNREADABLE);
    add(100, new byte[] {1, 2, 3});
    await().until(() -> volume.running().status().failure(), why -> !why.isEmpty());
    assertThat(volume.running().status().failure()).contains("Input/output error");
    await().until(() -> !rereads.isEmpty());
    rereads.remove().run();
    assertThat(disk.diskChecks).hasValue(1);
  }
}
