/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readers that have a file open while it changes its order. */
@Tag("full")
class CasoReadersTest {
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

  /** A command that gives a file another inode. */
  private interface Change {
    void run() throws IOException;
  }

  @Test
  void bytesOfAStreamAreRightOrAnErrorWhenTheBlocksAreGone() throws Exception {
    byte[] bytes = caso.make("/open/f", 1);
    whileOpen("/open/f", bytes, () -> caso.organize("/open/f"));
    assertThat(caso.isOrdered("/open/f")).isTrue();
    whileOpen(
        "/open/f",
        bytes,
        () ->
            assertThat(caso.run("-reorganize", "/open/f", "-trace", caso.trace(1)))
                .contains("Changed:"));
    whileOpen("/open/f", bytes, () -> caso.run("-restore", "/open/f"));
    assertThat(caso.isOrdered("/open/f")).isFalse();
  }

  /** Reads by streams that were opened before a change, when no block of then is left. */
  private static void whileOpen(String path, byte[] bytes, Change change) throws IOException {
    try (FileSystem client = caso.client();
        FSDataInputStream byPath = client.open(new Path(path));
        FSDataInputStream byHandle =
            client.open(client.getPathHandle(client.getFileStatus(new Path(path))))) {
      List<String> former = caso.replicas(path);
      change.run();
      assertThat(caso.replicas(path)).doesNotContainAnyElementsOf(former);
      caso.awaitGone(former);
      for (FSDataInputStream in : List.of(byPath, byHandle)) {
        assertThat(wrongCells(in, bytes)).isEmpty();
        requireRightOrError(in, bytes);
      }
    }
    assertThat(caso.read(path)).isEqualTo(bytes);
  }

  /** Cells that a positioned read gives other bytes of, without an error. */
  private static List<Integer> wrongCells(FSDataInputStream in, byte[] bytes) {
    List<Integer> wrong = new ArrayList<>();
    for (int cell : new int[] {0, 1, 60, 67, 74, 120, 129, 138, 159, 160}) {
      int from = cell * MiniCaso.CELL_BYTES;
      byte[] got = new byte[Math.min(MiniCaso.CELL_BYTES, bytes.length - from)];
      try {
        in.readFully(from, got);
      } catch (IOException e) {
        continue;
      }
      if (!Arrays.equals(got, Arrays.copyOfRange(bytes, from, from + got.length))) {
        wrong.add(cell);
      }
    }
    return wrong;
  }

  private static void requireRightOrError(FSDataInputStream in, byte[] bytes) {
    byte[] got = new byte[bytes.length];
    try {
      in.seek(0);
      in.readFully(got);
    } catch (IOException e) {
      return;
    }
    assertThat(Arrays.equals(got, bytes)).isTrue();
  }

  /** A stream goes on with the file that was opened, whatever is called so by now. */
  @Test
  void aStreamFollowsItsFileAndNotItsPath() throws Exception {
    byte[] bytes = caso.make("/move/f", 2);
    caso.organize("/move/f");
    try (FileSystem client = caso.client();
        FSDataInputStream in = client.open(new Path("/move/f"))) {
      assertThat(caso.stock().rename(new Path("/move/f"), new Path("/move/g"))).isTrue();
      caso.make("/move/f", 3);
      byte[] got = new byte[bytes.length];
      in.readFully(0, got);
      assertThat(got).isEqualTo(bytes);
    }
  }
}
