/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.config;

import io.hdfsparity.bridge.datanode.DatasetHooks;
import java.util.Set;

/** Keys that belong to no feature alone. */
public enum SuiteKey implements ConfigKey {
  DATASET_HOOKS(
      DatasetHooks.CLASSES_KEY,
      ValueForm.CLASSES,
      "",
      Set.of(KeyUser.DATANODE),
      "Features that take part in the DataNode's dataset, in that order:"
          + " io.hdfsparity.raidp.datanode.RaidpDatasetHooks,"
          + " io.hdfsparity.ecupdate.datanode.EcUpdateDatasetHooks.");

  private final KeySpec spec;

  SuiteKey(String name, ValueForm form, String defaultValue, Set<KeyUser> users, String meaning) {
    spec = new KeySpec(name, form, defaultValue, users, meaning);
  }

  @Override
  public KeySpec spec() {
    return spec;
  }
}
