/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import static io.hdfsparity.bridge.config.KeyUser.CLIENT;
import static io.hdfsparity.bridge.config.KeyUser.COMMAND;
import static io.hdfsparity.bridge.config.KeyUser.DATANODE;
import static io.hdfsparity.bridge.config.KeyUser.NAMENODE;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.KeyReader;
import io.hdfsparity.bridge.config.KeySpec;
import io.hdfsparity.bridge.config.KeyUser;
import io.hdfsparity.bridge.config.ValueForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/**
 * Keys of in-place updates that belong to no daemon alone, and the check of all keys of the
 * feature.
 */
public enum UpdateKey implements ConfigKey {
  SCHEME_DEFAULT(
      "scheme.default",
      ValueForm.WORD,
      "PLR",
      Set.of(NAMENODE, COMMAND),
      "Scheme of paths without one: FO, FL, PL or PLR. NameNodes read it, and -scheme on its "
          + "own host, to show it."),
  SURVIVE(
      "survive",
      ValueForm.TEXT,
      "1c1s",
      Set.of(CLIENT),
      "Clients that crash in the middle of a write, and DataNodes that lose their block, that "
          + "updates must survive together, as in 1c1s. Adds that do not survive it are refused "
          + "when a file is opened. With one parity unit: 0c1s."),
  RENEWAL_ABANDONED(
      "renewal.abandoned",
      ValueForm.DURATION,
      "60s",
      Set.of(CLIENT),
      "A copy of a block group that nobody works on is deleted after this long."),
  RENEWAL_TIMEOUT(
      "renewal.timeout",
      ValueForm.DURATION,
      "10m",
      Set.of(CLIENT),
      "How long a client waits for another one that is rewriting the same block group."),
  ALLOW_CLEAR(
      "channel.allow-clear",
      ValueForm.FLAG,
      "false",
      Set.of(DATANODE, CLIENT),
      "Allow connections of the update channel in clear although Kerberos is on. Without it they are"
          + " encrypted and authenticated. Where HDFS encrypts data transfer, or protects its"
          + " integrity, the key has no effect.");

  /** Prefix of all keys of the feature. */
  static final String PREFIX = SUITE_PREFIX + "ecupdate.";

  private final KeySpec spec;

  UpdateKey(
      String suffix, ValueForm form, String defaultValue, Set<KeyUser> users, String meaning) {
    spec = new KeySpec(SUITE_PREFIX + "ecupdate." + suffix, form, defaultValue, users, meaning);
  }

  @Override
  public KeySpec spec() {
    return spec;
  }

  /**
   * Reads keys of the feature.
   *
   * @throws IllegalArgumentException naming a key under its prefix that it does not have
   */
  public static KeyReader reader(Configuration conf) {
    List<ConfigKey> all = new ArrayList<>(List.of(values()));
    all.addAll(List.of(SessionKey.values()));
    all.addAll(List.of(ControlKey.values()));
    all.addAll(List.of(TraceKey.values()));
    all.addAll(List.of(ServingKey.values()));
    all.addAll(List.of(StorageKey.values()));
    KeyReader keys = new KeyReader(conf);
    keys.refuseUnknown(List.of(PREFIX), all, Set.of());
    return keys;
  }
}
