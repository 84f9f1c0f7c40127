/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.recovery.SimCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories of Lstors; a disk that fails is one that cannot be listed. */
class LstorDirectoryTest {
  @TempDir Path dir;

  @Test
  void aDirectoryThatCannotBeReadHoldsUpNoOther() throws IOException {
    SimCluster cluster = SimCluster.full(new Random(7), LstorGeometry.of(2, 8, 65536), 3);
    cluster.fill(0.8, false);
    Path bad = Files.createDirectory(dir.resolve("bad"));
    Path good = Files.createDirectory(dir.resolve("good"));
    SimCluster.Disk first = cluster.disks.get(0);
    SimCluster.Disk second = cluster.disks.get(1);
    SimLstors.fill(bad, cluster, first);
    SimLstors.fill(good, cluster, second);
    Set<Path> failing = ConcurrentHashMap.newKeySet();
    failing.add(bad);
    LstorDirectory.Listing listing =
        directory -> {
          if (failing.contains(directory)) {
            throw new IOException("Input/output error");
          }
          return LstorFiles.in(directory);
        };
    try (LstorDirectory lstors =
        new LstorDirectory(List.of(bad, good), 1_000, Clock.system(), listing)) {
      lstors.rescan();
      lstors.requireReadable();
      assertThat(ids(lstors.all())).containsExactly(second.id);
      assertThat(lstors.entries(second.id, OptionalInt.empty())).hasSameSizeAs(second.rows);

      failing.clear();
      lstors.rescan();
      assertThat(ids(lstors.all())).containsExactlyInAnyOrder(first.id, second.id);

      failing.addAll(List.of(bad, good));
      lstors.rescan();
      assertThat(ids(lstors.all()))
          .as("those that were found stay")
          .containsExactlyInAnyOrder(first.id, second.id);
      assertThatThrownBy(lstors::requireReadable)
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("Input/output error", bad.toString(), good.toString());
    }
  }

  private static List<String> ids(Collection<ServedLstor> lstors) {
    return lstors.stream().map(ServedLstor::diskId).toList();
  }
}
