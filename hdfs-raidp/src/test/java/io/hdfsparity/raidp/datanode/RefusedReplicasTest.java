/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.image.ImageException;
import io.hdfsparity.raidp.wire.message.ImageKind;
import io.hdfsparity.raidp.wire.message.ImageRequest;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.Test;

/** A DataNode has started without the Lstor of its disk, and others need what is on the disk. */
class RefusedReplicasTest extends SharedVolumeNodes {
  private static final int BYTES = 70_000;
  private final byte[] content = new byte[BYTES];

  private void storeOnBoth() throws IOException {
    place(ID, 5, 1);
    create(a, ID);
    create(b, ID);
    new Random(5).nextBytes(content);
    for (SimNode node : new SimNode[] {a, b}) {
      node.sims.get(0).write(ID, 1001, content);
      node.sims.get(0).finish(ID, 1001, BYTES);
    }
    // A disk without any replica would get a new Lstor at once.
    place(ID + 1, 5, 1);
    store(ID + 1, a, b);
    settle();
    net.down("b");
  }

  /** The node starts again without its Lstor. */
  private PeerService restartedWithoutLstor(NodeResources resources) throws IOException {
    a.stop();
    FileUtils.cleanDirectory(a.lstorDir().toFile());
    NodeDisks disks = a.openDisks(resources);
    assertThat(disks.refused()).hasSize(1);
    return new PeerService(
        disks.frames(),
        request -> {
          throw new IOException("not in this test");
        },
        request -> {
          throw new IOException("not in this test");
        },
        request -> {
          throw new IOException("not in this test");
        },
        new ReleaseTickets(clock, new SecureRandom()),
        new RefusedReplicas(disks::refusedVolume, SimFrame.POOL));
  }

  private static byte[] read(PeerService service, long stamp, int from, int count)
      throws IOException {
    return service.readImage(
        new ImageRequest(
            "DS-a",
            ID,
            stamp,
            BYTES,
            ImageKind.DATA,
            from,
            count,
            Optional.of(new SuperchunkRef(5, 1))));
  }

  @Test
  void aReplicaWithTheVeryStampIsServed() throws IOException {
    storeOnBoth();
    try (NodeResources resources = new NodeResources()) {
      PeerService service = restartedWithoutLstor(resources);
      assertThat(read(service, 1001, 0, BYTES)).isEqualTo(content);
      assertThat(read(service, 1001, 600, 5_000))
          .isEqualTo(Arrays.copyOfRange(content, 600, 5_600));
      for (long other : new long[] {1000, 1002}) {
        assertThatThrownBy(() -> read(service, other, 0, BYTES))
            .isInstanceOf(ImageException.NotHeld.class)
            .hasMessageContaining("Lstor of the disk is out of service");
      }
    }
  }

  @Test
  void aDeletedReplicaThatIsKeptIsServed() throws IOException {
    storeOnBoth();
    a.sims.get(0).delete(ID);
    try (NodeResources resources = new NodeResources()) {
      PeerService service = restartedWithoutLstor(resources);
      assertThat(read(service, 1001, 0, BYTES)).isEqualTo(content);
    }
  }

  /** Nobody has looked whether it was changed without the hooks since. */
  @Test
  void aNewerReplicaIsNotServedForAnOlderStamp() throws IOException {
    storeOnBoth();
    a.sims.get(0).truncate(ID, 1001, 1002, 30_000);
    try (NodeResources resources = new NodeResources()) {
      PeerService service = restartedWithoutLstor(resources);
      assertThat(read(service, 1001, 40_000, 10_000))
          .as("what was cut off")
          .isEqualTo(Arrays.copyOfRange(content, 40_000, 50_000));
      assertThatThrownBy(() -> read(service, 1001, 0, 10_000))
          .isInstanceOf(ImageException.NotHeld.class);
    }
  }
}
