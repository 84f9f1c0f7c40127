/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import io.hdfsparity.bridge.datanode.DatasetHooks;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartRulesTest {
  private static final String POLICY =
      DFSConfigKeys.DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY;

  @TempDir Path dir;
  private final Configuration conf = new Configuration(false);

  @BeforeEach
  void legal() {
    conf.set("dfs.datanode.data.dir", dir.resolve("a") + "," + dir.resolve("b"));
    conf.set(POLICY, StorageIdVolumeChoosingPolicy.class.getName());
    conf.set("dfs.datanode.fsdataset.factory", ParityDatasetFactory.class.getName());
    conf.set(DatasetHooks.CLASSES_KEY, "some.Hooks");
  }

  @Test
  void aLegalConfigurationPasses() {
    assertThatCode(() -> StartRules.check(conf, true, true)).doesNotThrowAnyException();
  }

  @Test
  void sameDiskTieringIsRefused() {
    conf.setBoolean(DFSConfigKeys.DFS_DATANODE_ALLOW_SAME_DISK_TIERING, true);
    assertThatThrownBy(() -> StartRules.check(conf, true, true))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("tiering")
        .hasMessageContaining("expected false");
  }

  @Test
  void sameDiskTieringPassesWhereVolumesAreNotPaired() {
    conf.setBoolean(DFSConfigKeys.DFS_DATANODE_ALLOW_SAME_DISK_TIERING, true);
    assertThatCode(() -> StartRules.check(conf, true, false)).doesNotThrowAnyException();
  }

  @Test
  void ramDisksAreRefusedWhereVolumesArePaired() {
    conf.set("dfs.datanode.data.dir", dir.resolve("a") + ",[RAM_DISK]" + dir.resolve("b"));
    assertThatThrownBy(() -> StartRules.check(conf, true, true))
        .hasMessageContaining("RAM_DISK")
        .hasMessageContaining("lazy persist");
    assertThatCode(() -> StartRules.check(conf, true, false)).doesNotThrowAnyException();
  }

  @Test
  void providedStorageIsRefused() {
    conf.set("dfs.datanode.data.dir", dir.resolve("a") + ",[PROVIDED]" + dir.resolve("b"));
    assertThatThrownBy(() -> StartRules.check(conf, true, false)).hasMessageContaining("PROVIDED");
  }

  @Test
  void anotherVolumePolicyIsRefused() {
    conf.set(POLICY, RoundRobinVolumeChoosingPolicy.class.getName());
    assertThatThrownBy(() -> StartRules.check(conf, true, true)).hasMessageContaining(POLICY);
    StartRules.setVolumePolicy(conf, true);
    assertThat(conf.get(POLICY)).isEqualTo(RoundRobinVolumeChoosingPolicy.class.getName());
  }

  @Test
  void whereTheNameNodeChoosesTheVolumeThePolicyNeedNotBeSet() {
    for (String none : new String[] {"", " "}) {
      conf.set(POLICY, none);
      assertThatCode(() -> StartRules.check(conf, true, true)).doesNotThrowAnyException();
      StartRules.setVolumePolicy(conf, false);
      assertThat(conf.get(POLICY)).isEqualTo(none);
      StartRules.setVolumePolicy(conf, true);
      assertThat(conf.get(POLICY)).isEqualTo(StorageIdVolumeChoosingPolicy.class.getName());
    }
  }

  @Test
  void whereNoHooksLeaveTheChoiceToTheNameNodeHadoopsOwnPolicyPasses() {
    conf.unset(POLICY);
    assertThatCode(() -> StartRules.check(conf, false, true)).doesNotThrowAnyException();
    conf.setBoolean(DFSConfigKeys.DFS_DATANODE_ALLOW_SAME_DISK_TIERING, true);
    assertThatThrownBy(() -> StartRules.check(conf, false, true)).hasMessageContaining("tiering");
  }

  @Test
  void aRollbackToAPreviousStateIsRefusedBeforeHadoopTouchesIt() throws Exception {
    conf.set(DatasetHooks.CLASSES_KEY, KeepingHooks.class.getName());
    conf.set("dfs.datanode.startup", "ROLLBACK");
    assertThatCode(() -> FsDatasetSpi.Factory.getFactory(conf)).doesNotThrowAnyException();
    Path previous = Files.createDirectories(dir.resolve("b/current/BP-1-127.0.0.1-1/previous"));
    assertThatThrownBy(() -> FsDatasetSpi.Factory.getFactory(conf))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot roll back")
        .hasMessageContaining(previous.toString());
    conf.set("dfs.datanode.startup", "REGULAR");
    assertThatCode(() -> FsDatasetSpi.Factory.getFactory(conf)).doesNotThrowAnyException();
    conf.set("dfs.datanode.startup", "ROLLBACK");
    conf.unset(DatasetHooks.CLASSES_KEY);
    assertThatCode(() -> FsDatasetSpi.Factory.getFactory(conf)).doesNotThrowAnyException();
  }

  @Test
  void aRollbackIsLeftToHadoopWhereAllHooksAllowIt() throws Exception {
    conf.set("dfs.datanode.startup", "ROLLBACK");
    Files.createDirectories(dir.resolve("b/current/BP-1-127.0.0.1-1/previous"));
    conf.setStrings(
        DatasetHooks.CLASSES_KEY, AllowingHooks.class.getName(), AllowingHooks.class.getName());
    assertThatCode(() -> FsDatasetSpi.Factory.getFactory(conf)).doesNotThrowAnyException();
    conf.setStrings(
        DatasetHooks.CLASSES_KEY, AllowingHooks.class.getName(), KeepingHooks.class.getName());
    assertThatThrownBy(() -> FsDatasetSpi.Factory.getFactory(conf))
        .hasMessageContaining("Cannot roll back");
  }

  /** Hooks that say nothing of rollbacks. */
  public static class KeepingHooks implements DatasetHooks {
    /** Made by name. */
    public KeepingHooks() {}

    @Override
    public void open(DataNode datanode, DatasetAccess dataset, Configuration conf) {}

    @Override
    public VolumeHooks volume(String storageId, File root) {
      throw new AssertionError("no volume is made before the rollback");
    }

    @Override
    public void started(String blockPoolId) {}

    @Override
    public Set<String> widenFailure(Set<String> storageIds) {
      return storageIds;
    }

    @Override
    public void failed(Set<String> storageIds) {}

    @Override
    public boolean toleratesVolumeFailures() {
      return false;
    }

    @Override
    public void close() {}
  }

  /** Hooks that keep nothing beside replicas. */
  public static final class AllowingHooks extends KeepingHooks {
    /** Made by name. */
    public AllowingHooks() {}

    @Override
    public boolean allowsRollback(Path volumeRoot) {
      return true;
    }
  }

  @Test
  void theChooserHasNoRamDisk() {
    StorageIdVolumeChoosingPolicy chooser = new StorageIdVolumeChoosingPolicy();
    assertThatThrownBy(() -> chooser.chooseVolume(List.of(), 1, "DS-1"))
        .isInstanceOf(DiskOutOfSpaceException.class);
  }
}
