/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every store against an array of bytes. */
class ByteStoreTest {
  private static final int SIZE_BYTES = 3 * 4096 + 1234;

  @TempDir Path directory;
  private int files;

  /**
   * The stores under test; the mapped one also in segments of a page, so that ranges cross them.
   */
  enum Kind {
    FILE,
    MAPPED,
    MAPPED_SMALL_SEGMENTS,
    CRASHABLE,
    FAULTY;

    ByteStore open(Path file) throws IOException {
      return switch (this) {
        case FILE -> FileByteStore.open(file);
        case MAPPED -> MappedByteStore.open(file);
        case MAPPED_SMALL_SEGMENTS -> MappedByteStore.open(file, 4096);
        case CRASHABLE ->
            CrashableByteStore.of(
                Files.readAllBytes(file), CrashableByteStore.DEFAULT_ATOM_BYTES, new Random());
        case FAULTY -> new FaultyByteStore(FileByteStore.open(file), new Random());
      };
    }
  }

  private Path zeros() throws IOException {
    Path file = directory.resolve("store-" + files++);
    FileByteStore.create(file, SIZE_BYTES, Allocation.FULL).close();
    return file;
  }

  @ParameterizedTest
  @EnumSource
  void readsGiveWhatWasWritten(Kind kind) {
    SeededRuns.of(20)
        .check(
            random -> {
              byte[] twin = new byte[SIZE_BYTES];
              try (ByteStore store = kind.open(zeros())) {
                assertThat(store.sizeBytes()).isEqualTo(SIZE_BYTES);
                for (int step = 0; step < 100; step++) {
                  step(store, twin, random);
                }
              }
            });
  }

  private static void step(ByteStore store, byte[] twin, Random random) throws IOException {
    int offset = random.nextInt(SIZE_BYTES + 1);
    int length = random.nextInt(SIZE_BYTES - offset + 1);
    byte[] expected = Arrays.copyOfRange(twin, offset, offset + length);
    ByteBuffer buffer =
        random.nextBoolean()
            ? ByteBuffer.allocate(length + 9)
            : ByteBuffer.allocateDirect(length + 9);
    buffer.position(4).limit(4 + length);
    switch (random.nextInt(4)) {
      case 0 -> {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        buffer.put(bytes).position(4);
        store.write(offset, random.nextBoolean() ? buffer : buffer.asReadOnlyBuffer().position(4));
        System.arraycopy(bytes, 0, twin, offset, length);
      }
      case 1 -> {
        store.read(offset, buffer);
        assertThat(buffer.hasRemaining()).isFalse();
        assertThat(buffer.position(4)).isEqualTo(ByteBuffer.wrap(expected));
      }
      case 2 -> {
        ByteBuffer view = store.view(offset, length);
        assertThat(view.isReadOnly()).isTrue();
        assertThat(view).isEqualTo(ByteBuffer.wrap(expected));
      }
      default -> store.sync(offset, length);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "MAPPED", "MAPPED_SMALL_SEGMENTS"})
  void contentSurvivesReopening(Kind kind) throws Exception {
    Path file = zeros();
    byte[] bytes = new byte[SIZE_BYTES];
    new Random(1).nextBytes(bytes);
    try (ByteStore store = kind.open(file)) {
      store.write(0, ByteBuffer.wrap(bytes));
      store.sync(0, SIZE_BYTES);
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
    try (ByteStore store = kind.open(file)) {
      assertThat(store.view(0, SIZE_BYTES)).isEqualTo(ByteBuffer.wrap(bytes));
    }
  }

  @ParameterizedTest
  @EnumSource
  void rangesOutsideAreRefused(Kind kind) throws Exception {
    try (ByteStore store = kind.open(zeros())) {
      long[][] bad = {{-1, 1}, {SIZE_BYTES, 1}, {SIZE_BYTES - 1, 2}, {Long.MAX_VALUE, 1}};
      for (long[] range : bad) {
        ByteBuffer buffer = ByteBuffer.allocate((int) range[1]);
        assertThatThrownBy(() -> store.read(range[0], buffer)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> store.write(range[0], buffer)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> store.sync(range[0], range[1])).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> store.view(range[0], (int) range[1]))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("expected a range inside sizeBytes=" + SIZE_BYTES);
        assertThat(buffer.position()).isZero();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "MAPPED", "MAPPED_SMALL_SEGMENTS", "FAULTY"})
  void closedStoresRefuse(Kind kind) throws Exception {
    ByteStore store = kind.open(zeros());
    store.close();
    store.close();
    assertThatThrownBy(() -> store.read(0, ByteBuffer.allocate(1))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> store.write(0, ByteBuffer.allocate(1)))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> store.sync(0, 1)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> store.view(0, 1)).isInstanceOf(IOException.class);
  }

  @Test
  void mappedViewsShowLaterWritesWithoutACopy() throws Exception {
    try (ByteStore store = MappedByteStore.open(zeros())) {
      ByteBuffer view = store.view(100, 10);
      assertThat(view.isDirect()).isTrue();
      store.write(105, ByteBuffer.wrap(new byte[] {42}));
      assertThat(view.get(5)).isEqualTo((byte) 42);
    }
  }

  @Test
  void viewsOutliveTheMappedStore() throws Exception {
    MappedByteStore store = MappedByteStore.open(zeros());
    store.write(7, ByteBuffer.wrap(new byte[] {9}));
    ByteBuffer view = store.view(0, 10);
    store.close();
    assertThat(view.get(7)).isEqualTo((byte) 9);
  }

  @Test
  void faultsInMappedMemoryAreErrorsOfTheCallThatMetThem() throws Exception {
    // Often enough to be compiled, by both compilers, between the faults.
    for (int round = 0; round < 60; round++) {
      Path file = zeros();
      boolean isDirect = round % 2 == 0;
      ByteBuffer buffer = isDirect ? ByteBuffer.allocateDirect(4096) : ByteBuffer.allocate(4096);
      buffer.limit(round % 3 == 0 ? 4096 : 8);
      try (MappedByteStore store = MappedByteStore.open(file);
          FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        for (int i = 0; i < 1000; i++) {
          store.read(i, buffer.rewind());
          store.write(i, buffer.rewind());
        }
        channel.truncate(4096);
        assertThatThrownBy(() -> store.read(2 * 4096, buffer.rewind()))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("Cannot read: cause=")
            .hasMessageContaining("file=" + file + " offset=8192");
        assertThatThrownBy(() -> store.write(2 * 4096, buffer.rewind()))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("Cannot write: cause=");
        store.read(0, buffer.rewind());
      }
    }
  }

  @Test
  void aFileThatWasCutIsAnError() throws Exception {
    Path file = zeros();
    try (FileByteStore store = FileByteStore.open(file);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(4096);
      assertThatThrownBy(() -> store.read(4000, ByteBuffer.allocate(200)))
          .isInstanceOf(EOFException.class)
          .hasMessageContaining("missingBytes=104")
          .hasMessageContaining("offset=4096");
    }
  }

  @ParameterizedTest
  @EnumSource
  void createdStoresAreZerosOfTheSize(Allocation allocation) throws Exception {
    Path one = directory.resolve("one");
    Path two = directory.resolve("two");
    long size = (1 << 20) + 5;
    try (FileByteStore file = FileByteStore.create(one, size, allocation);
        MappedByteStore mapped = MappedByteStore.create(two, size, allocation)) {
      assertThat(file.view(0, (int) size)).isEqualTo(ByteBuffer.allocate((int) size));
      assertThat(mapped.view(0, (int) size)).isEqualTo(ByteBuffer.allocate((int) size));
    }
    assertThat(Files.size(one)).isEqualTo(size);
    assertThatThrownBy(() -> FileByteStore.create(one, size, allocation))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> FileByteStore.create(directory.resolve("x"), 0, allocation))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void missingAndEmptyFilesAreRefused() throws Exception {
    Path file = directory.resolve("missing");
    assertThatThrownBy(() -> FileByteStore.open(file)).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> MappedByteStore.open(file)).isInstanceOf(NoSuchFileException.class);
    Files.createFile(file);
    assertThatThrownBy(() -> MappedByteStore.open(file))
        .hasMessage("Cannot open a store: sizeBytes=0, expected > 0, file=" + file);
  }
}
