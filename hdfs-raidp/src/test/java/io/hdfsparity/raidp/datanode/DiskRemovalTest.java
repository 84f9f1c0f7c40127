/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.lstord.LstorFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.Test;

/** Which disks an administrator may take away from a running DataNode. */
class DiskRemovalTest extends SharedVolumeNodes {
  /** A block that both sides cover; its first DataNode is down. */
  private void storeAndStop() throws IOException {
    place(ID, 5, 1);
    store(ID, a, b);
    settle();
    a.stop();
  }

  @Test
  void aDiskWithTheOnlyReplicasOfASuperchunkStays() throws IOException {
    storeAndStop();
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

  /** It serves what it has: without a partner, that is all there is. */
  @Test
  void aDiskWhoseLstorHasFailedMayHaveTheOnlyReplicasToo() throws IOException {
    storeAndStop();
    try (NodeResources resources = new NodeResources()) {
      NodeDisks disks = a.openDisks(resources);
      disks.frames().disks().get(0).lstorFailed("a sector cannot be read");
      net.declareDead("b");
      assertThatThrownBy(() -> disks.requireRemovable(Set.of("DS-a")))
          .hasMessageContainingAll("Cannot remove disk", "superchunk=5");
    }
    a.start();
  }

  /** What the manager knows of it may be minutes old. */
  @Test
  void aPartnerIsAskedWhenADiskIsTakenAway() throws IOException {
    storeAndStop();
    try (NodeResources resources = new NodeResources()) {
      RemovalCheck check = new RemovalCheck(a.openDisks(resources).frames(), 0);
      check.requireRemovable(Set.of("DS-a"));
      b.disk.fail("broken");
      assertThatThrownBy(() -> check.requireRemovable(Set.of("DS-a")))
          .hasMessageContainingAll("superchunk=5", "DS-b", "cannot be asked", "broken");
      net.down("b");
      assertThatThrownBy(() -> check.requireRemovable(Set.of("DS-a")))
          .hasMessageContainingAll("superchunk=5", "DS-b", "cannot be asked");
    }
    a.start();
  }

  @Test
  void aDiskStaysAsLongAsItsPartnerLacksABlock() throws IOException {
    storeAndStop();
    b.stop();
    FileUtils.deleteDirectory(b.frameDirectory(0).resolve("current").toFile());
    b.start();
    try (NodeResources resources = new NodeResources()) {
      RemovalCheck check = new RemovalCheck(a.openDisks(resources).frames(), 0);
      assertThatThrownBy(() -> check.requireRemovable(Set.of("DS-a")))
          .hasMessageContainingAll("superchunk=5", "DS-b without 1 of its blocks");
    }
    a.start();
  }

  @Test
  void aDiskThatWasTakenAwayIsListedUntilNothingDependsOnIt() throws IOException {
    storeAndStop();
    try (NodeResources resources = new NodeResources()) {
      NodeDisks disks = a.openDisks(resources);
      String id = disks.frames().disks().get(0).diskId();
      DepartedDisks departed = disks.departed();
      departed.unconfigured(Set.of(a.frameDirectory(0)));
      departed.forget(List.of(id));
      assertThat(ids(disks)).as("it is in service").containsExactly(id);
      departed.configured(a.frameDirectory(0));
      disks.failed(Set.of("DS-a"));
      departed.forget(List.of(id));
      assertThat(ids(disks)).as("somebody has to replace it").containsExactly(id);
      departed.unconfigured(Set.of(a.frameDirectory(0)));
      departed.forget(List.of("another"));
      assertThat(ids(disks)).containsExactly(id);
      departed.forget(List.of(id));
      assertThat(ids(disks)).isEmpty();
      assertThat(disks.frames().volumes()).isEmpty();
      Path lstor = DiskOpener.lstorFile(a.lstorDir(), id);
      assertThat(lstor).doesNotExist();
      assertThat(LstorFiles.aside(lstor)).exists();
    }
    a.start();
    assertThat(frameOf(a, ID)).as("a disk that is there again has its Lstor again").isZero();
  }

  @Test
  void aDiskThatWasReplacedIsListedUntilNothingDependsOnIt() throws IOException {
    a.stop();
    try (NodeResources resources = new NodeResources()) {
      NodeDisks disks = a.openDisks(resources);
      disks.reconcile();
      String id = disks.frames().disks().get(0).diskId();
      disks.failed(Set.of("DS-a"));
      FileUtils.deleteDirectory(a.root().toFile());
      Files.createDirectories(a.frameDirectory(0));
      disks.volume("DS-new", a.frameDirectory(0));
      disks.departed().forget(List.of(id));
      assertThat(ids(disks)).as("the new one is not in service yet").containsExactly(id);
      disks.added("DS-new");
      assertThat(ids(disks)).hasSize(2).contains(id);
      disks.departed().forget(ids(disks));
      assertThat(ids(disks)).hasSize(1).doesNotContain(id);
      assertThat(disks.frames().volume("DS-new")).isPresent();
    }
    FileUtils.deleteDirectory(a.root().toFile());
    FileUtils.deleteDirectory(a.lstorDir().toFile());
    a.start();
  }

  /** The order to forget it may be older than its arrival at another root. */
  @Test
  void aDiskThatIsBeingAddedAgainIsNotForgotten() throws IOException {
    a.stop();
    try (NodeResources resources = new NodeResources()) {
      NodeDisks disks = a.openDisks(resources);
      disks.reconcile();
      String id = disks.frames().disks().get(0).diskId();
      disks.failed(Set.of("DS-a"));
      disks.volume("DS-a", a.frameDirectory(0));
      disks.departed().unconfigured(Set.of(a.frameDirectory(0)));
      disks.departed().forget(List.of(id));
      assertThat(ids(disks)).containsExactly(id);
      disks.added("DS-a");
      assertThat(disks.frames().disks().get(0).holdsLstor()).isTrue();
      assertThat(DiskOpener.lstorFile(a.lstorDir(), id)).exists();
    }
    a.start();
  }

  private static List<String> ids(NodeDisks disks) {
    return disks.frames().disks().stream().map(DiskEngine::diskId).toList();
  }
}
