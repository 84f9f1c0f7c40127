/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.caso.fs.RewritePoints;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.Trash;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients that know of no order do to files in stored order loses no byte. */
@Tag("full")
class CasoStockClientsTest {
  @TempDir static java.nio.file.Path root;

  private static MiniCaso caso;

  @BeforeAll
  static void start() throws Exception {
    caso = MiniCaso.startHa(root);
  }

  @AfterAll
  static void stop() {
    caso.close();
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  @Test
  void whatIsAppendedIsKeptByAllThatMakeTheFileAnew() throws Exception {
    byte[] bytes = caso.make("/append/f", 1);
    caso.organize("/append/f");
    for (String[] anew :
        new String[][] {
          {"-rewrite", "/append/f"},
          {"-organize", "/append/f", "-trace", caso.trace(1)},
          {"-restore", "/append/f"}
        }) {
      for (int length : new int[] {3 * MiniCaso.CELL_BYTES + 5, 1}) {
        byte[] more = MiniLevels.bytes(length, bytes.length);
        caso.append("/append/f", more);
        bytes = joined(bytes, more);
      }
      assertThatThrownBy(() -> caso.read("/append/f"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("hdfs caso -restore /append/f keeps all bytes");
      assertThat(caso.run("-repair", "/append/f")).contains("Index:    sound");
      String what = String.join(" ", anew);
      assertThat(caso.run(anew)).as(what).contains("Appended: 12,294 bytes");
      assertThat(caso.read("/append/f")).as(what).isEqualTo(bytes);
    }
    assertThat(caso.isOrdered("/append/f")).isFalse();
    assertThat(MiniLevels.read(caso.stock(), "/append/f", bytes.length)).isEqualTo(bytes);
    caso.assertNothingLeft("/append");
  }

  private static void delete(String path) throws IOException {
    assertThat(caso.stock().delete(new Path(path), true)).isTrue();
  }

  /** What a stock client moves, deletes and gets back is read in its order. */
  @Test
  void theOrderFollowsTheInode() throws Exception {
    byte[] bytes = caso.make("/from/f", 2);
    caso.organize("/from/f");
    long inode = caso.inode("/from/f");
    caso.stock().mkdirs(new Path("/to"));
    assertThat(caso.stock().rename(new Path("/from/f"), new Path("/to/g"))).isTrue();
    delete("/from");
    assertThat(caso.read("/to/g")).isEqualTo(bytes);
    assertThat(caso.run("-show", "/to/g")).doesNotContain("see -repair");
    // As hdfs dfs -rm -r does, and back.
    Configuration conf = new Configuration(caso.stock().getConf());
    conf.set("fs.trash.interval", "60");
    Trash trash = new Trash(caso.stock(), conf);
    assertThat(trash.moveToTrash(new Path("/to"))).isTrue();
    Path inTrash = Path.mergePaths(trash.getCurrentTrashDir(new Path("/to")), new Path("/to/g"));
    assertThat(caso.inode(inTrash.toUri().getPath())).isEqualTo(inode);
    // The NameNode has looked since: it deletes that of another file.
    sweep();
    assertThat(caso.read(inTrash.toUri().getPath())).isEqualTo(bytes);
    caso.stock().mkdirs(new Path("/back"));
    assertThat(caso.stock().rename(inTrash, new Path("/back/f"))).isTrue();
    assertThat(caso.read("/back/f")).isEqualTo(bytes);
    caso.run("-restore", "/back/f");
    caso.awaitNoIndex(inode);
    assertThat(caso.read("/back/f")).isEqualTo(bytes);
  }

  /** Returns when the NameNode has looked for files that are gone, since it was called. */
  private static void sweep() throws IOException {
    caso.make("/swept/f", 99);
    caso.organize("/swept/f");
    long gone = caso.inode("/swept/f");
    delete("/swept");
    caso.awaitNoIndex(gone);
    // All of another round, whichever of both folders it was at.
    caso.make("/swept/f", 99);
    caso.organize("/swept/f");
    gone = caso.inode("/swept/f");
    delete("/swept");
    caso.awaitNoIndex(gone);
  }

  @Test
  void aSnapshotKeepsTheOrderOfItsFiles() throws Exception {
    byte[] bytes = caso.make("/snapped/f", 8);
    caso.organize("/snapped/f");
    byte[] other = caso.make("/snapped/g", 9);
    caso.organize("/snapped/g");
    long first = caso.inode("/snapped/f");
    long second = caso.inode("/snapped/g");
    Path directory = new Path("/snapped");
    caso.stock().allowSnapshot(directory);
    caso.stock().createSnapshot(directory, "s");
    delete("/snapped/f");
    caso.stock().mkdirs(new Path("/out"));
    assertThat(caso.stock().rename(new Path("/snapped/g"), new Path("/out/g"))).isTrue();
    caso.failOver();
    sweep();
    assertThat(caso.read("/snapped/.snapshot/s/f")).isEqualTo(bytes);
    assertThat(caso.read("/snapped/.snapshot/s/g")).isEqualTo(other);
    // Damaged since the snapshot, it is made anew in the same place.
    caso.stock().delete(new Path("/.caso/index/" + first), false);
    assertThatThrownBy(() -> caso.read("/snapped/.snapshot/s/f"))
        .hasMessageContaining("hdfs caso -repair");
    caso.run("-repair", "/snapped/.snapshot/s/f");
    assertThat(caso.read("/snapped/.snapshot/s/f")).isEqualTo(bytes);
    caso.stock().deleteSnapshot(directory, "s");
    caso.awaitNoIndex(first);
    assertThat(caso.read("/out/g")).isEqualTo(other);
    // Not before: HDFS deletes no striped file that was renamed out of a snapshot's directory.
    delete("/out");
    caso.awaitNoIndex(second);
  }

  /** Who may read the file may read its index, at each moment, and nobody else. */
  @Test
  void theOrderIsForWhoMayReadTheFile() throws Exception {
    byte[] bytes = caso.make("/rights/f", 3);
    caso.organize("/rights/f");
    Path file = new Path("/rights/f");
    caso.stock().setOwner(file, "alice", "users");
    caso.stock().setPermission(file, new FsPermission((short) 0600));
    assertThat(caso.readAs("alice", "/rights/f")).isEqualTo(bytes);
    assertThatThrownBy(() -> caso.readAs("bob", "/rights/f"))
        .isInstanceOf(AccessControlException.class);
    caso.stock().setPermission(file, new FsPermission((short) 0644));
    assertThat(caso.readAs("bob", "/rights/f")).isEqualTo(bytes);
    UserGroupInformation bob = UserGroupInformation.createRemoteUser("bob");
    Path index = caso.index("/rights/f");
    bob.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (FileSystem fs =
                  FileSystem.newInstance(caso.stock().getUri(), caso.stock().getConf())) {
                assertDenied(() -> fs.delete(index, false));
                assertDenied(() -> fs.rename(index, new Path("/rights/taken")));
                assertDenied(() -> fs.append(index));
                assertDenied(() -> fs.listStatus(index.getParent()));
                assertDenied(() -> fs.listStatus(new Path("/.caso")));
                assertDenied(() -> fs.setXAttr(index, "user.a", new byte[1]));
                assertThat(fs.getXAttrs(index)).isEmpty();
              }
              return null;
            });
  }

  private static void assertDenied(ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(AccessControlException.class);
  }

  /** Ends a run as a crash does: nothing catches it. */
  private static final class Crash extends Error {
    private static final long serialVersionUID = 1;
  }

  @Test
  void copiesOfFilesThatAreGoneAreDeleted() throws Exception {
    caso.make("/leak/f", 5);
    caso.make("/leak/inUse", 6);
    caso.make("/leak/other", 7);
    RewritePoints crash =
        at -> {
          if (at == RewritePoints.Point.COPIED) {
            throw new Crash();
          }
        };
    for (String file : new String[] {"/leak/f", "/leak/inUse"}) {
      assertThatThrownBy(() -> caso.run(crash, "-organize", file, "-trace", caso.trace(0)))
          .isInstanceOf(Crash.class);
    }
    long gone = caso.inode("/leak/f");
    long inUse = caso.inode("/leak/inUse");
    String parts = ".caso-parts-" + gone + "-" + "0f".repeat(32);
    MiniLevels.write(caso.stock(), "/.caso/work/" + parts + "/part-0", new byte[] {1});
    caso.run("-restore", "/leak/other");
    assertThat(caso.leftovers()).hasSize(3).contains(parts);
    delete("/leak/f");
    caso.run("-restore", "/leak/other");
    // Another run may be at work on a file that is there.
    assertThat(caso.leftovers()).singleElement().asString().startsWith(".caso-copy-" + inUse + "-");
    delete("/leak/inUse");
    caso.run("-restore", "/leak/other");
    assertThat(caso.leftovers()).isEmpty();
  }
}
