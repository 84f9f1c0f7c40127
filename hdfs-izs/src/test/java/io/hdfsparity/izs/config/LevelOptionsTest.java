/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class LevelOptionsTest {
  private static Configuration conf(String key, String value) {
    Configuration conf = new Configuration(false);
    conf.set(key, value);
    return conf;
  }

  @Test
  void defaultsAreThoseOfTheKeys() {
    assertThat(LevelOptions.of(new Configuration(false)))
        .isEqualTo(new LevelOptions(200, 10_000, 20, 2000, 5000, 30_000, true, 60_000));
  }

  @Test
  void refusesUnknownKeysAndWrongValues() {
    assertThatThrownBy(() -> LevelOptions.of(conf("dfs.parity.izs.level.lock.hold.ms", "1")))
        .hasMessageContaining("dfs.parity.izs.level.lock.hold.ms=1");
    assertThatThrownBy(() -> LevelOptions.of(conf(LevelKey.LOCK_HOLD.key(), "2h")))
        .hasMessageContaining(
            "dfs.parity.izs.level.lock.hold=2h, expected a duration, with ms, s, m, h, d: 1..1000 ms");
    assertThatThrownBy(() -> LevelOptions.of(conf(LevelKey.LOCK_HOLD.key(), "soon")))
        .hasMessageContaining("=soon, expected a duration");
    assertThatThrownBy(() -> LevelOptions.of(conf(LevelKey.FILE_GROUPS.key(), "20001")))
        .hasMessageContaining("=20001, expected a whole number: 1..20000");
    assertThatThrownBy(() -> LevelOptions.of(conf(LevelKey.BATCH_FILES.key(), "x")))
        .hasMessageContaining("=x, expected a whole number");
    assertThatThrownBy(() -> LevelOptions.of(conf(LevelKey.PEERS_CHECK.key(), "yes")))
        .hasMessageContaining("=yes, expected true or false");
  }
}
