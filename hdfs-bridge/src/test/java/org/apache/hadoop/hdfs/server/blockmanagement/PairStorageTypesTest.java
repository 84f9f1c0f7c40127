/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.namenode.PairPlacement.PlacementRefusedException;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PairStorageTypesTest {
  private final BlockStoragePolicySuite policies = BlockStoragePolicySuite.createDefaultSuite();

  private List<StorageType> types(String policy) throws PlacementRefusedException {
    return PairStorageTypes.of(policies.getPolicy(policy), "/a");
  }

  @Test
  void bothReplicasAreOnTheTypeOfThePolicyOrOnItsFallback() throws Exception {
    assertThat(types(HdfsConstants.HOT_STORAGE_POLICY_NAME)).containsExactly(StorageType.DISK);
    assertThat(types(HdfsConstants.COLD_STORAGE_POLICY_NAME)).containsExactly(StorageType.ARCHIVE);
    assertThat(types(HdfsConstants.ALLSSD_STORAGE_POLICY_NAME))
        .containsExactly(StorageType.SSD, StorageType.DISK);
    assertThat(PairStorageTypes.of(null, "/a")).isEmpty();
  }

  @Test
  void neverInMemory() throws Exception {
    assertThat(types(HdfsConstants.MEMORY_STORAGE_POLICY_NAME)).containsExactly(StorageType.DISK);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {HdfsConstants.ONESSD_STORAGE_POLICY_NAME, HdfsConstants.WARM_STORAGE_POLICY_NAME})
  void aPolicyWithTwoTypesIsRefusedByName(String policy) {
    assertThatThrownBy(() -> types(policy))
        .isInstanceOf(PlacementRefusedException.class)
        .hasMessageContainingAll("storagePolicy=" + policy, "HOT, COLD or ALL_SSD", "path=/a");
  }
}
