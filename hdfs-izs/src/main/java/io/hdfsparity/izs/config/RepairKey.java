/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.config;

import static io.hdfsparity.bridge.config.KeyUser.DATANODE;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.KeySpec;
import io.hdfsparity.bridge.config.ValueForm;
import java.util.Set;

/** Every key of repairs in DataNodes, with default and meaning. */
public enum RepairKey implements ConfigKey {
  HALF_READ(
      "half-read",
      ValueForm.FLAG,
      "true",
      "Whether one lost data unit is rebuilt from half of the others, where the codec has a plan for"
          + " it. With false, as many whole units are read as the policy has data units."),
  MEMORY(
      "memory",
      ValueForm.SIZE,
      "256m",
      "Memory that the buffers of all repairs of a DataNode take together. A single repair that needs"
          + " more runs alone."),
  ATTEMPTS(
      "attempts",
      ValueForm.COUNT,
      "5",
      "How often reading is started in one repair before it fails: once, and once more after "
          + "each helper that failed, was slow or was corrupt. Then the NameNode orders the repair "
          + "again.");

  /** Prefix of all names. */
  public static final String PREFIX = SUITE_PREFIX + "izs.repair.";

  private final KeySpec spec;

  RepairKey(String suffix, ValueForm form, String defaultValue, String meaning) {
    spec =
        new KeySpec(
            SUITE_PREFIX + "izs.repair." + suffix, form, defaultValue, Set.of(DATANODE), meaning);
  }

  @Override
  public KeySpec spec() {
    return spec;
  }
}
