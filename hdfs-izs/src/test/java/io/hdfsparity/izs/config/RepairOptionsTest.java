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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepairOptionsTest {
  @Test
  void defaultsAreAsDocumented() {
    assertThat(RepairOptions.from(new Configuration(false)))
        .isEqualTo(new RepairOptions(true, 256L << 20, 5, 5000));
  }

  @Test
  void allKeysAreRead() {
    Configuration conf = new Configuration(false);
    conf.set(RepairKey.HALF_READ.key(), " false ");
    conf.set(RepairKey.MEMORY.key(), "2g");
    conf.set(RepairKey.ATTEMPTS.key(), "1");
    conf.set("dfs.datanode.ec.reconstruction.stripedread.timeout.millis", "-1");
    assertThat(RepairOptions.from(conf)).isEqualTo(new RepairOptions(false, 2L << 30, 1, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "half-read, yes, true or false",
    "memory, 1k, 1048576..",
    "memory, much, 1048576..",
    "attempts, 0, a whole number: 1..100",
    "attempts, 101, a whole number: 1..100",
    "attempts, many, a whole number: 1..100",
    "memroy, 1g, a key listed in docs/reference/keys.md"
  })
  void othersAreRefused(String key, String value, String rule) {
    Configuration conf = new Configuration(false);
    conf.set(RepairKey.PREFIX + key, value);
    assertThatThrownBy(() -> RepairOptions.from(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "Cannot use configuration: dfs.parity.izs.repair." + key + "=" + value)
        .hasMessageContaining(rule);
  }
}
