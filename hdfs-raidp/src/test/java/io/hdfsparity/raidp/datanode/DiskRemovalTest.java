/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which disks an administrator may take away from a running DataNode. */
class DiskRemovalTest extends SharedVolumeNodes {
  @Test
  void aDiskWithTheOnlyReplicasOfASuperchunkStays() throws IOException {
    place(ID, 5, 1);
    store(ID, a, b);
    settle();
    a.stop();
    try (NodeResources resources = new NodeResources()) {
      NodeDisks disks = a.openDisks(resources);
      assertThatCode(() -> disks.requireRemovable(Set.of("DS-a"))).doesNotThrowAnyException();
      net.declareDead("c");
      assertThatCode(() -> disks.requireRemovable(Set.of("DS-a")))
          .as("its superchunk with c has no block")
          .doesNotThrowAnyException();
      net.declareDead("b");
      assertThatCode(() -> disks.requireRemovable(Set.of("DS-other"))).doesNotThrowAnyException();
      assertThatThrownBy(() -> disks.requireRemovable(Set.of("DS-a")))
          .hasMessageContainingAll(
              "Cannot remove disk", "superchunk=5", "hdfs raidp -recover", "hdfs raidp -failDisk");
    }
    a.start();
  }
}
