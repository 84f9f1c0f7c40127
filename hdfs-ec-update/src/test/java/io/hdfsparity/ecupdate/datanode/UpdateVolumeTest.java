/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import io.hdfsparity.bridge.datanode.ReadCaller;
import io.hdfsparity.bridge.datanode.ReplicaSnapshot;
import io.hdfsparity.bridge.datanode.SnapshotReads;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import io.hdfsparity.core.check.ManualClock;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.CodeTable;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.storage.ShrinkMode;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class UpdateVolumeTest {
  private static final long BLOCK = -9_000_000_001L;
  private static final int CELL_BYTES = 2048;
  private static final int LENGTH_BYTES = 2 * CELL_BYTES + 700;

  private static final int QUIET_MS = 3000;
  private static final int AGE_MS = 4000;

  /** After a session has left: until then a decoder may have older data of other units. */
  private static final int SETTLE_MS = AGE_MS + AGE_MS / 2 + QUIET_MS;

  private static final SessionId ONE = new SessionId(11);
  private static final SessionId TWO = new SessionId(12);
  private static final int DATA = 0;
  private static final int PARITY = 4;

  @TempDir Path root;
  private final ManualClock clock = new ManualClock();
  private final byte[] content = new byte[LENGTH_BYTES];
  private OneVolume disk;
  private UpdateVolume volume;
  private String scheme = "PL";
  private long tids;

  @BeforeEach
  void start() throws Exception {
    new Random(2).nextBytes(content);
    disk = new OneVolume(root);
    disk.add(BLOCK, content);
    restart();
  }

  private void restart() throws IOException {
    restart(new LongAdder());
  }

  private void restart(LongAdder movesRefused) throws IOException {
    Configuration conf = new Configuration(false);
    conf.set(StorageKey.LOG_BYTES.key(), "1M");
    conf.set(StorageKey.RECORD_BYTES.key(), "64K");
    conf.set(StorageKey.DRAIN_DELAY.key(), "5ms");
    conf.set(StorageKey.QUIET.key(), QUIET_MS + "ms");
    conf.set(StorageKey.SNAPSHOT_AGE.key(), AGE_MS + "ms");
    if (volume != null) {
      volume.close();
    }
    volume =
        new UpdateVolume(
            OneVolume.STORAGE, root, disk, StorageOptions.of(conf), clock, movesRefused);
    volume.start(OneVolume.POOL);
  }

  @AfterEach
  void stop() throws IOException {
    volume.close();
  }

  private ReplicaDescriptor descriptor(int block) {
    return new ReplicaDescriptor(
        CodeTable.plain(GfMatrix.cauchyParity(3, 2)),
        block,
        CELL_BYTES,
        LENGTH_BYTES,
        3,
        OneVolume.STAMP,
        scheme);
  }

  private void admit(int block) throws IOException {
    clock.advance(QUIET_MS);
    volume.admit(BLOCK, descriptor(block));
  }

  private ReplicaSnapshot open(ReadCaller caller) throws IOException {
    ReplicaView replica = disk.replica(OneVolume.STORAGE, BLOCK);
    return volume
        .reads()
        .open(
            new SnapshotReads.Request(
                OneVolume.POOL,
                BLOCK,
                replica.generationStamp(),
                replica.lengthBytes(),
                replica.blockFile(),
                replica.metaFile(),
                caller));
  }

  private void swap(int offset, byte[] fresh) throws Exception {
    volume
        .engineOf(BLOCK)
        .handle(
            new SlotKey(new ReplicaKey(OneVolume.POOL, BLOCK), offset / CELL_BYTES),
            new Request.Swap(
                new Patch(offset % CELL_BYTES, Bytes.wrap(fresh)), new Tid(1, ++tids, 0)))
        .get();
    System.arraycopy(fresh, 0, content, offset, fresh.length);
  }

  /** All of it, and its checksums are those of its bytes. */
  private static byte[] read(ReplicaSnapshot snapshot) throws IOException {
    byte[] data = new byte[LENGTH_BYTES];
    for (int at = 0; at < data.length; ) {
      at += snapshot.readData(at, data, at, data.length - at);
    }
    assertThat(snapshot.readData(data.length, new byte[1], 0, 1)).isEqualTo(-1);
    byte[] meta = new byte[(int) snapshot.metaBytes()];
    for (int at = 0; at < meta.length; ) {
      // Odd pieces: a stream may be read so.
      at += snapshot.readMeta(at, meta, at, Math.min(5, meta.length - at));
    }
    assertThat(meta).isEqualTo(TestReplica.meta(data));
    return data;
  }

  @Test
  void aReaderSeesOneVersionWheneverItWasOpened() throws Exception {
    try (ReplicaSnapshot plain = open(ReadCaller.CLIENT)) {
      byte[] before = content.clone();
      admit(0);
      try (ReplicaSnapshot pinned = open(ReadCaller.CLIENT)) {
        swap(100, new byte[] {1, 2, 3});
        swap(2 * CELL_BYTES + 690, new byte[] {4, 5, 6});
        volume.engineOf(BLOCK).merge(new ReplicaKey(OneVolume.POOL, BLOCK));
        assertThat(read(plain)).isEqualTo(before);
        assertThat(read(pinned)).isEqualTo(before);
      }
    }
    try (ReplicaSnapshot later = open(ReadCaller.CLIENT)) {
      assertThat(read(later)).isEqualTo(content);
    }
    volume.engineOf(BLOCK).merge(new ReplicaKey(OneVolume.POOL, BLOCK));
    assertThat(Files.readAllBytes(disk.place(BLOCK).toPath())).isEqualTo(content);
    try (ReplicaSnapshot folded = open(ReadCaller.SCANNER)) {
      assertThat(read(folded)).isEqualTo(content);
    }
  }

  @Test
  void whatIsSentByReferenceIsNoFileThatChanges() throws Exception {
    byte[] before = content.clone();
    try (ReplicaSnapshot plain = open(ReadCaller.CLIENT)) {
      FileChannel file = plain.takeDataFile().getChannel();
      assertThat(plain.takeDataFile()).as("it has one position").isNull();
      // What a socket may hold of the file after it is closed, however long.
      MappedByteBuffer pages = file.map(FileChannel.MapMode.READ_ONLY, 0, LENGTH_BYTES);
      admit(0);
      swap(100, new byte[] {1, 2, 3});
      volume.engineOf(BLOCK).merge(new ReplicaKey(OneVolume.POOL, BLOCK));
      assertThat(Files.readAllBytes(disk.place(BLOCK).toPath())).isEqualTo(content);
      plain.requireReadable();
      assertThat(read(plain)).isEqualTo(before);
      byte[] seen = new byte[LENGTH_BYTES];
      pages.get(seen);
      assertThat(seen).isEqualTo(before);
    }
    try (ReplicaSnapshot later = open(ReadCaller.CLIENT)) {
      assertThat(later.takeDataFile()).isNull();
    }
    restart();
    try (ReplicaSnapshot later = open(ReadCaller.CLIENT)) {
      assertThat(later.takeDataFile()).isNull();
    }
  }

  /** The files that are there then are those that change, but it is not admitted yet. */
  @Test
  void whoOpensAReplicaWhileItsFilesAreReplacedSeesNoChange() throws Exception {
    byte[] before = content.clone();
    List<ReplicaSnapshot> readers = new ArrayList<>();
    List<FileInputStream> sentByReference = new ArrayList<>();
    disk.whileReplacing =
        () -> {
          ReplicaSnapshot reader = open(ReadCaller.CLIENT);
          readers.add(reader);
          FileInputStream file = reader.takeDataFile();
          if (file != null) {
            sentByReference.add(file);
          }
        };
    admit(0);
    swap(100, new byte[] {1, 2, 3});
    volume.engineOf(BLOCK).merge(new ReplicaKey(OneVolume.POOL, BLOCK));
    assertThat(readers).hasSize(3);
    for (ReplicaSnapshot each : readers) {
      try (ReplicaSnapshot reader = each) {
        assertThat(read(reader)).isEqualTo(before);
      }
    }
    assertThat(sentByReference).isEmpty();
  }

  /** The copy was made of the group as it was when nobody knew of the session. */
  @Test
  void whatIsCopiedWhileItsFilesAreReplacedTakesNoUpdates() throws Exception {
    disk.whileReplacing = () -> open(ReadCaller.RECONSTRUCTION).close();
    assertThatThrownBy(() -> enter(DATA, ONE)).isInstanceOf(ReplicaRetiredException.class);
    disk.whileReplacing = () -> {};
    clock.advance(QUIET_MS);
    for (int life = 0; life < 2; life++) {
      assertThatThrownBy(() -> enter(DATA, ONE)).isInstanceOf(ReplicaRetiredException.class);
      restart();
    }
  }

  @Test
  void theFilesOfWhatTakesNoUpdatesAreNotCopied() throws Exception {
    open(ReadCaller.RECONSTRUCTION).close();
    assertThatThrownBy(() -> enter(DATA, ONE)).isInstanceOf(ReplicaRetiredException.class);
    assertThat(disk.roomAsked).hasValue(0);
  }

  /** Behind the engine's back; from trash a rollback would bring it back without its changes. */
  @Test
  void hdfsDoesNotChangeTheFilesOfWhatIsUpdated() throws Exception {
    UpdateVolumeHooks hooks = new UpdateVolumeHooks(volume, () -> true);
    ReplicaView replica = disk.replica(OneVolume.STORAGE, BLOCK);
    File block = replica.blockFile();
    File meta = replica.metaFile();
    Map<String, ThrowingCallable> changes =
        Map.of(
            "change a replica",
            () ->
                hooks.finalizing(
                    OneVolume.POOL, BLOCK, OneVolume.STAMP + 1, block, meta, LENGTH_BYTES),
            "reopen a replica",
            () -> hooks.reopening(OneVolume.POOL, BLOCK, block, meta, LENGTH_BYTES + 1),
            "truncate a replica",
            () -> hooks.truncating(OneVolume.POOL, BLOCK, block, meta, LENGTH_BYTES - 1),
            "move a replica to trash",
            () -> hooks.removing(OneVolume.POOL, block));
    for (ThrowingCallable each : changes.values()) {
      assertThatCode(each).doesNotThrowAnyException();
    }
    admit(0);
    changes.forEach(
        (doing, change) ->
            assertThatThrownBy(change)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(doing)
                .hasMessageContaining("block=" + BLOCK)
                .hasMessageContaining("updated in place"));
    swap(100, new byte[] {1, 2, 3});
    try (ReplicaSnapshot snapshot = open(ReadCaller.CLIENT)) {
      assertThat(read(snapshot)).isEqualTo(content);
    }
  }

  /** A rollback of the upgrade brings it back; what was made from it is still there. */
  @Test
  void whatGoesToTrashStaysCopied() throws Exception {
    File block = disk.replica(OneVolume.STORAGE, BLOCK).blockFile();
    volume.changes().copyArrived(BLOCK);
    new UpdateVolumeHooks(volume, () -> true).removing(OneVolume.POOL, block);
    assertThatThrownBy(() -> admit(0)).isInstanceOf(ReplicaRetiredException.class);
    new UpdateVolumeHooks(volume, () -> false).removing(OneVolume.POOL, block);
    admit(0);
  }

  @Test
  void aBlockFileOfAnotherLengthIsNotTheOneThatIsUpdated() throws Exception {
    File other = root.resolve("other").toFile();
    Files.write(other.toPath(), new byte[LENGTH_BYTES - 1]);
    // Of one that nobody has updated HDFS judges by itself.
    volume.changes().restored(BLOCK, other);
    admit(0);
    assertThatThrownBy(() -> volume.changes().restored(BLOCK, other))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("block=" + BLOCK)
        .hasMessageContaining("lengthBytes=" + (LENGTH_BYTES - 1));
    volume.changes().restored(BLOCK, disk.place(BLOCK));
  }

  @Test
  void aDecoderThatReadsTheFileItselfIsCutOff() throws Exception {
    try (ReplicaSnapshot decoder = open(ReadCaller.RECONSTRUCTION)) {
      assertThat(decoder.takeDataFile()).isNotNull();
      assertThatThrownBy(() -> admit(PARITY)).isInstanceOf(ReplicaRetiredException.class);
    }
  }

  @Test
  void aClientThatReadsParityItselfIsCutOff() throws Exception {
    try (ReplicaSnapshot decoder = open(ReadCaller.CLIENT)) {
      FileInputStream file = decoder.takeDataFile();
      clock.advance(QUIET_MS);
      assertThatThrownBy(() -> volume.admit(BLOCK, descriptor(PARITY)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("try again");
      assertThatThrownBy(decoder::requireReadable)
          .isInstanceOf(FileNotFoundException.class)
          .hasMessageContaining("need not fit together");
      // Its descriptor is not another file's meanwhile.
      assertThat(file.getFD().valid()).isTrue();
    }
    admit(PARITY);
  }

  @Test
  void onlyReadersThatUpdatesMayWaitForAreTooOld() throws Exception {
    try (ReplicaSnapshot plain = open(ReadCaller.CLIENT)) {
      clock.advance(10 * AGE_MS);
      volume.reads().expire();
      plain.requireReadable();
      admit(0);
      clock.advance(AGE_MS - 1);
      volume.reads().expire();
      plain.requireReadable();
      clock.advance(1);
      volume.reads().expire();
      assertThatThrownBy(plain::requireReadable)
          .isInstanceOf(FileNotFoundException.class)
          .hasMessageContaining("open it again");
    }
  }

  @Test
  void whatIsMovedIsNotAdmittedAndWhatIsAdmittedIsNotMoved() throws Exception {
    LongAdder refused = new LongAdder();
    restart(refused);
    UpdateVolumeHooks hooks = new UpdateVolumeHooks(volume, () -> false);
    clock.advance(QUIET_MS);
    try (VolumeHooks.Move move = hooks.moving(OneVolume.POOL, BLOCK)) {
      assertThatThrownBy(() -> volume.admit(BLOCK, descriptor(0)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("try again");
    }
    volume.admit(BLOCK, descriptor(0));
    assertThatThrownBy(() -> hooks.moving(OneVolume.POOL, BLOCK))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("block=" + BLOCK)
        .hasMessageContaining("stays where it is");
    assertThat(refused.sum()).isEqualTo(1);
    // A block of a replicated file is none of its business.
    hooks.moving(OneVolume.POOL, 7).close();
    assertThat(refused.sum()).isEqualTo(1);
  }

  @Test
  void aFileThatWasCutIsDamageForWhoeverReadsIt() throws Exception {
    admit(0);
    try (FileChannel file =
        FileChannel.open(disk.place(BLOCK).toPath(), StandardOpenOption.WRITE)) {
      file.truncate(LENGTH_BYTES - 600);
    }
    assertThatThrownBy(() -> open(ReadCaller.SCANNER))
        .isInstanceOf(ChecksumException.class)
        .hasMessageContaining("lengthBytes=" + (LENGTH_BYTES - 600));
  }

  @Test
  void poolsThatHaveUpdatesAndReplicasAreKnown() throws Exception {
    Files.createDirectories(root.resolve("ecupdate/BP-gone"));
    Files.createDirectories(root.resolve("current/BP-plain"));
    assertThat(volume.pools()).containsExactly(OneVolume.POOL);
  }

  @Test
  void withoutRoomForACopyItIsNotAdmittedAndStaysAsItWas() throws Exception {
    Path copy = UpdateDirectory.open(root, OneVolume.POOL).copiedData(BLOCK);
    Files.createDirectory(copy);
    assertThatThrownBy(() -> admit(0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("make room");
    Files.deleteIfExists(copy);
    try (ReplicaSnapshot plain = open(ReadCaller.CLIENT)) {
      assertThat(plain.takeDataFile()).isNotNull();
      assertThat(read(plain)).isEqualTo(content);
    }
    // One that a crash has left is gone after the next start.
    Files.write(copy, new byte[] {1});
    restart();
    assertThat(copy).doesNotExist();
    admit(0);
    assertThat(copy).doesNotExist();
  }

  @Test
  void theSpaceThatHdfsKeepsIsNotUsedForACopy() throws Exception {
    disk.availableBytes = LENGTH_BYTES;
    assertThatThrownBy(() -> admit(0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("availableBytes=" + LENGTH_BYTES)
        .hasMessageContaining("dfs.datanode.du.reserved");
    UpdateDirectory directory = UpdateDirectory.open(root, OneVolume.POOL);
    assertThat(directory.copiedData(BLOCK)).doesNotExist();
    assertThat(directory.copiedMeta(BLOCK)).doesNotExist();
    try (ReplicaSnapshot plain = open(ReadCaller.CLIENT)) {
      assertThat(read(plain)).isEqualTo(content);
    }
    disk.availableBytes = LENGTH_BYTES + 100; // its checksums, too
    admit(0);
  }

  /** A named pipe that nobody reads stands for a disk that does not answer. */
  @Test
  void aVolumeIsClosedWhileACopyIsBeingMade() throws Exception {
    Path copy = UpdateDirectory.open(root, OneVolume.POOL).copiedData(BLOCK);
    assertThat(new ProcessBuilder("mkfifo", copy.toString()).start().waitFor()).isZero();
    CompletableFuture<Void> admitted =
        CompletableFuture.runAsync(
            () -> {
              try {
                admit(0);
              } catch (IOException e) {
                throw new CompletionException(e);
              }
            });
    await().until(() -> disk.roomAsked.get() > 0);
    volume.close();
    try (InputStream reader = Files.newInputStream(copy)) {
      reader.readAllBytes();
    }
    assertThatThrownBy(admitted::get)
        .rootCause()
        .isInstanceOf(IOException.class)
        .hasMessageContaining("out of service");
    assertThat(copy).doesNotExist();
    assertThat(Files.readAllBytes(disk.place(BLOCK).toPath())).isEqualTo(content);
  }

  @Test
  void changesOutliveARestart() throws Exception {
    admit(0);
    swap(100, new byte[] {1, 2, 3});
    restart();
    assertThat(volume.reads().withheld()).isEmpty();
    try (ReplicaSnapshot snapshot = open(ReadCaller.CHECKSUM)) {
      assertThat(read(snapshot)).isEqualTo(content);
    }
    swap(200, new byte[] {1, 2, 3});
  }

  @Test
  void decodersAreCutOffAndUpdatesWaitForThem() throws Exception {
    clock.advance(QUIET_MS);
    try (ReplicaSnapshot decoder = open(ReadCaller.CLIENT);
        ReplicaSnapshot scanner = open(ReadCaller.SCANNER)) {
      assertThatThrownBy(() -> volume.admit(BLOCK, descriptor(4)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(StorageKey.QUIET.key());
      assertThatThrownBy(() -> volume.engineOf(BLOCK)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> decoder.readData(0, new byte[9], 0, 9))
          .isInstanceOf(FileNotFoundException.class)
          .hasMessageContaining("updated in place");
      assertThat(read(scanner)).isEqualTo(content);
    }
    clock.advance(QUIET_MS - 1);
    assertThatThrownBy(() -> volume.admit(BLOCK, descriptor(4))).hasMessageContaining("leftMs=1");
    clock.advance(1);
    volume.admit(BLOCK, descriptor(4));
    for (ReadCaller caller :
        new ReadCaller[] {
          ReadCaller.CLIENT, ReadCaller.CHECKSUM, ReadCaller.RECONSTRUCTION, ReadCaller.DATANODE
        }) {
      assertThatThrownBy(() -> open(caller))
          .isInstanceOf(FileNotFoundException.class)
          .hasMessageContaining("updated in place");
    }
  }

  @Test
  void otherDataNodesGetNoDataEither() throws Exception {
    assertThat(volume.reads().isPinned(BLOCK)).isFalse();
    admit(0);
    assertThatThrownBy(() -> open(ReadCaller.DATANODE)).isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> open(ReadCaller.UNKNOWN)).isInstanceOf(FileNotFoundException.class);
    assertThat(volume.reads().isPinned(BLOCK)).isTrue();
  }

  /** Section 4.2.2 of the PLR paper, beside the thread that moves deltas. */
  @Test
  void reservedSpaceThatIsNotUsedGoesBackAtTheEndOfPeriods() throws Exception {
    scheme = "PLR";
    admit(PARITY);
    add(100, new byte[] {1, 2, 3});
    Path space = root.resolve("ecupdate/BP-1/blk_" + BLOCK + ".plr");
    await().until(() -> Files.exists(space) && Files.size(space) > 0);
    long reservedBytes = Files.size(space);
    UpdateVolume open = volume;
    try (ReservedPeriods periods =
        ReservedPeriods.start(() -> List.of(open), 5, ShrinkMode.SHRINK_AND_MERGE, 3)) {
      await().until(() -> Files.size(space) < reservedBytes / 2);
      add(300, new byte[] {4, 5, 6});
      await().until(() -> Arrays.equals(Files.readAllBytes(disk.place(BLOCK).toPath()), content));
    }
    long leftBytes = Files.size(space);
    try (ReservedPeriods none =
        ReservedPeriods.start(() -> List.of(open), 0, ShrinkMode.SHRINK_ONLY, 3)) {
      add(500, new byte[] {7});
    }
    restart();
    assertThat(Files.size(space)).isEqualTo(leftBytes);
    volume.engineOf(BLOCK).merge(new ReplicaKey(OneVolume.POOL, BLOCK));
    assertThat(Files.readAllBytes(disk.place(BLOCK).toPath())).isEqualTo(content);
  }

  private void add(int offset, byte[] delta) throws Exception {
    volume
        .engineOf(BLOCK)
        .handle(
            new SlotKey(new ReplicaKey(OneVolume.POOL, BLOCK), offset / CELL_BYTES),
            new Request.Add(
                new Patch(offset % CELL_BYTES, Bytes.wrap(delta)),
                Request.Scaling.BY_CLIENT,
                new Tid(1, ++tids, 0),
                null,
                0))
        .get();
    for (int i = 0; i < delta.length; i++) {
      content[offset + i] ^= delta[i];
    }
  }

  @Test
  void withoutItsLogAReplicaIsWithheld() throws Exception {
    admit(0);
    swap(100, new byte[] {1, 2, 3});
    volume.close();
    Files.delete(root.resolve("ecupdate/BP-1/update.log"));
    restart();
    assertThat(volume.reads().withheld()).containsExactly(BLOCK);
    assertThatThrownBy(() -> open(ReadCaller.CLIENT))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("update.log");
    disk.add(BLOCK - 16, new byte[100]);
    assertThatThrownBy(() -> volume.admit(BLOCK - 16, descriptor(0)))
        .isInstanceOf(IOException.class);
  }

  @Test
  void withADamagedDescriptorItIsWithheldAndItsChangesAreKept() throws Exception {
    scheme = "FL"; // which leaves changes in the log
    admit(0);
    swap(100, new byte[] {1, 2, 3});
    Path file = root.resolve("ecupdate/BP-1/blk_" + BLOCK + ".replica");
    byte[] descriptor = Files.readAllBytes(file);
    byte[] damaged = descriptor.clone();
    damaged[40] ^= 1;
    volume.close();
    Files.write(file, damaged);
    restart();
    assertThat(volume.reads().withheld()).containsExactly(BLOCK);
    assertThatThrownBy(() -> open(ReadCaller.CLIENT)).isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> admit(0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("one whose changes are known");
    volume.close();
    Files.write(file, descriptor);
    restart();
    try (ReplicaSnapshot snapshot = open(ReadCaller.CLIENT)) {
      assertThat(read(snapshot)).isEqualTo(content);
    }
  }

  @Test
  void anotherDescriptorOrLengthIsRefused() throws Exception {
    admit(0);
    assertThatThrownBy(() -> volume.admit(BLOCK, descriptor(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("first session");
    disk.add(BLOCK - 16, new byte[100]);
    assertThatThrownBy(() -> volume.admit(BLOCK - 16, descriptor(0)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("lengthBytes=" + LENGTH_BYTES);
  }

  @Test
  void aDeletionThatWasCutShortLeavesNoReplica() throws Exception {
    admit(0);
    swap(100, new byte[] {1, 2, 3});
    volume.changes().deleting(BLOCK);
    assertThatThrownBy(() -> open(ReadCaller.CLIENT)).isInstanceOf(FileNotFoundException.class);
    restart();
    assertThat(volume.reads().withheld()).containsExactly(BLOCK);
    assertThatThrownBy(() -> open(ReadCaller.CLIENT)).isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> volume.changes().restored(BLOCK, disk.place(BLOCK)))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> admit(0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("its deletion has begun");
    Files.delete(disk.place(BLOCK).toPath());
    disk.forget(BLOCK);
    volume.changes().deleted(BLOCK);
    assertThat(volume.reads().withheld()).isEmpty();
    restart();
    assertThat(volume.reads().withheld()).isEmpty();
    // A block of that name that comes now is another one.
    new Random(3).nextBytes(content);
    disk.add(BLOCK, content);
    try (ReplicaSnapshot plain = open(ReadCaller.DATANODE)) {
      assertThat(read(plain)).isEqualTo(content);
    }
  }

  @Test
  void aCopyUnderTheNameOfOneThatHadUpdatesIsGarbageUntilItIsRecovered() throws Exception {
    admit(0);
    swap(100, new byte[] {1, 2, 3});
    ReplicaView replica = disk.replica(OneVolume.STORAGE, BLOCK);
    volume.changes().deleting(BLOCK);
    volume
        .changes()
        .arriving(BLOCK, OneVolume.STAMP, replica.blockFile(), replica.metaFile(), LENGTH_BYTES);
    for (int life = 0; life < 2; life++) {
      assertThat(volume.reads().withheld()).isEmpty();
      try (ReplicaSnapshot copy = open(ReadCaller.CLIENT)) {
        assertThatThrownBy(() -> read(copy))
            .isInstanceOf(FileNotFoundException.class)
            .hasMessageContaining("INIT");
      }
      restart();
    }
  }

  private void enter(int block, SessionId session) throws IOException {
    clock.advance(QUIET_MS);
    volume.admit(BLOCK, descriptor(block), session);
  }

  private void assertRefused(ReadCaller caller) {
    assertThatThrownBy(() -> open(caller))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("updated in place");
  }

  @Test
  void atRestADecoderReadsWhatTheLastSessionHasLeft() throws Exception {
    enter(PARITY, ONE);
    enter(PARITY, TWO);
    volume.leave(BLOCK, ONE);
    clock.advance(SETTLE_MS);
    assertRefused(ReadCaller.CLIENT);
    volume.leave(BLOCK, TWO);
    clock.advance(SETTLE_MS - 1);
    assertRefused(ReadCaller.CLIENT);
    clock.advance(1);
    try (ReplicaSnapshot decoder = open(ReadCaller.CLIENT)) {
      assertThat(read(decoder)).isEqualTo(content);
    }
  }

  @Test
  void aWriteThatNobodyCollectedIsNoRest() throws Exception {
    enter(DATA, ONE);
    swap(100, new byte[] {1, 2, 3});
    volume.leave(BLOCK, ONE);
    clock.advance(SETTLE_MS);
    assertRefused(ReadCaller.RECONSTRUCTION);
    volume
        .engineOf(BLOCK)
        .handle(
            new SlotKey(new ReplicaKey(OneVolume.POOL, BLOCK), 0),
            new Request.GcRecent(List.of(new Tid(1, tids, 0))))
        .get();
    try (ReplicaSnapshot copy = open(ReadCaller.RECONSTRUCTION)) {
      assertThat(read(copy)).isEqualTo(content);
    }
  }

  @Test
  void aSessionThatHasNotLeftIsRememberedOverARestart() throws Exception {
    enter(PARITY, ONE);
    restart();
    clock.advance(10 * SETTLE_MS);
    assertRefused(ReadCaller.CLIENT);
    // The connection of the session is made anew, and then it leaves.
    enter(PARITY, ONE);
    volume.leave(BLOCK, ONE);
    clock.advance(SETTLE_MS);
    restart();
    assertRefused(ReadCaller.CLIENT);
    clock.advance(SETTLE_MS);
    open(ReadCaller.CLIENT).close();
  }

  @Test
  void aSessionThatEndedWithoutLeavingIsCrossedOutDurably() throws Exception {
    enter(PARITY, ONE);
    restart();
    enter(PARITY, TWO);
    assertThat(volume.noted(BLOCK)).containsExactlyInAnyOrder(ONE, TWO);
    volume.crossOut(BLOCK, Set.of(ONE, new SessionId(3)));
    assertThat(volume.noted(BLOCK)).containsExactly(TWO);
    clock.advance(SETTLE_MS);
    assertRefused(ReadCaller.CLIENT);
    volume.leave(BLOCK, TWO);
    assertRefused(ReadCaller.CLIENT);
    restart();
    assertThat(volume.noted(BLOCK)).isEmpty();
    clock.advance(SETTLE_MS);
    open(ReadCaller.CLIENT).close();
    assertThatThrownBy(() -> volume.crossOut(BLOCK + 1, Set.of(ONE)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not admitted");
  }

  @Test
  void somebodyUnknownIsNotCrossedOut() throws Exception {
    admit(PARITY);
    enter(PARITY, ONE);
    volume.crossOut(BLOCK, Set.of(ONE, ReplicaUse.UNKNOWN));
    assertThat(volume.noted(BLOCK)).containsExactly(ReplicaUse.UNKNOWN);
    clock.advance(SETTLE_MS);
    assertRefused(ReadCaller.CLIENT);
  }

  @Test
  void whereNothingIsKnownOfSessionsThereIsNoRest() throws Exception {
    enter(PARITY, ONE);
    volume.leave(BLOCK, ONE);
    volume.close();
    Path file = root.resolve("ecupdate/BP-1/blk_" + BLOCK + ".sessions");
    byte[] kept = Files.readAllBytes(file);
    Files.delete(file);
    restart();
    clock.advance(10 * SETTLE_MS);
    assertRefused(ReadCaller.CLIENT);
    volume.close();
    kept[kept.length - 1] ^= 1;
    Files.write(file, kept);
    restart();
    clock.advance(10 * SETTLE_MS);
    assertRefused(ReadCaller.CLIENT);
  }

  /** Sessions may be inside the group, and change other units of it: it is no constant. */
  @Test
  void notesThatCannotBeReadRefuseSessionsButDoNotSayThatNobodyIsInside() throws Exception {
    enter(DATA, ONE);
    volume.close();
    Path file = root.resolve("ecupdate/BP-1/blk_" + BLOCK + ".sessions");
    byte[] kept = Files.readAllBytes(file);
    kept[kept.length - 1] ^= 1;
    Files.write(file, kept);
    for (int life = 0; life < 2; life++) {
      restart();
      clock.advance(SETTLE_MS);
      assertThatThrownBy(() -> enter(DATA, TWO))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(ReplicaRetiredException.class)
          .hasMessageContaining("notes that can be read");
      // Nothing of this makes notes that say otherwise.
      volume.leave(BLOCK, ONE);
      volume.crossOut(BLOCK, Set.of(ONE));
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(kept);
  }

  /** What would be forgotten by a restart is not said. */
  @Test
  void aCopyThatIsNotNotedDurablyDoesNotSayThatNobodyEntersAnyMore() throws Exception {
    enter(DATA, ONE);
    volume.leave(BLOCK, ONE);
    clock.advance(SETTLE_MS);
    // A file cannot be made where a directory is.
    Path inTheWay = root.resolve("ecupdate/BP-1/blk_" + BLOCK + ".sessions.tmp");
    Files.createDirectory(inTheWay);
    assertThatThrownBy(() -> open(ReadCaller.RECONSTRUCTION)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> enter(DATA, TWO))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(ReplicaRetiredException.class);
    Files.delete(inTheWay);
    // Who comes next makes up for it.
    for (int life = 0; life < 2; life++) {
      assertThatThrownBy(() -> enter(DATA, TWO)).isInstanceOf(ReplicaRetiredException.class);
      restart();
      clock.advance(SETTLE_MS);
    }
  }

  @Test
  void aSessionWaitsForDecodersOfARestingReplica() throws Exception {
    enter(PARITY, ONE);
    volume.leave(BLOCK, ONE);
    clock.advance(SETTLE_MS);
    try (ReplicaSnapshot decoder = open(ReadCaller.CLIENT)) {
      assertThatThrownBy(() -> enter(PARITY, TWO))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(StorageKey.QUIET.key());
      assertThatThrownBy(() -> read(decoder)).isInstanceOf(FileNotFoundException.class);
    }
    // Between two tries of a session no decoder comes in.
    clock.advance(QUIET_MS - 1);
    assertRefused(ReadCaller.CLIENT);
    assertThatThrownBy(() -> volume.admit(BLOCK, descriptor(PARITY), TWO))
        .hasMessageContaining("leftMs=1");
    // One that does not come back keeps nobody out for good.
    clock.advance(2 * QUIET_MS);
    open(ReadCaller.CLIENT).close();
    enter(PARITY, TWO);
    assertRefused(ReadCaller.CLIENT);
    // Who is inside does not wait.
    volume.admit(BLOCK, descriptor(PARITY), TWO);
  }

  @ParameterizedTest
  @EnumSource(names = {"RECONSTRUCTION", "DATANODE"})
  void whatWasCopiedAtRestTakesNoMoreUpdates(ReadCaller copying) throws Exception {
    enter(DATA, ONE);
    volume.leave(BLOCK, ONE);
    clock.advance(SETTLE_MS);
    try (ReplicaSnapshot copy = open(copying)) {
      assertThat(read(copy)).isEqualTo(content);
    }
    assertThatThrownBy(() -> open(ReadCaller.UNKNOWN))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("expected a client, a DataNode or the volume scanner");
    for (int life = 0; life < 2; life++) {
      assertThatThrownBy(() -> enter(DATA, TWO))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("rewrite the group");
      clock.advance(SETTLE_MS);
      open(copying).close();
      restart();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RECONSTRUCTION", "DATANODE", "UNKNOWN"})
  void whatWasCopiedBeforeItWasAdmittedTakesNoUpdatesEither(ReadCaller copying) throws Exception {
    try (ReplicaSnapshot copy = open(copying)) {
      assertThatThrownBy(() -> enter(DATA, ONE))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("rewrite the group");
      // Nothing has changed, and nothing will.
      assertThat(read(copy)).isEqualTo(content);
    }
    for (int life = 0; life < 2; life++) {
      assertThatThrownBy(() -> enter(DATA, ONE))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("rewrite the group");
      restart();
      open(ReadCaller.DATANODE).close();
    }
    // Another one of that name is not meant.
    volume.changes().deleting(BLOCK);
    enter(DATA, ONE);
  }

  /** What it was copied from may not be deleted in time, and come back when others have changed. */
  @ParameterizedTest
  @ValueSource(strings = {"tmp", "rbw"})
  void onlyWhatAClientHasWrittenHereTakesUpdates(String arrivesIn) throws Exception {
    UpdateVolumeHooks hooks = new UpdateVolumeHooks(volume, () -> false);
    ReplicaView replica = disk.replica(OneVolume.STORAGE, BLOCK);
    Path from = root.resolve("current").resolve(OneVolume.POOL).resolve(arrivesIn);
    hooks.finalizing(
        OneVolume.POOL,
        BLOCK,
        OneVolume.STAMP,
        from.resolve(replica.blockFile().getName()).toFile(),
        from.resolve(replica.metaFile().getName()).toFile(),
        LENGTH_BYTES);
    for (int life = 0; life < 2; life++) {
      open(ReadCaller.CLIENT).close();
      if (arrivesIn.equals("rbw")) {
        enter(DATA, ONE);
      } else {
        assertThatThrownBy(() -> enter(DATA, ONE))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("rewrite the group");
      }
      restart();
    }
  }
}
