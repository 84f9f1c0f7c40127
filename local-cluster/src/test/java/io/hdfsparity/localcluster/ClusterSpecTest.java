/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterSpecTest {
  @Test
  void whatIsStoredIsRead(@TempDir Path dir) throws IOException {
    ClusterSpec spec = Specs.stock(9870, Map.of("a.b", "x=y, z", "c", ""));
    Path file = dir.resolve("cluster.properties");
    spec.store(file);
    assertThat(ClusterSpec.load(file)).isEqualTo(spec);
  }

  @Test
  void aNodeOfRaidpHasAnLstorDaemon(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("cluster.properties");
    Specs.all().store(file);
    ClusterSpec spec = ClusterSpec.load(file);
    assertThat(spec).isEqualTo(Specs.all());
    assertThat(Daemon.of(spec).stream().map(Daemon::name))
        .hasSize(17)
        .endsWith("dn6", "lstor6", "dn7", "lstor7");
    assertThat(Daemon.ofNode(spec.withOneNodeMore(), 8)).hasSize(2);
    assertThat(Daemon.ofNode(Specs.izs(), 7)).hasSize(1);
  }

  @Test
  void aDamagedDescriptionIsNamed(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("cluster.properties");
    Specs.raidp().store(file);
    Files.writeString(file, Files.readString(file).replace("\nnodes=6", "\nnodes=six"));
    assertThatThrownBy(() -> ClusterSpec.load(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("six")
        .hasMessageContaining(file.toString());
    Files.writeString(file, "mode=raidp\n");
    assertThatThrownBy(() -> ClusterSpec.load(file)).hasMessageContaining("cluster-id is missing");
  }

  @Test
  void whatCannotBeIsRefusedByName() {
    LocalClusterBuilder tooManyRacks =
        LocalCluster.builder(Path.of("never-made")).nodes(2).racks(3);
    assertThatThrownBy(tooManyRacks::build)
        .hasMessageContaining("racks=3")
        .hasMessageContaining("1 to 2");
    LocalClusterBuilder small = LocalCluster.builder(Path.of("never-made")).frameBytes(32L << 20);
    assertThatThrownBy(small::build).hasMessageContaining("frame-size=33554432");
    LocalClusterBuilder odd =
        LocalCluster.builder(Path.of("never-made")).frameBytes((256L << 20) + 4096);
    assertThatThrownBy(odd::build).hasMessageContaining("a multiple of unit-size");
  }

  @Test
  void aJournalThatTheLargestBlockDoesNotFitIntoIsRefused(@TempDir Path dir) throws IOException {
    String key = "dfs.parity.raidp.max.block.size";
    LocalClusterBuilder small =
        LocalCluster.builder(Path.of("never-made"))
            .mode(ClusterMode.RAIDP)
            .blockBytes(32L << 20)
            .journalBytes(64L << 20);
    assertThatThrownBy(small::build)
        .hasMessageContaining("journal-size=67108864, expected at least " + key + "=134217728")
        .hasMessageContaining("raise journal-size or set that key lower");
    assertThat(
            LocalCluster.builder(dir)
                .mode(ClusterMode.RAIDP)
                .blockBytes(32L << 20)
                .journalBytes(64L << 20)
                .conf(key, "64m")
                .build()
                .spec()
                .maxBlockBytes())
        .isEqualTo(64L << 20);
  }

  @Test
  void anotherDescriptionForAFolderThatHasOneIsRefused(@TempDir Path dir) throws IOException {
    Specs.raidp().store(new ClusterPaths(dir).specFile());
    assertThat(LocalCluster.builder(dir).nodes(6).build().spec()).isEqualTo(Specs.raidp());
    assertThatThrownBy(() -> LocalCluster.builder(dir).nodes(7).build())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("nodes=7")
        .hasMessageContaining("expected 6");
    assertThatThrownBy(() -> LocalCluster.builder(dir).conf("x", "1").build())
        .hasMessageContaining("conf.x=1");
  }

  @Test
  void aDescriptionOfBeforeThereWereTwoNameNodesHasOne(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("cluster.properties");
    Specs.raidp().store(file);
    Files.writeString(file, Files.readString(file).replace("namenodes=1\n", ""));
    assertThat(ClusterSpec.load(file)).isEqualTo(Specs.raidp());
    Specs.highlyAvailable(Specs.izs()).store(file);
    assertThat(ClusterSpec.load(file).isHighlyAvailable()).isTrue();
  }

  @Test
  void twoNameNodesAreNotOne(@TempDir Path dir) throws IOException {
    Specs.raidp().store(new ClusterPaths(dir).specFile());
    assertThatThrownBy(() -> LocalCluster.builder(dir).highlyAvailable().build())
        .hasMessageContaining("namenodes=2, expected 1");
    LocalCluster one = LocalCluster.open(dir);
    assertThatThrownBy(() -> one.failOver("nn")).hasMessageContaining("--ha");
  }

  @Test
  void processesHaveNames() {
    assertThat(Daemon.of(Specs.stock(0, Map.of())).stream().map(Daemon::name))
        .containsExactly("nn", "dn0", "dn1", "dn2");
    assertThat(
            Daemon.of(Specs.highlyAvailable(Specs.stock(0, Map.of()))).stream().map(Daemon::name))
        .containsExactly("nn0", "nn1", "jn0", "jn1", "jn2", "dn0", "dn1", "dn2");
    assertThat(Daemon.byName(Specs.raidp(), "lstor5")).isEqualTo(new Daemon(DaemonRole.LSTOR, 5));
    assertThatThrownBy(() -> Daemon.byName(Specs.raidp(), "dn6")).hasMessageContaining("name=dn6");
  }
}
