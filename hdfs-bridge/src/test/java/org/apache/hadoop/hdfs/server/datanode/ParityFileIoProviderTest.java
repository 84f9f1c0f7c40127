/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.ReplicaFileName.Area;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParityFileIoProviderTest {
  private static final String POOL = "BP-1-127.0.0.1-1";
  @TempDir Path root;
  private final Removals hooks = new Removals();
  private final List<String> refused = new ArrayList<>();
  private ParityFileIoProvider io;

  private enum Answer {
    TAKE,
    LEAVE,
    THROW
  }

  /** Answers removals and cuts as told; every other call is a mistake of the provider. */
  private static final class Removals implements VolumeHooks {
    private final List<String> calls = new ArrayList<>();
    private Answer answer = Answer.LEAVE;
    private String throwFor = "";

    @Override
    public void reserve(String pool, long blockId, long maxBytes) {
      throw new AssertionError();
    }

    @Override
    public void reserveFailed(String pool, long blockId) {
      throw new AssertionError();
    }

    @Override
    public void finalizing(
        String pool, long blockId, long stamp, File block, File meta, long bytes) {
      throw new AssertionError();
    }

    @Override
    public void reopening(String pool, long blockId, File block, File meta, long maxBytes) {
      throw new AssertionError();
    }

    @Override
    public void written(String pool, long blockId, long stamp, File block, File meta, long bytes) {
      throw new AssertionError();
    }

    @Override
    public void truncating(String pool, long blockId, File block, File meta, long newBytes)
        throws IOException {
      calls.add(
          "cut "
              + pool
              + " "
              + blockId
              + " "
              + meta.getName()
              + " "
              + block.length()
              + "->"
              + newBytes);
      if (answer == Answer.THROW) {
        throw new IOException("no cut");
      }
    }

    @Override
    public boolean removing(String pool, File file) throws IOException {
      calls.add(pool + " " + file.getName());
      if (answer == Answer.THROW || file.getName().equals(throwFor)) {
        throw new IOException("not now");
      }
      if (answer == Answer.TAKE) {
        Files.delete(file.toPath());
      }
      return answer == Answer.TAKE;
    }

    @Override
    public void restored(String pool, File block) {
      throw new AssertionError();
    }
  }

  @BeforeEach
  void make() {
    io =
        new ParityFileIoProvider(
            new Configuration(false),
            null,
            root.resolve("current").toFile(),
            hooks,
            (pool, blockId, file) -> refused.add(pool + " " + blockId));
  }

  private File file(String path, int bytes) throws IOException {
    Path file = root.resolve("current").resolve(POOL).resolve(path);
    Files.createDirectories(file.getParent());
    return Files.write(file, new byte[bytes]).toFile();
  }

  @Test
  void filesAreKnownByTheirPlaceAndName() throws Exception {
    File current = root.resolve("current").toFile();
    assertThat(ReplicaFileName.parse(current, file("current/finalized/subdir0/subdir1/blk_5", 0)))
        .isEqualTo(new ReplicaFileName(POOL, Area.FINALIZED, 5, false));
    assertThat(ReplicaFileName.parse(current, file("current/rbw/blk_-7_1001.meta", 0)))
        .isEqualTo(new ReplicaFileName(POOL, Area.RBW, -7, true));
    assertThat(ReplicaFileName.parse(current, file("tmp/blk_5", 0)).area()).isEqualTo(Area.TMP);
    assertThat(ReplicaFileName.parse(current, file("trash/finalized/blk_5", 0)).area())
        .isEqualTo(Area.TRASH);
    assertThat(ReplicaFileName.parse(current, file("previous/finalized/blk_5", 0)).area())
        .isEqualTo(Area.OTHER);
    assertThat(ReplicaFileName.parse(current, file("current/lazypersist/blk_5", 0)).area())
        .isEqualTo(Area.OTHER);
    assertThat(ReplicaFileName.parse(current, file("current/dfsUsed", 0))).isNull();
    assertThat(ReplicaFileName.parse(current, file("current/finalized/blk_5.unlinked", 0)))
        .isNull();
    assertThat(ReplicaFileName.parse(current, root.resolve("elsewhere/a/b/blk_5").toFile()))
        .isNull();
  }

  @Test
  void aTakenFileIsReportedAsDeleted() throws Exception {
    hooks.answer = Answer.TAKE;
    assertThat(io.delete(null, file("current/finalized/blk_1", 10))).isTrue();
    assertThat(io.deleteWithExistsCheck(null, file("current/finalized/blk_2", 10))).isTrue();
    assertThat(io.fullyDelete(null, file("current/finalized/blk_3", 10))).isTrue();
    assertThat(hooks.calls).containsExactly(POOL + " blk_1", POOL + " blk_2", POOL + " blk_3");
  }

  @Test
  void aFileLeftToTheCallerIsDeletedHere() throws Exception {
    File file = file("current/rbw/blk_1_1001.meta", 10);
    assertThat(io.fullyDelete(null, file)).isTrue();
    assertThat(file).doesNotExist();
  }

  @Test
  void aRefusedFileStaysAndTheDeleteHasFailed() throws Exception {
    hooks.answer = Answer.THROW;
    List<File> files =
        List.of(
            file("current/finalized/blk_1", 10),
            file("current/finalized/blk_2", 10),
            file("tmp/blk_3", 10));
    assertThat(io.delete(null, files.get(0))).isFalse();
    assertThat(io.deleteWithExistsCheck(null, files.get(1))).isFalse();
    assertThat(io.fullyDelete(null, files.get(2))).isFalse();
    assertThat(files).allSatisfy(f -> assertThat(f).hasSize(10));
    assertThat(refused).containsExactly(POOL + " 1", POOL + " 2", POOL + " 3");
  }

  @Test
  void absentAndOtherFilesAreTheSuperclasss() throws Exception {
    File absent = root.resolve("current").resolve(POOL).resolve("current/finalized/blk_9").toFile();
    assertThat(io.delete(null, absent)).isFalse();
    assertThat(io.deleteWithExistsCheck(null, absent)).isTrue();
    assertThat(io.fullyDelete(null, absent)).isTrue();
    assertThat(io.delete(null, file("current/dfsUsed", 3))).isTrue();
    assertThat(hooks.calls).isEmpty();
  }

  @Test
  void deletingADirectoryAsksForEachReplicaFileInOrder() throws Exception {
    file("tmp/blk_2_1001.meta", 1);
    file("tmp/blk_2", 1);
    file("tmp/subdir0/blk_1", 1);
    file("tmp/subdir0/blk_1_1001.meta", 1);
    file("tmp/note", 1);
    File tmp = root.resolve("current").resolve(POOL).resolve("tmp").toFile();
    assertThat(io.fullyDelete(null, tmp)).isTrue();
    assertThat(tmp).doesNotExist();
    assertThat(hooks.calls)
        .containsExactly(
            POOL + " blk_2", POOL + " blk_2_1001.meta", POOL + " blk_1", POOL + " blk_1_1001.meta");
  }

  @Test
  void aRefusalInsideADirectoryKeepsThatFileOnly() throws Exception {
    hooks.throwFor = "blk_2";
    File kept = file("tmp/blk_2", 7);
    File gone = file("tmp/blk_3", 1);
    assertThat(io.fullyDelete(null, kept.getParentFile())).isFalse();
    assertThat(kept).hasSize(7);
    assertThat(gone).doesNotExist();
  }

  @Test
  void trashHasTheBytesWhateverTheHookDoes() throws Exception {
    for (Answer answer : new Answer[] {Answer.TAKE, Answer.LEAVE}) {
      hooks.answer = answer;
      File block = file("current/finalized/blk_1", 10);
      File meta = file("current/finalized/blk_1_1001.meta", 3);
      Path trash =
          Files.createDirectories(root.resolve("current").resolve(POOL).resolve("trash/finalized"));
      io.rename(null, block, trash.resolve("blk_1").toFile());
      assertThat(block).doesNotExist();
      assertThat(trash.resolve("blk_1")).hasSize(10);
      io.rename(null, meta, trash.resolve("blk_1_1001.meta").toFile());
      assertThat(meta).doesNotExist();
      assertThat(trash.resolve("blk_1_1001.meta")).hasSize(3);
    }
    hooks.answer = Answer.THROW;
    File block = file("current/finalized/blk_2", 10);
    file("current/finalized/blk_2_1001.meta", 3);
    Path target = root.resolve("current").resolve(POOL).resolve("trash/finalized/blk_2");
    assertThatThrownBy(() -> io.rename(null, block, target.toFile())).hasMessage("not now");
    assertThat(block).hasSize(10);
    assertThat(refused).containsExactly(POOL + " 2");
  }

  @Test
  void checksumsThatTheHookTookWithTheBlockAreInTrashAlready() throws Exception {
    File block = file("current/finalized/blk_1", 10);
    File meta = file("current/finalized/blk_1_1001.meta", 3);
    Path trash =
        Files.createDirectories(root.resolve("current").resolve(POOL).resolve("trash/finalized"));
    hooks.answer = Answer.TAKE;
    io.rename(null, block, trash.resolve("blk_1").toFile());
    Files.delete(meta.toPath());
    io.rename(null, meta, trash.resolve("blk_1_1001.meta").toFile());
    assertThat(trash.resolve("blk_1_1001.meta")).hasSize(3);
  }

  @Test
  void cutsAreAskedForAndGrowthIsNot() throws Exception {
    File block = file("current/finalized/blk_1", 10);
    file("current/finalized/blk_1_1001.meta", 3);
    file("current/finalized/blk_1_999.meta", 3);
    try (RandomAccessFile file = io.getRandomAccessFile(null, block, "rw")) {
      file.setLength(12);
      file.setLength(4);
      file.write(new byte[] {1, 2});
      file.seek(0);
      assertThat(file.read(new byte[2], 0, 2)).isEqualTo(2);
    }
    assertThat(hooks.calls).containsExactly("cut " + POOL + " 1 blk_1_1001.meta 12->4");
    assertThat(block).hasSize(4);
    hooks.answer = Answer.THROW;
    try (RandomAccessFile file = io.getRandomAccessFile(null, block, "rw")) {
      assertThatThrownBy(() -> file.setLength(1)).hasMessage("no cut");
    }
    assertThat(block).hasSize(4);
  }
}
