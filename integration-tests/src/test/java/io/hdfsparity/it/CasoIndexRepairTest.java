/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.caso.fs.IndexRepair;
import io.hdfsparity.caso.fs.RepairPoints;
import io.hdfsparity.caso.layout.LayoutPointer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The index of a reordered file is lost or damaged, and made anew from its copy. */
@Tag("full")
class CasoIndexRepairTest extends CasoOrganizeFixture {
  @Test
  void withoutItsIndexAFileIsAnErrorAndNeverOtherBytes() throws Exception {
    byte[] bytes = cluster.make("/d/f", 5);
    cluster.organize("/d/f");
    Path file = new Path("/d/f");
    Path index = cluster.index("/d/f");
    byte[] sound = bytes(index);
    for (int at : new int[] {0, sound.length / 2, sound.length - 1}) {
      byte[] damaged = sound.clone();
      damaged[at] ^= 1;
      replace(index, damaged);
      assertRefused("SHA-256");
    }
    replace(index, Arrays.copyOf(sound, sound.length - 1));
    assertRefused("");
    stock.delete(index, false);
    assertRefused("index=missing");
    cluster.fail("-restore", "/d/f");
    assertThat(cluster.isOrdered("/d/f")).isTrue();
    // Put back, it is as before.
    replace(index, sound);
    assertThat(cluster.read("/d/f")).isEqualTo(bytes);
    byte[] pointer = stock.getXAttrs(file).get(LayoutPointer.XATTR);
    byte[] ofAnotherVersion = pointer.clone();
    ofAnotherVersion[0] = '2';
    stock.setXAttr(file, LayoutPointer.XATTR, ofAnotherVersion);
    assertRefused(LayoutPointer.XATTR);
    stock.setXAttr(file, LayoutPointer.XATTR, pointer);
    // A copy of the stored bytes with the attributes of the file is not the file.
    MiniLevels.write(stock, "/d/copy", StoredBytes.read(stock, "/d/f"));
    stock.setXAttr(new Path("/d/copy"), LayoutPointer.XATTR, pointer);
    assertThatThrownBy(() -> cluster.read("/d/copy")).hasMessageContaining("Cannot read");
    // What was appended before there was a guard makes the index wrong.
    cluster.append("/d/f", new byte[] {1});
    assertRefused("lengthBytes");
  }

  @Test
  void theIndexIsMadeAnewFromItsCopyAndNothingElse() throws Exception {
    byte[] bytes = cluster.make("/e/f", 8);
    assertThat(cluster.fail("-repair", "/e/f")).contains("expected a file in stored order");
    cluster.organize("/e/f");
    Path file = new Path("/e/f");
    Path index = cluster.index("/e/f");
    Path spare = cluster.spare("/e/f");
    byte[] sound = bytes(index);
    assertThat(bytes(spare)).isEqualTo(sound);
    assertThat(cluster.run("-repair", "/e/f")).contains("Index:    sound", "Copy:     sound");
    byte[] other = sound.clone();
    other[sound.length / 2] ^= 1;
    for (byte[] damaged : new byte[][] {null, other, Arrays.copyOf(sound, 20), new byte[0]}) {
      for (Path lost : List.of(index, spare)) {
        if (damaged == null) {
          stock.delete(lost, false);
        } else {
          replace(lost, damaged);
        }
        boolean isIndex = lost.equals(index);
        if (isIndex) {
          assertRefused("/e/f", "hdfs caso -repair /e/f");
        } else {
          assertThat(cluster.read("/e/f")).isEqualTo(bytes);
          assertThat(cluster.run("-show", "/e/f")).contains("see -repair");
        }
        assertThat(cluster.run("-repair", "/e/f"))
            .contains(isIndex ? "Index:    rebuilt" : "Copy:     rebuilt")
            .contains(isIndex ? "Copy:     sound" : "Index:    sound");
        assertThat(bytes(index)).isEqualTo(sound);
        assertThat(bytes(spare)).isEqualTo(sound);
        assertThat(stock.getFileStatus(lost).getPermission().toShort()).isEqualTo((short) 0444);
        assertThat(cluster.read("/e/f")).isEqualTo(bytes);
      }
    }
    // An attribute that is lost or damaged is in the index, too.
    byte[] pointer = stock.getXAttrs(file).get(LayoutPointer.XATTR);
    stock.removeXAttr(file, LayoutPointer.XATTR);
    assertThat(cluster.run("-repair", "/e/f")).contains("Pointer:  rebuilt; it was:");
    assertThat(cluster.read("/e/f")).isEqualTo(bytes);
    stock.setXAttr(file, LayoutPointer.XATTR, new byte[] {1});
    stock.delete(index, false);
    assertThat(cluster.run("-repair", "/e/f"))
        .contains("Index:    rebuilt", "Copy:     sound", "Pointer:  rebuilt");
    assertThat(stock.getXAttrs(file).get(LayoutPointer.XATTR)).isEqualTo(pointer);
    assertThat(cluster.read("/e/f")).isEqualTo(bytes);
    // Where a user lets it lead elsewhere, a superuser does not follow.
    String elsewhere = new String(pointer, StandardCharsets.UTF_8).replace("/.caso", "/e/.caso");
    stock.setXAttr(file, LayoutPointer.XATTR, elsewhere.getBytes(StandardCharsets.UTF_8));
    Path theirs = new Path("/e/.caso/index/" + index.getName());
    stock.mkdirs(theirs.getParent());
    replace(theirs, new byte[] {1});
    assertThat(cluster.run("-repair", "/e/f")).contains("Index:    sound", "Pointer:  rebuilt");
    assertThat(stock.getXAttrs(file).get(LayoutPointer.XATTR)).isEqualTo(pointer);
    assertThat(bytes(theirs)).containsExactly(1);
    stock.removeXAttr(index, "trusted.parity.caso.pointer");
    stock.removeXAttr(spare, "trusted.parity.caso.pointer");
    stock.setXAttr(file, LayoutPointer.XATTR, elsewhere.getBytes(StandardCharsets.UTF_8));
    replace(theirs, sound);
    assertThat(cluster.fail("-repair", "/e/f")).contains("folder=/e/.caso, expected /.caso");
    stock.setXAttr(file, LayoutPointer.XATTR, pointer);
    // Without either, nobody knows: an index that is sound and another one's is not taken.
    byte[] more = cluster.make("/e/moved/g", 9);
    cluster.organize("/e/moved/g");
    byte[] foreign = bytes(cluster.index("/e/moved/g"));
    replace(index, foreign);
    replace(spare, foreign);
    assertThat(cluster.fail("-repair", "/e/f")).contains("expected one of them sound");
    assertThatThrownBy(() -> cluster.read("/e/f")).hasMessageContaining("expected");
    // What was there is as it was: put back, the file is read.
    replace(spare, sound);
    assertThat(cluster.run("-repair", "/e/f")).contains("Index:    rebuilt");
    assertThat(cluster.read("/e/f")).isEqualTo(bytes);
    assertThat(cluster.read("/e/moved/g")).isEqualTo(more);
    // A file that was made longer before there was a guard has the order of its beginning.
    cluster.append("/e/f", new byte[] {1});
    stock.delete(index, false);
    assertThat(cluster.run("-repair", "/e/f")).contains("Index:    rebuilt");
    assertNothingLeft("/e");
    stock.delete(new Path("/e"), true);
  }

  /** Damages the index or its copy: 0 bytes of it are others, 1 it is cut, 2 it is missing. */
  private static void damage(Path lost, int kind) throws IOException {
    byte[] sound = bytes(lost);
    if (kind == 2) {
      stock.delete(lost, false);
    } else {
      byte[] damaged = kind == 1 ? Arrays.copyOf(sound, 20) : sound;
      damaged[10] ^= 1;
      replace(lost, damaged);
    }
  }

  private static void repairDirectly(String path, RepairPoints points) throws IOException {
    new IndexRepair(stock, "/.caso", points).repair(stock.getClient().getFileInfo(path), path);
  }

  private static RepairPoints crashAt(RepairPoints.Point point) {
    return at -> {
      if (at == point) {
        throw new Crash();
      }
    };
  }

  @Test
  void aRepairMayEndAtAnyPoint() throws Exception {
    byte[] bytes = cluster.make("/g/f", 11);
    cluster.organize("/g/f");
    Path file = new Path("/g/f");
    Path index = cluster.index("/g/f");
    byte[] sound = bytes(index);
    byte[] pointer = stock.getXAttrs(file).get(LayoutPointer.XATTR);
    for (Path lost : List.of(index, cluster.spare("/g/f"))) {
      for (RepairPoints.Point point : RepairPoints.Point.values()) {
        damage(lost, point.ordinal() % 3);
        if (point == RepairPoints.Point.POINTED) {
          stock.removeXAttr(file, LayoutPointer.XATTR);
        }
        String what = lost + " " + point;
        assertThatThrownBy(() -> repairDirectly("/g/f", crashAt(point)))
            .as(what)
            .isInstanceOf(Crash.class);
        boolean isRepaired = point.compareTo(RepairPoints.Point.PUT) >= 0;
        if (isRepaired || !lost.equals(index)) {
          assertThat(cluster.read("/g/f")).as(what).isEqualTo(bytes);
        } else {
          assertRefused("/g/f", "hdfs caso -repair /g/f");
        }
        assertThat(cluster.run("-repair", "/g/f").contains("rebuilt"))
            .as(what)
            .isEqualTo(!isRepaired);
        assertThat(cluster.run("-repair", "/g/f")).as(what).doesNotContain("rebuilt");
        assertThat(cluster.read("/g/f")).as(what).isEqualTo(bytes);
        assertThat(bytes(index)).as(what).isEqualTo(sound);
        assertThat(bytes(cluster.spare("/g/f"))).as(what).isEqualTo(sound);
        assertThat(stock.getXAttrs(file).get(LayoutPointer.XATTR)).as(what).isEqualTo(pointer);
        assertNothingLeft("/g");
      }
    }
  }

  /** An error before the new one has its place, as of a full cluster. */
  @Test
  void aRepairThatFailsLeavesNothingBehind() throws Exception {
    byte[] bytes = cluster.make("/h/f", 12);
    cluster.organize("/h/f");
    damage(cluster.index("/h/f"), 0);
    for (RepairPoints.Point point :
        List.of(RepairPoints.Point.MADE, RepairPoints.Point.READ_BACK)) {
      RepairPoints fail =
          at -> {
            if (at == point) {
              throw new UncheckedIOException(new IOException("No " + point));
            }
          };
      assertThatThrownBy(() -> repairDirectly("/h/f", fail)).hasMessageContaining("No " + point);
      assertNothingLeft("/h");
    }
    assertThat(cluster.run("-repair", "/h/f")).contains("Index:    rebuilt");
    assertThat(cluster.read("/h/f")).isEqualTo(bytes);
  }

  private void assertRefused(String why) throws IOException {
    assertRefused("/d/f", why);
  }

  private static void assertRefused(String path, String why) throws IOException {
    try (FileSystem fresh = cluster.client()) {
      assertThatThrownBy(() -> fresh.open(new Path(path)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(why)
          .hasMessageContaining(path);
    }
  }

  /** A file is worth nothing without its index, whatever replication its administrator has set. */
  @Test
  void anIndexSurvivesAsManyLossesAsItsFile() throws Exception {
    byte[] bytes = cluster.make("/h/f", 12);
    Configuration conf = cluster.clientConf();
    String replication = conf.get(DFSConfigKeys.DFS_REPLICATION_KEY);
    conf.setInt(DFSConfigKeys.DFS_REPLICATION_KEY, 1);
    // Else the command has a client of before, with the replication of before.
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    try {
      cluster.organize("/h/f");
      Path index = cluster.index("/h/f");
      Path spare = cluster.spare("/h/f");
      // Two parity units.
      assertThat(stock.getFileStatus(index).getReplication()).isEqualTo((short) 3);
      assertThat(stock.getFileStatus(spare).getReplication()).isEqualTo((short) 3);
      stock.delete(index, false);
      assertThat(cluster.run("-repair", "/h/f")).contains("Index:    rebuilt");
      assertThat(stock.getFileStatus(index).getReplication()).isEqualTo((short) 3);
      assertThat(cluster.read("/h/f")).isEqualTo(bytes);
      ExtendedBlock block = StoredBytes.blocks(stock, index.toUri().getPath()).get(0).getBlock();
      assertThat(cluster.cluster().corruptBlockOnDataNodes(block)).isEqualTo(3);
      assertRefused("/h/f", "have a superuser run hdfs caso -repair /h/f");
      assertThat(cluster.run("-repair", "/h/f")).contains("Index:    rebuilt");
      assertThat(cluster.read("/h/f")).isEqualTo(bytes);
    } finally {
      conf.set(DFSConfigKeys.DFS_REPLICATION_KEY, replication);
      conf.unset("fs.hdfs.impl.disable.cache");
    }
  }
}
