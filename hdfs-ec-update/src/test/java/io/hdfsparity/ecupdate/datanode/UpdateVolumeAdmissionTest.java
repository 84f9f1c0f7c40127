/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import io.hdfsparity.bridge.datanode.ReadCaller;
import io.hdfsparity.bridge.datanode.ReplicaSnapshot;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.ecupdate.ajx.CodeTable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which replicas take updates, and which never do again. */
class UpdateVolumeAdmissionTest extends UpdateVolumeFixture {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

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

  /**
   * HDFS looks for a replica under a lock of the whole block pool, and calls the hooks under that
   * lock: a hook that waits for an admission that looks for a replica stops the DataNode.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatHdfsDoesToOtherReplicasGoesOnWhileAnAdmissionLooks(boolean isFirst) throws Exception {
    if (!isFirst) {
      admit(DATA);
    }
    AtomicInteger looks = new AtomicInteger();
    disk.whileLooking =
        () -> {
          looks.incrementAndGet();
          assertThat(CompletableFuture.runAsync(this::finalizeAnother)).succeedsWithin(PATIENCE);
        };
    admit(DATA);
    assertThat(looks).hasPositiveValue();
  }

  private void finalizeAnother() {
    UpdateVolumeHooks hooks = new UpdateVolumeHooks(volume, () -> false);
    try {
      hooks.finalizing(
          OneVolume.POOL,
          BLOCK - 16,
          OneVolume.STAMP,
          root.resolve("tmp/blk_" + (BLOCK - 16)).toFile(),
          root.resolve("tmp/blk_" + (BLOCK - 16) + "_" + OneVolume.STAMP + ".meta").toFile(),
          LENGTH_BYTES);
      hooks.moving(OneVolume.POOL, BLOCK - 32).close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Does something between an admission's look at the replica and its taking it. */
  private void assertNotAdmitted(OneVolume.Step meanwhile) throws Exception {
    clock.advance(QUIET_MS);
    AtomicInteger looks = new AtomicInteger();
    disk.whileLooking =
        () -> {
          // The first look is for the copy of its files.
          if (looks.incrementAndGet() == 2) {
            meanwhile.run();
          }
        };
    assertThatThrownBy(() -> volume.admit(BLOCK, descriptor(DATA))).isInstanceOf(IOException.class);
    assertThat(looks).hasValueGreaterThanOrEqualTo(2);
    assertThat(volume.isAdmitted(BLOCK)).isFalse();
  }

  /** Else its descriptor would be there without it. */
  @Test
  void aReplicaThatIsDeletedWhileAnAdmissionLooksIsNotAdmitted() throws Exception {
    ReplicaView gone = disk.replica(OneVolume.STORAGE, BLOCK);
    UpdateVolumeHooks hooks = new UpdateVolumeHooks(volume, () -> false);
    assertNotAdmitted(
        () -> {
          disk.forget(BLOCK);
          hooks.removing(OneVolume.POOL, gone.blockFile());
          Files.delete(gone.blockFile().toPath());
          hooks.removing(OneVolume.POOL, gone.metaFile());
          Files.delete(gone.metaFile().toPath());
        });
    restart();
    assertThat(volume.isAdmitted(BLOCK)).isFalse();
  }

  /** A recovery of the block gives it another stamp, or another length. */
  @Test
  void aReplicaThatIsReopenedWhileAnAdmissionLooksIsLookedAtAgain() throws Exception {
    ReplicaView before = disk.replica(OneVolume.STORAGE, BLOCK);
    UpdateVolumeHooks hooks = new UpdateVolumeHooks(volume, () -> false);
    assertNotAdmitted(
        () -> {
          hooks.reopening(
              OneVolume.POOL, BLOCK, before.blockFile(), before.metaFile(), LENGTH_BYTES);
          disk.forget(BLOCK);
        });
  }

  /** It was copied to another volume as it was before its updates. */
  @Test
  void aReplicaThatIsMovedWhileAnAdmissionLooksIsNotAdmittedHere() throws Exception {
    UpdateVolumeHooks hooks = new UpdateVolumeHooks(volume, () -> false);
    assertNotAdmitted(
        () -> {
          try (VolumeHooks.Move move = hooks.moving(OneVolume.POOL, BLOCK)) {
            disk.forget(BLOCK);
          }
        });
  }

  @Test
  void theFilesOfWhatTakesNoUpdatesAreNotCopied() throws Exception {
    open(ReadCaller.RECONSTRUCTION).close();
    assertThatThrownBy(() -> enter(DATA, ONE)).isInstanceOf(ReplicaRetiredException.class);
    assertThat(disk.roomAsked).hasValue(0);
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

  private ReplicaDescriptor ofLevel(int parityUnits) {
    ReplicaDescriptor now = descriptor(DATA);
    return new ReplicaDescriptor(
        CodeTable.plain(GfMatrix.cauchyParity(3, parityUnits)),
        now.block(),
        now.cellBytes(),
        now.lengthBytes(),
        now.stripes(),
        now.generationStamp(),
        now.scheme());
  }

  /** Else a level that is changed there and back would let somebody in while others copy it. */
  @Test
  void whoseLevelHasChangedTakesNoMoreUpdatesUnderAnyCode() throws Exception {
    enter(DATA, ONE);
    volume.leave(BLOCK, ONE);
    clock.advance(SETTLE_MS);
    for (int parityUnits : new int[] {3, 1, 2}) {
      for (int life = 0; life < 2; life++) {
        assertThatThrownBy(() -> volume.admit(BLOCK, ofLevel(parityUnits), TWO))
            .as(parityUnits + " parity units")
            .isInstanceOf(ReplicaRetiredException.class)
            .hasMessageContaining("rewrite the group");
        restart();
        clock.advance(SETTLE_MS);
      }
    }
    try (ReplicaSnapshot left = open(ReadCaller.CLIENT)) {
      assertThat(read(left)).isEqualTo(content);
    }
  }

  /** It can be recovered when the level is what it was. */
  @Test
  void whatASessionHasLeftUnfinishedIsNotGivenUpForAChangedLevel() throws Exception {
    enter(DATA, ONE);
    restart();
    clock.advance(SETTLE_MS);
    assertThatThrownBy(() -> volume.admit(BLOCK, ofLevel(3), TWO))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(ReplicaRetiredException.class)
        .hasMessageContaining("first session");
    enter(DATA, ONE);
    volume.leave(BLOCK, ONE);
    clock.advance(SETTLE_MS);
    assertThatThrownBy(() -> volume.admit(BLOCK, ofLevel(3), TWO))
        .isInstanceOf(ReplicaRetiredException.class);
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
