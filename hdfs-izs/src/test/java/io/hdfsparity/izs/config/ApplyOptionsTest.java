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

class ApplyOptionsTest {
  private static Configuration with(ApplyKey key, String value) {
    Configuration conf = new Configuration(false);
    conf.set(key.key(), value);
    return conf;
  }

  @Test
  void defaultsAreValid() {
    assertThat(ApplyOptions.of(new Configuration(false)))
        .isEqualTo(new ApplyOptions("/.izs-apply", 4, 0, 1 << 20, 60_000, 0, 20));
    assertThat(ApplyOptions.of(with(ApplyKey.BANDWIDTH, "100M")).bytesPerSecond())
        .isEqualTo(100L << 20);
  }

  @Test
  void whatCannotBeUsedIsNamed() {
    refused(with(ApplyKey.WORK_FOLDER, "/"), "work.folder=/");
    refused(with(ApplyKey.WORK_FOLDER, "/.reserved/raw"), "work.folder=/.reserved/raw");
    refused(with(ApplyKey.THREADS, "0"), "threads=0, expected a whole number: 1..256");
    refused(with(ApplyKey.BANDWIDTH, "fast"), "bandwidth=fast");
    refused(with(ApplyKey.SETTLE_TIMEOUT, "1ms"), "settle.timeout=1ms");
    Configuration unknown = new Configuration(false);
    unknown.set(ApplyKey.PREFIX + "thread", "4");
    refused(unknown, "thread=4, expected a key listed in docs/reference/keys.md");
  }

  private static void refused(Configuration conf, String message) {
    assertThatThrownBy(() -> ApplyOptions.of(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
