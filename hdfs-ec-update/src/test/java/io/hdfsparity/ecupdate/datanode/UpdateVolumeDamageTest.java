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
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import java.io.IOException;
import java.io.RandomAccessFile;
import org.apache.hadoop.fs.ChecksumException;
import org.junit.jupiter.api.Test;

/** Updates of a replica end when damage is found, and the NameNode learns of it. */
class UpdateVolumeDamageTest extends UpdateVolumeFixture {
  private static final ReplicaKey REPLICA = new ReplicaKey(OneVolume.POOL, BLOCK);

  /** Changes a bit of the second cell. */
  private void damage() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(disk.place(BLOCK), "rw")) {
      file.seek(CELL_BYTES + 1030);
      file.write(content[CELL_BYTES + 1030] ^ 1);
    }
  }

  private void assertGivenUp() throws Exception {
    assertThat(givenUp.quiet()).containsExactly(BLOCK);
    assertThat(disk.damaged).containsExactly(BLOCK);
    // Other cells, and requests that change nothing, as well.
    assertThatThrownBy(() -> swap(100, new byte[] {1}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("damaged=true")
        .hasMessageContaining("block=" + BLOCK);
    assertThatThrownBy(
            () -> volume.engineOf(BLOCK).handle(new SlotKey(REPLICA, 0), new Request.Probe()).get())
        .hasMessageContaining("damaged=true");
  }

  @Test
  void aWriteThatFindsItEndsAllUpdates() throws Exception {
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    damage();
    swap(CELL_BYTES + 2000, new byte[] {4}); // another chunk
    assertThat(givenUp.quiet()).isEmpty();
    assertThatThrownBy(() -> swap(CELL_BYTES + 1100, new byte[] {5}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("fit their checksums");
    assertGivenUp();
  }

  @Test
  void aReaderThatFindsItEndsAllUpdates() throws Exception {
    admit(DATA);
    swap(100, new byte[] {1, 2, 3});
    damage();
    try (ReplicaSnapshot reader = open(ReadCaller.SCANNER)) {
      assertThatThrownBy(() -> read(reader)).isInstanceOf(ChecksumException.class);
    }
    assertGivenUp();
  }

  /** Else nobody could tell the two: what a report says of the first would be taken for both. */
  @Test
  void anotherReplicaOfThatNameIsNotServedEither() throws Exception {
    admit(DATA);
    damage();
    assertThatThrownBy(() -> swap(CELL_BYTES + 1100, new byte[] {5}))
        .hasMessageContaining("fit their checksums");
    assertThat(givenUp.quiet()).containsExactly(BLOCK);
    volume.changes().deleting(BLOCK);
    assertThat(givenUp.quiet()).containsExactly(BLOCK);
    assertThatThrownBy(() -> givenUp.requireServed(BLOCK)).hasMessageContaining("damaged=true");
  }

  @Test
  void aDataNodeThatIsStartedAgainFindsItAgain() throws Exception {
    admit(DATA);
    damage();
    assertThatThrownBy(() -> swap(CELL_BYTES + 1100, new byte[] {5}))
        .hasMessageContaining("fit their checksums");
    restart();
    assertThat(givenUp.quiet()).as("a disk was taken out and is back").containsExactly(BLOCK);
    givenUp = new GivenUpReplicas(Runnable::run);
    disk.damaged.clear();
    restart();
    admit(DATA);
    swap(100, new byte[] {1});
    assertThatThrownBy(() -> swap(CELL_BYTES + 1100, new byte[] {5}))
        .hasMessageContaining("fit their checksums");
    assertGivenUp();
  }
}
