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

/**
 * The keys of the feature together, without those of the verification of parity: a wrong one of
 * those stops the verification only. Stateless.
 */
final class IzsKeys {
  private static final List<String> PREFIXES =
      List.of(
          LevelKey.PREFIX, AccessKey.ACCESS, AccessKey.MAPPING, ApplyKey.PREFIX, RepairKey.PREFIX);

  private IzsKeys() {}

  /**
   * Reads these keys.
   *
   * @throws IllegalArgumentException naming a key under a prefix of theirs that is none of them
   */
  static KeyReader reader(Configuration conf) {
    List<ConfigKey> all = new ArrayList<>();
    all.addAll(List.of(LevelKey.values()));
    all.addAll(List.of(AccessKey.values()));
    all.addAll(List.of(ApplyKey.values()));
    all.addAll(List.of(RepairKey.values()));
    KeyReader keys = new KeyReader(conf);
    keys.refuseUnknown(PREFIXES, all, Set.of());
    return keys;
  }
}
