/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.izs.apply.MovePoints;
import io.hdfsparity.izs.namenode.LevelManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Paths that lead to other files by the time that advice is carried out. */
@Tag("full")
class ApplyReplacedFilesTest {
  @TempDir private static java.nio.file.Path root;

  @Test
  void adviceIsForTheFileThatItWasGivenFor() throws IOException {
    try (MiniApply apply = MiniApply.start(root, LevelManager.class)) {
      apply.write("/advised/a", 3, 1);
      apply.write("/advised/b", 3, 2);
      byte[] other = apply.write("/others/b", 3, 3);
      apply.want("/advised/a", "strong");
      apply.want("/advised/b", "strong"); // copied after a
      DistributedFileSystem fs = apply.fs();
      AtomicBoolean isReplaced = new AtomicBoolean();
      MiniApply.Run run =
          apply.apply(
              apply.conf(),
              point -> {
                if (point == MovePoints.Point.WRITING && !isReplaced.getAndSet(true)) {
                  replace(fs, "/others/b", "/advised/b");
                }
              },
              "-threads",
              "1",
              "/advised");
      assertThat(isReplaced).isTrue();
      assertThat(run.doc().toString()).as(apply.err()).contains("inode=");
      assertThat(apply.form("/advised/a")).isEqualTo("ec RS-4-2-16k");
      assertThat(apply.form("/advised/b")).isEqualTo("replication 3");
      assertThat(run.refusals("changed")).as("%s", run.doc()).isOne();
      apply.assertBytes("/advised/b", other);
      assertThat(apply.leftovers()).isEmpty();
    }
  }

  private static void replace(DistributedFileSystem fs, String from, String to) {
    try {
      fs.rename(new Path(from), new Path(to), Options.Rename.OVERWRITE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
