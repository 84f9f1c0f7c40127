/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.core.store.CrashableByteStore;
import io.hdfsparity.ecupdate.datanode.SuspectReplicas.RepeatedRead;
import io.hdfsparity.ecupdate.storage.ReservedArea;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.hadoop.fs.ChecksumException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileReplicaStoreTest {
  private static final int LENGTH_BYTES = 9 * TestReplica.CHUNK_BYTES + 77;
  private final Random random = new Random(11);
  @TempDir Path directory;

  private byte[] bytes(int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Whole chunks, the last one perhaps not full: where a fold may write. */
  private int[] range() {
    int chunks = (LENGTH_BYTES + TestReplica.CHUNK_BYTES - 1) / TestReplica.CHUNK_BYTES;
    int first = random.nextInt(chunks);
    int last = first + 1 + random.nextInt(chunks - first);
    return new int[] {
      first * TestReplica.CHUNK_BYTES, Math.min(LENGTH_BYTES, last * TestReplica.CHUNK_BYTES)
    };
  }

  @Test
  void isItsTwinAfterAnyWritesAndHdfsWouldTakeItsChecksums() throws Exception {
    byte[] twin = bytes(LENGTH_BYTES);
    LocalReplicaFiles files = TestReplica.write(directory, twin);
    FileReplicaStore store =
        FileReplicaStore.open(files, TestReplica.descriptor(LENGTH_BYTES), DamageWatch.NONE);
    for (int i = 0; i < 300; i++) {
      int[] range = range();
      byte[] fresh = bytes(range[1] - range[0]);
      store.write(range[0], fresh);
      System.arraycopy(fresh, 0, twin, range[0], fresh.length);
      if (random.nextInt(3) == 0) {
        store.force();
      }
      int from = random.nextInt(LENGTH_BYTES);
      byte[] read = new byte[random.nextInt(LENGTH_BYTES - from + 1)];
      store.read(from, read);
      assertThat(read).isEqualTo(Arrays.copyOfRange(twin, from, from + read.length));
    }
    store.force();
    assertThat(Files.readAllBytes(files.block())).isEqualTo(twin);
    assertThat(Files.readAllBytes(files.checksums())).isEqualTo(TestReplica.meta(twin));
  }

  @Test
  void refusesPartsOfChunks() throws Exception {
    FileReplicaStore store =
        FileReplicaStore.open(
            TestReplica.write(directory, bytes(LENGTH_BYTES)),
            TestReplica.descriptor(LENGTH_BYTES),
            DamageWatch.NONE);
    assertThatThrownBy(() -> store.write(1, new byte[511]))
        .isInstanceOf(IllegalArgumentException.class);
    store.write(0, new byte[511]);
    assertThatThrownBy(store::force).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store.write(512, new byte[512]))
        .isInstanceOf(IllegalArgumentException.class);
    store.write(511, new byte[1]);
    store.force();
  }

  /** As after a crash, from a log whose records end anywhere. */
  @Test
  void aFoldInPiecesIsWhole() throws Exception {
    byte[] fresh = bytes(LENGTH_BYTES);
    LocalReplicaFiles files = TestReplica.write(directory, bytes(LENGTH_BYTES));
    FileReplicaStore store =
        FileReplicaStore.open(files, TestReplica.descriptor(LENGTH_BYTES), DamageWatch.NONE);
    for (int at = 0; at < LENGTH_BYTES; ) {
      int end = Math.min(LENGTH_BYTES, at + 1 + random.nextInt(1200));
      store.write(at, Arrays.copyOfRange(fresh, at, end));
      at = end;
    }
    store.force();
    assertThat(Files.readAllBytes(files.block())).isEqualTo(fresh);
    assertThat(Files.readAllBytes(files.checksums())).isEqualTo(TestReplica.meta(fresh));
  }

  @Test
  void damageIsRefusedAndNotReturned() throws Exception {
    byte[] twin = bytes(LENGTH_BYTES);
    LocalReplicaFiles files = TestReplica.write(directory, twin);
    AtomicInteger found = new AtomicInteger();
    FileReplicaStore store =
        FileReplicaStore.open(files, TestReplica.descriptor(LENGTH_BYTES), counting(found));
    try (RandomAccessFile file = new RandomAccessFile(files.block().toFile(), "rw")) {
      file.seek(1030);
      file.write(twin[1030] ^ 1);
    }
    byte[] before = new byte[1024];
    store.read(0, before);
    assertThat(before).isEqualTo(Arrays.copyOf(twin, 1024));
    assertThat(found).hasValue(0);
    assertThatThrownBy(() -> store.read(1500, new byte[10]))
        .isInstanceOfSatisfying(
            ChecksumException.class, damage -> assertThat(store.isDamage(damage)).isTrue());
    assertThat(found).hasValue(1);
    byte[] whole = bytes(512);
    store.write(1024, whole);
    byte[] read = new byte[512];
    store.read(1024, read);
    assertThat(read).isEqualTo(whole);
  }

  @Test
  void aFullDiskIsToldFromABrokenOne() throws Exception {
    LocalReplicaFiles files = TestReplica.write(directory, bytes(LENGTH_BYTES));
    FileReplicaStore store =
        FileReplicaStore.open(files, TestReplica.descriptor(LENGTH_BYTES), DamageWatch.NONE);
    assertThatThrownBy(() -> Files.write(Path.of("/dev/full"), new byte[1]))
        .isInstanceOfSatisfying(
            IOException.class,
            full -> {
              assertThat(store.isShortage(full)).isTrue();
              assertThat(store.isShortage(new IOException("Cannot write", full))).isTrue();
              assertThat(store.isDamage(full)).isFalse();
            });
    assertThat(store.isShortage(new IOException("Input/output error"))).isFalse();
  }

  /** Reads of one of the files fail, or it cannot be opened. */
  private static final class FailingFiles implements ReplicaFiles {
    private final LocalReplicaFiles files;
    private final String failing;
    @Nullable IOException readFailure;
    @Nullable IOException openFailure;

    FailingFiles(LocalReplicaFiles files, String failing) {
      this.files = files;
      this.failing = failing;
    }

    private ByteStore open(String which, ByteStore store) throws IOException {
      if (!which.equals(failing)) {
        return store;
      }
      if (openFailure != null) {
        store.close();
        throw openFailure;
      }
      return new ByteStore() {
        @Override
        public long sizeBytes() {
          return store.sizeBytes();
        }

        @Override
        public void read(long offset, ByteBuffer into) throws IOException {
          if (readFailure != null) {
            throw readFailure;
          }
          store.read(offset, into);
        }

        @Override
        public void write(long offset, ByteBuffer from) throws IOException {
          store.write(offset, from);
        }

        @Override
        public void sync(long offset, long lengthBytes) throws IOException {
          store.sync(offset, lengthBytes);
        }

        @Override
        public void close() throws IOException {
          store.close();
        }
      };
    }

    @Override
    public ByteStore data() throws IOException {
      return open("data", files.data());
    }

    @Override
    public ByteStore meta() throws IOException {
      return open("meta", files.meta());
    }

    @Override
    public byte[] readState() throws IOException {
      return files.readState();
    }

    @Override
    public void writeState(byte[] state) throws IOException {
      files.writeState(state);
    }

    @Override
    public Optional<ReservedArea> reserved() throws IOException {
      return files.reserved();
    }

    @Override
    public ReservedArea reserve(long sizeBytes) throws IOException {
      return files.reserve(sizeBytes);
    }
  }

  private static DamageWatch counting(AtomicInteger found) {
    return counting(found, again -> true);
  }

  private static DamageWatch counting(AtomicInteger found, Predicate<RepeatedRead> isDamage) {
    return new DamageWatch() {
      @Override
      public void damaged() {
        found.incrementAndGet();
      }

      @Override
      public boolean isDamage(RepeatedRead again) {
        return isDamage.test(again);
      }

      @Override
      public void requireServed() {}
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"data", "meta"})
  void whatTheDiskCannotReadIsDamage(String which) throws Exception {
    FailingFiles files = new FailingFiles(TestReplica.write(directory, bytes(LENGTH_BYTES)), which);
    AtomicInteger found = new AtomicInteger();
    FileReplicaStore store =
        FileReplicaStore.open(files, TestReplica.descriptor(LENGTH_BYTES), counting(found));
    List<IOException> failures =
        List.of(
            new IOException("Input/output error"),
            new EOFException("Cannot read: missingBytes=3"),
            new FileSystemException("/d/blk_1", null, "Input/output error"));
    for (IOException failure : failures) {
      files.readFailure = failure;
      assertThatThrownBy(() -> store.read(0, new byte[10]))
          .isInstanceOfSatisfying(
              ChecksumException.class, damage -> assertThat(store.isDamage(damage)).isTrue())
          .hasMessageContaining(failure.getMessage());
    }
    files.openFailure = new FileSystemException("/d/blk_1", null, "Input/output error");
    assertThatThrownBy(() -> store.readAll(new TreeMap<>(Map.of(0, new byte[10]))))
        .isInstanceOf(ChecksumException.class);
    assertThat(found).hasValue(failures.size() + 1);
  }

  /** The whole disk may have failed, or be there again in a moment. */
  @ParameterizedTest
  @ValueSource(strings = {"data", "meta"})
  void anErrorOfTheDiskIsDamageOnlyWhenItIsKnownToBe(String which) throws Exception {
    FailingFiles files = new FailingFiles(TestReplica.write(directory, bytes(LENGTH_BYTES)), which);
    AtomicInteger found = new AtomicInteger();
    List<RepeatedRead> suspected = new ArrayList<>();
    FileReplicaStore store =
        FileReplicaStore.open(
            files,
            TestReplica.descriptor(LENGTH_BYTES),
            counting(found, again -> !suspected.add(again)));
    files.readFailure = new IOException("Input/output error");
    List<ThrowingCallable> reads =
        List.of(
            () -> store.read(3, new byte[10]),
            () -> store.readAll(new TreeMap<>(Map.of(0, new byte[10], 700, new byte[20]))));
    for (ThrowingCallable read : reads) {
      suspected.clear();
      assertThatThrownBy(read).isSameAs(files.readFailure).matches(e -> !isDamage(store, e));
      assertThat(suspected).hasSize(1);
      assertThatThrownBy(() -> suspected.get(0).run()).isSameAs(files.readFailure);
    }
    files.openFailure = new FileSystemException("/d/blk_1", null, "Input/output error");
    assertThatThrownBy(store::prepareWrite).isSameAs(files.openFailure);
    assertThatThrownBy(() -> suspected.get(1).run()).isSameAs(files.openFailure);
    assertThat(found).hasValue(0);
    assertThat(suspected).as("a repetition tells nobody").hasSize(2);
    files.openFailure = null;
    files.readFailure = null;
    for (RepeatedRead again : suspected) {
      again.run();
    }
  }

  @Test
  void reservedSpaceThatCannotBeOpenedIsSuspectedToo() throws Exception {
    AtomicInteger found = new AtomicInteger();
    List<RepeatedRead> suspected = new ArrayList<>();
    ReservedArea area =
        SideFile.reserve(Files.createDirectory(directory.resolve("side")).resolve("area"), 100);
    FileSystemException failure = new FileSystemException("/d/area", null, "Input/output error");
    WatchedArea watched =
        new WatchedArea(
            new ClosedArea(area, failure), counting(found, again -> !suspected.add(again)));
    assertThatThrownBy(watched::prepareWrite).isSameAs(failure);
    assertThat(found).hasValue(0);
    assertThat(suspected).hasSize(1);
    suspected.get(0).run();
    WatchedArea known = new WatchedArea(new ClosedArea(area, failure), counting(found));
    assertThatThrownBy(known::prepareWrite).isInstanceOf(ChecksumException.class);
    assertThat(found).hasValue(1);
  }

  /** Cannot be opened to be written. */
  private static final class ClosedArea extends ForwardingArea {
    private final IOException failure;

    ClosedArea(ReservedArea area, IOException failure) {
      super(area);
      this.failure = failure;
    }

    @Override
    public void prepareWrite() throws IOException {
      throw failure;
    }
  }

  private static boolean isDamage(FileReplicaStore store, Throwable failure) {
    return failure instanceof IOException e && store.isDamage(e);
  }

  /** A process without file descriptors, or a file that is deleted: nothing is wrong with bytes. */
  @ParameterizedTest
  @ValueSource(strings = {"data", "meta"})
  void whatSaysNothingOfTheBytesIsNoDamage(String which) throws Exception {
    FailingFiles files = new FailingFiles(TestReplica.write(directory, bytes(LENGTH_BYTES)), which);
    AtomicInteger found = new AtomicInteger();
    FileReplicaStore store =
        FileReplicaStore.open(files, TestReplica.descriptor(LENGTH_BYTES), counting(found));
    for (IOException failure :
        List.of(
            new FileSystemException("/d/blk_1", null, "Too many open files"),
            new NoSuchFileException("/d/blk_1"),
            new ClosedByInterruptException())) {
      files.openFailure = failure;
      assertThatThrownBy(() -> store.read(0, new byte[10]))
          .isInstanceOfSatisfying(
              IOException.class, refused -> assertThat(store.isDamage(refused)).isFalse())
          .isNotInstanceOf(ChecksumException.class);
    }
    assertThat(found).hasValue(0);
    files.openFailure = null;
    store.read(0, new byte[10]);
  }

  @Test
  void filesThatAreNotAsDescribedAreRefused() throws Exception {
    LocalReplicaFiles files = TestReplica.write(directory, bytes(LENGTH_BYTES));
    assertThatThrownBy(
            () ->
                FileReplicaStore.open(
                    files, TestReplica.descriptor(LENGTH_BYTES + 1), DamageWatch.NONE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("lengthBytes=" + LENGTH_BYTES);
    try (RandomAccessFile file = new RandomAccessFile(files.checksums().toFile(), "rw")) {
      file.setLength(file.length() - 4);
    }
    assertThatThrownBy(
            () ->
                FileReplicaStore.open(
                    files, TestReplica.descriptor(LENGTH_BYTES), DamageWatch.NONE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("metaBytes=");
  }

  @Test
  void reservedSpaceIsTakenAtOnceGrowsAndIsGivenBack() throws Exception {
    LocalReplicaFiles files = TestReplica.write(directory, bytes(LENGTH_BYTES));
    FileReplicaStore store =
        FileReplicaStore.open(files, TestReplica.descriptor(LENGTH_BYTES), DamageWatch.NONE);
    assertThat(store.reserved()).isEmpty();
    ReservedArea area = store.reserve(65536);
    byte[] delta = bytes(1000);
    area.write(4096, ByteBuffer.wrap(delta));
    area.force();
    assertThat(store.reserve(131072)).isSameAs(area);
    assertThat(area.sizeBytes()).isEqualTo(131072);
    Path side = directory.resolve("blk_-1.plr");
    assertThat(blocks(side)).isGreaterThanOrEqualTo(131072 / 512);
    ByteBuffer read = ByteBuffer.allocate(1000);
    store.reserved().orElseThrow().read(4096, read);
    assertThat(read.array()).isEqualTo(delta);
    area.shrink(8192);
    assertThat(area.sizeBytes()).isEqualTo(8192);
    assertThat(blocks(side)).isLessThanOrEqualTo(8192 / 512 + 8);
    assertThatThrownBy(() -> area.write(8000, ByteBuffer.allocate(193)))
        .isInstanceOf(IOException.class);
  }

  /** What was taken until then, by a file that nobody needs, would keep the disk full. */
  @Test
  void reservedSpaceThatCannotBeMadeTakesNothing() throws Exception {
    long tooManyBytes = 1L << 62;
    Path file = Files.createDirectory(directory.resolve("side")).resolve("area");
    assertThatThrownBy(() -> SideFile.reserve(file, tooManyBytes)).isInstanceOf(IOException.class);
    assertThat(file).doesNotExist();
    ReservedArea area = SideFile.reserve(file, 100);
    area.write(0, ByteBuffer.wrap(new byte[] {7}));
    assertThatThrownBy(() -> SideFile.reserve(file, tooManyBytes)).isInstanceOf(IOException.class);
    assertThat(area.sizeBytes()).isEqualTo(100);
    ByteBuffer first = ByteBuffer.allocate(1);
    area.read(0, first);
    assertThat(first.get(0)).isEqualTo((byte) 7);
  }

  @Test
  void reservedSpaceThatIsGoneHasNoSize() throws Exception {
    Path file = Files.createDirectory(directory.resolve("side")).resolve("area");
    ReservedArea area = SideFile.reserve(file, 100);
    assertThat(area.sizeBytes()).isEqualTo(100);
    Files.delete(file);
    assertThatThrownBy(area::sizeBytes).isInstanceOf(NoSuchFileException.class);
  }

  /** Between the two a process may have come to its limit of open files. */
  @Test
  void whatIsPreparedOpensNothingMoreUntilItIsOver() throws Exception {
    byte[] twin = bytes(LENGTH_BYTES);
    FailingFiles files = new FailingFiles(TestReplica.write(directory, twin), "meta");
    FileReplicaStore store =
        FileReplicaStore.open(files, TestReplica.descriptor(LENGTH_BYTES), DamageWatch.NONE);
    ReservedArea area = store.reserve(65536);
    files.openFailure = new FileSystemException("/d/blk_1", null, "Too many open files");
    assertThatThrownBy(store::prepareWrite).hasMessageContaining("Too many open files");
    assertThat(openFiles()).as("nothing is kept for nothing").isEmpty();
    files.openFailure = null;
    store.prepareWrite();
    area.prepareWrite();
    List<String> prepared = openFiles();
    assertThat(prepared).containsExactlyInAnyOrder("blk_-1", "blk_-1_7.meta", "blk_-1.plr");
    files.openFailure = new FileSystemException("/d/blk_1", null, "Too many open files");
    byte[] fresh = bytes(TestReplica.CHUNK_BYTES);
    store.write(0, fresh);
    area.write(0, ByteBuffer.wrap(fresh));
    area.force();
    assertThat(openFiles()).isEqualTo(prepared);
    store.force();
    area.shrink(8192);
    area.endWrite();
    assertThat(openFiles()).isEmpty();
    files.openFailure = null;
    byte[] read = new byte[fresh.length];
    store.read(0, read);
    assertThat(read).isEqualTo(fresh);
    assertThat(area.sizeBytes()).isEqualTo(8192);
  }

  /** Names of the replica's files that this process has open. */
  private List<String> openFiles() throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path each : all) {
        // A link that is gone by now leads nowhere; others open and close files meanwhile.
        Path target = each.toFile().getCanonicalFile().toPath();
        if (target.startsWith(directory.toRealPath())) {
          names.add(target.getFileName().toString());
        }
      }
    }
    names.sort(null);
    return names;
  }

  /** What {@code du} counts, in units of 512 bytes. */
  private static long blocks(Path file) throws Exception {
    Process stat =
        new ProcessBuilder("stat", "-c", "%b", file.toString()).redirectErrorStream(true).start();
    return Long.parseLong(new String(stat.getInputStream().readAllBytes()).strip());
  }

  /** Data and checksums on one disk that loses what was not forced. */
  private static final class CrashableFiles implements ReplicaFiles {
    private final CrashableByteStore disk;
    private final int dataBytes;

    CrashableFiles(CrashableByteStore disk, int dataBytes) {
      this.disk = disk;
      this.dataBytes = dataBytes;
    }

    @Override
    public ByteStore data() {
      return slice(0, dataBytes);
    }

    @Override
    public ByteStore meta() {
      return slice(dataBytes, disk.sizeBytes() - dataBytes);
    }

    private ByteStore slice(long start, long sizeBytes) {
      return new ByteStore() {
        @Override
        public long sizeBytes() {
          return sizeBytes;
        }

        @Override
        public void read(long offset, ByteBuffer into) throws IOException {
          disk.read(start + offset, into);
        }

        @Override
        public void write(long offset, ByteBuffer from) throws IOException {
          disk.write(start + offset, from);
        }

        @Override
        public void sync(long offset, long lengthBytes) throws IOException {
          disk.sync(start + offset, lengthBytes);
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public byte[] readState() {
      return new byte[0];
    }

    @Override
    public void writeState(byte[] state) {
      throw new UnsupportedOperationException("not part of this test");
    }

    @Override
    public Optional<ReservedArea> reserved() {
      return Optional.empty();
    }

    @Override
    public ReservedArea reserve(long sizeBytes) {
      throw new UnsupportedOperationException("not part of this test");
    }
  }

  /** A fold in three patches is cut at each of its writes and forces, and repeated. */
  @Test
  void aFoldThatWasCutAnywhereIsWholeWhenItIsRepeated() throws Exception {
    int cut = 1;
    for (boolean isOver = false; !isOver; cut++) {
      byte[] old = bytes(LENGTH_BYTES);
      byte[] meta = TestReplica.meta(old);
      byte[] content = Arrays.copyOf(old, old.length + meta.length);
      System.arraycopy(meta, 0, content, old.length, meta.length);
      CrashableByteStore disk = CrashableByteStore.of(content, 8, new Random(cut));
      byte[] fresh = old.clone();
      int[][] patches = {{0, 1024}, {2048, 2560}, {4096, LENGTH_BYTES}};
      for (int[] patch : patches) {
        System.arraycopy(bytes(patch[1] - patch[0]), 0, fresh, patch[0], patch[1] - patch[0]);
      }
      disk.cutAtChange(cut);
      isOver = !foldIsCut(disk, fresh, patches);
      CrashableByteStore after = disk.crash().reopen();
      FileReplicaStore store =
          FileReplicaStore.open(
              new CrashableFiles(after, LENGTH_BYTES),
              TestReplica.descriptor(LENGTH_BYTES),
              DamageWatch.NONE);
      requireOldOrFreshOrRefused(store, old, fresh, isOver);
      assertThat(foldIsCut(after, fresh, patches)).isFalse();
      byte[] read = new byte[LENGTH_BYTES];
      store.read(0, read);
      assertThat(read).as("cut %d", cut).isEqualTo(fresh);
    }
    assertThat(cut).isGreaterThan(8);
  }

  private static boolean foldIsCut(CrashableByteStore disk, byte[] fresh, int[][] patches)
      throws IOException {
    FileReplicaStore store =
        FileReplicaStore.open(
            new CrashableFiles(disk, LENGTH_BYTES),
            TestReplica.descriptor(LENGTH_BYTES),
            DamageWatch.NONE);
    try {
      for (int[] patch : patches) {
        store.write(patch[0], Arrays.copyOfRange(fresh, patch[0], patch[1]));
      }
      store.force();
      return false;
    } catch (IOException e) {
      if (!disk.isCrashed()) {
        throw e;
      }
      return true;
    }
  }

  private static void requireOldOrFreshOrRefused(
      FileReplicaStore store, byte[] old, byte[] fresh, boolean isDone) throws IOException {
    for (int at = 0; at < LENGTH_BYTES; at += TestReplica.CHUNK_BYTES) {
      int end = Math.min(LENGTH_BYTES, at + TestReplica.CHUNK_BYTES);
      byte[] chunk = new byte[end - at];
      try {
        store.read(at, chunk);
      } catch (ChecksumException e) {
        assertThat(isDone).as("forced, and torn all the same: %s", e).isFalse();
        continue;
      }
      if (isDone || !Arrays.equals(chunk, Arrays.copyOfRange(old, at, end))) {
        assertThat(chunk).isEqualTo(Arrays.copyOfRange(fresh, at, end));
      }
    }
  }
}
