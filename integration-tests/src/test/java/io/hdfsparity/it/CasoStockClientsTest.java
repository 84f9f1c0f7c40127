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
import java.util.Arrays;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
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
  static void start() throws IOException {
    caso = MiniCaso.start(root);
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
    assertThat(caso.sideFiles("/append")).isEmpty();
  }

  private static void delete(String path) throws IOException {
    assertThat(caso.stock().delete(new Path(path), true)).isTrue();
  }

  @Test
  void theIndexFollowsAFileThatIsMoved() throws Exception {
    byte[] bytes = caso.make("/from/f", 2);
    caso.organize("/from/f");
    for (String directory : new String[] {"/to", "/into", "/over", "/last"}) {
      caso.stock().mkdirs(new Path(directory));
    }
    try (FileSystem client = caso.client()) {
      client.mkdirs(new Path("/over/g"));
      assertThat(client.rename(new Path("/from/f"), new Path("/to/g"))).isTrue();
      delete("/from");
      assertThat(caso.read("/to/g")).isEqualTo(bytes);
      assertThat(caso.sideFiles("/to")).hasSize(2);
      assertThat(client.rename(new Path("/to/g"), new Path("/into"))).isTrue();
      delete("/to");
      assertThat(caso.read("/into/g")).isEqualTo(bytes);
      ((DistributedFileSystem) client)
          .rename(new Path("/into/g"), new Path("/over/g/h"), Options.Rename.OVERWRITE);
      delete("/into");
    }
    assertThat(caso.read("/over/g/h")).isEqualTo(bytes);
    assertThat(caso.sideFiles("/over/g")).hasSize(2);
    // A stock client takes nothing along.
    assertThat(caso.stock().rename(new Path("/over/g/h"), new Path("/last/h"))).isTrue();
    assertThat(caso.run("-show", "/last/h")).contains("see -repair", "is not in the directory");
    assertThat(caso.run("-repair", "/last/h"))
        .contains("Index:    made anew", "Copy:     made anew", "is not in the directory");
    assertThat(caso.run("-show", "/last/h")).doesNotContain("see -repair");
    delete("/over");
    assertThat(caso.read("/last/h")).isEqualTo(bytes);
    assertThat(caso.sideFiles("/last")).hasSize(2);
  }

  /** What is beside the file again points to other files than the snapshot does. */
  @Test
  void aSnapshotOfTheFileElsewhereKeepsItsIndex() throws Exception {
    byte[] bytes = caso.make("/round/f", 8);
    caso.organize("/round/f");
    for (String directory : new String[] {"/round-snapped", "/round-trip"}) {
      caso.stock().mkdirs(new Path(directory));
    }
    assertThat(caso.stock().rename(new Path("/round/f"), new Path("/round-snapped/f"))).isTrue();
    caso.stock().allowSnapshot(new Path("/round-snapped"));
    caso.stock().createSnapshot(new Path("/round-snapped"), "s");
    try (FileSystem client = caso.client()) {
      assertThat(client.rename(new Path("/round-snapped/f"), new Path("/round-trip/f"))).isTrue();
      assertThat(client.rename(new Path("/round-trip/f"), new Path("/round/f"))).isTrue();
    }
    assertThat(caso.read("/round/f")).isEqualTo(bytes);
    assertThat(caso.read("/round-snapped/.snapshot/s/f")).isEqualTo(bytes);
    caso.stock().deleteSnapshot(new Path("/round-snapped"), "s");
  }

  /** An inode that a snapshot has cannot be looked for. */
  @Test
  void anIndexIsKeptAsLongAsASnapshotMayNeedIt() throws Exception {
    byte[] bytes = caso.make("/was/f", 3);
    caso.organize("/was/f");
    caso.make("/was/other", 4);
    Path directory = new Path("/snapped");
    caso.stock().mkdirs(directory);
    assertThat(caso.stock().rename(new Path("/was/f"), new Path("/snapped/f"))).isTrue();
    caso.stock().allowSnapshot(directory);
    caso.stock().createSnapshot(directory, "s");
    delete("/snapped/f");
    assertThat(caso.run("-restore", "/was/other")).contains("Left as it is");
    assertThat(caso.read("/snapped/.snapshot/s/f")).isEqualTo(bytes);
    // That of a file that was replaced is in no snapshot.
    caso.organize("/was/other");
    assertThat(caso.sideFiles("/was")).hasSize(4);
    caso.run("-restore", "/was/other");
    assertThat(caso.sideFiles("/was")).hasSize(2);
    caso.stock().deleteSnapshot(directory, "s");
    caso.run("-restore", "/was/other");
    assertThat(caso.sideFiles("/was")).isEmpty();
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
    long gone = caso.stock().getClient().getFileInfo("/leak/f").getFileId();
    long inUse = caso.stock().getClient().getFileInfo("/leak/inUse").getFileId();
    String parts = ".caso-parts-" + gone + "-" + "0f".repeat(32);
    MiniLevels.write(caso.stock(), "/leak/" + parts + "/part-0", new byte[] {1});
    caso.run("-restore", "/leak/other");
    assertThat(caso.sideFiles("/leak")).hasSize(3).contains(parts);
    delete("/leak/f");
    caso.run("-restore", "/leak/other");
    // Another run may be at work on a file that is there.
    assertThat(caso.sideFiles("/leak"))
        .singleElement()
        .asString()
        .startsWith(".caso-copy-" + inUse + "-");
  }
}
