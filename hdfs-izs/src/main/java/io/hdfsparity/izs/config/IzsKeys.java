/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.config;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.KeyReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/** All keys of the feature together. Stateless. */
final class IzsKeys {
  /** Prefix of all of them. */
  private static final String PREFIX = ConfigKey.SUITE_PREFIX + "izs.";

  private IzsKeys() {}

  /**
   * Reads keys of the feature.
   *
   * @throws IllegalArgumentException naming a key under its prefix that it does not have
   */
  static KeyReader reader(Configuration conf) {
    List<ConfigKey> all = new ArrayList<>();
    all.addAll(List.of(LevelKey.values()));
    all.addAll(List.of(AccessKey.values()));
    all.addAll(List.of(ApplyKey.values()));
    all.addAll(List.of(RepairKey.values()));
    KeyReader keys = new KeyReader(conf);
    keys.refuseUnknown(PREFIX, all, Set.of(LevelKey.RPC_ADDRESS, AccessKey.RPC_ADDRESS));
    return keys;
  }
}
