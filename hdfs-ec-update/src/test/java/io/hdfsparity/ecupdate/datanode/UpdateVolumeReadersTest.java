/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.datanode.ReadCaller;
import io.hdfsparity.bridge.datanode.ReplicaSnapshot;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.config.StorageKey;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.ChecksumException;
import org.junit.jupiter.api.Test;

/** What readers of a replica see while it is updated, and who is cut off. */
class UpdateVolumeReadersTest extends UpdateVolumeFixture {
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
}
