/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.datanode.DatasetHooks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ParityDatasetFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EcUpdateDataNodeFeatureTest {
  @TempDir Path volume;

  private final Configuration conf = new Configuration(false);
  private final EcUpdateDataNodeFeature feature = new EcUpdateDataNodeFeature();

  @BeforeEach
  void oneVolume() {
    conf.set("dfs.datanode.data.dir", volume.toUri().toString());
  }

  @Test
  void byDefaultItIsOnWhereItsHooksAre() {
    assertThat(feature.lacks(conf))
        .hasValueSatisfying(
            setting ->
                assertThat(setting)
                    .startsWith(
                        DatasetHooks.CLASSES_KEY + "=" + EcUpdateDatasetHooks.class.getName()));
    conf.set(DatasetHooks.CLASSES_KEY, "other.Hooks, " + EcUpdateDatasetHooks.class.getName());
    assertThat(feature.lacks(conf)).isEmpty();
  }

  /** Else a DataNode that has lost its settings would serve what the block files say. */
  @Test
  void itIsOnWhereAReplicaWasEverUpdatedAndThenWantsItsSettings() throws IOException {
    Path pool = Files.createDirectories(volume.resolve("ecupdate").resolve("BP-1"));
    assertThat(feature.lacks(conf)).isPresent();
    Files.createFile(pool.resolve("admitted"));
    assertThat(feature.lacks(conf)).isEmpty();
    assertThatThrownBy(() -> EcUpdateDataNodeFeature.check(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("dfs.datanode.fsdataset.factory=null");
  }

  /** Updates that are switched off by the list of features leave updated replicas behind. */
  @Test
  void updatedReplicasWantTheSettingsWhereUpdatesAreOffToo() throws IOException {
    EcUpdateDataNodeFeature.checkWhenOff(conf);
    Files.createFile(
        Files.createDirectories(volume.resolve("ecupdate").resolve("BP-1")).resolve("admitted"));
    assertThatThrownBy(() -> EcUpdateDataNodeFeature.checkWhenOff(conf))
        .hasMessageContaining("dfs.datanode.fsdataset.factory=null");
    conf.set("dfs.datanode.fsdataset.factory", ParityDatasetFactory.class.getName());
    assertThatThrownBy(() -> EcUpdateDataNodeFeature.checkWhenOff(conf))
        .hasMessageContaining(DatasetHooks.CLASSES_KEY);
    conf.set(DatasetHooks.CLASSES_KEY, EcUpdateDatasetHooks.class.getName());
    EcUpdateDataNodeFeature.checkWhenOff(conf);
  }
}
