/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replicas in the directories of a volume. */
class FrameDirectoryTest {
  private static final String POOL = "BP-1";
  private static final long FIRST_ID = 1_073_741_825L;

  @TempDir Path root;
  private FrameDirectory frame;
  private Path finalized;

  @BeforeEach
  void open() throws IOException {
    frame = new FrameDirectory(root);
    finalized = Files.createDirectories(frame.finalizedDirectory(POOL, FIRST_ID));
  }

  private static void put(Path directory, long blockId) throws IOException {
    Files.createFile(directory.resolve("blk_" + blockId));
    Files.createFile(directory.resolve("blk_" + blockId + "_1001.meta"));
  }

  private static void remove(Path directory, long blockId) throws IOException {
    Files.delete(directory.resolve("blk_" + blockId));
    Files.delete(directory.resolve("blk_" + blockId + "_1001.meta"));
  }

  @Test
  void anEmptyVolumeHoldsNothing() throws IOException {
    FrameDirectory empty = new FrameDirectory(root.resolve("none"));
    assertThat(empty.scan(POOL)).isEmpty();
    assertThat(empty.holdsBlocks()).isFalse();
    assertThat(frame.scan(POOL)).isEmpty();
    assertThat(frame.holdsBlocks()).isFalse();
  }

  /** As each block is found alone. */
  @Test
  void aScanFindsWhatALookAtEachBlockFinds() throws IOException {
    Path rbw = Files.createDirectories(frame.rbwDirectory(POOL));
    Path temporary = Files.createDirectories(frame.temporaryDirectory(POOL));
    for (long id = FIRST_ID; id < FIRST_ID + 5_000; id++) {
      put(finalized, id);
    }
    Files.delete(finalized.resolve("blk_" + FIRST_ID));
    Files.delete(finalized.resolve("blk_" + (FIRST_ID + 1) + "_1001.meta"));
    put(Files.createDirectory(finalized.resolve("subdir7")), -5);
    put(rbw, 7);
    put(temporary, 8);
    Files.createFile(finalized.resolve("blk_9.other"));
    List<ReplicaFiles> found = frame.scan(POOL);
    assertThat(found).hasSize(5_001).doesNotHaveDuplicates();
    LongStream ids =
        LongStream.concat(
            LongStream.iterate(FIRST_ID, id -> id < FIRST_ID + 5_000, id -> id + 250),
            LongStream.of(-5, 7, 8, 9, FIRST_ID + 1));
    for (long id : ids.toArray()) {
      List<ReplicaFiles> expected = new ArrayList<>();
      for (Path directory : List.of(finalized, finalized.resolve("subdir7"), rbw, temporary)) {
        FrameDirectory.findIn(directory, id).ifPresent(expected::add);
      }
      assertThat(found.stream().filter(each -> each.blockId() == id).toList()).isEqualTo(expected);
    }
    assertThat(frame.holdsBlocks()).isTrue();
  }

  /** As a crash between Hadoop's renames of a checksum file and its block file leaves behind. */
  @Test
  void ofTwoChecksumFilesTheLaterCounts() throws IOException {
    put(finalized, FIRST_ID);
    for (long stamp : new long[] {7, 1500, 1499}) {
      Files.createFile(finalized.resolve("blk_" + FIRST_ID + "_" + stamp + ".meta"));
    }
    assertThat(FrameDirectory.findIn(finalized, FIRST_ID).orElseThrow().generationStamp())
        .isEqualTo(1500);
    assertThat(frame.scan(POOL)).extracting(ReplicaFiles::generationStamp).containsExactly(1500L);
  }

  @Test
  void aScanGoesOnWhenOthersAreDeletedMeanwhile() throws IOException {
    put(finalized, FIRST_ID);
    CompletableFuture<Void> others = CompletableFuture.runAsync(this::comeAndGo);
    while (!others.isDone()) {
      assertThat(frame.scan(POOL)).extracting(ReplicaFiles::blockId).contains(FIRST_ID);
      assertThat(frame.holdsBlocks()).isTrue();
    }
    others.join();
    try (Stream<Path> left = Files.list(finalized)) {
      assertThat(left).hasSize(2);
    }
  }

  /** Other replicas and a directory come and go. */
  private void comeAndGo() {
    try {
      for (int round = 0; round < 50; round++) {
        Path directory = Files.createDirectory(finalized.resolve("subdir8"));
        for (long id = FIRST_ID + 1; id < FIRST_ID + 100; id++) {
          put(finalized, id);
        }
        put(directory, 7);
        for (long id = FIRST_ID + 1; id < FIRST_ID + 100; id++) {
          remove(finalized, id);
        }
        remove(directory, 7);
        Files.delete(directory);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
