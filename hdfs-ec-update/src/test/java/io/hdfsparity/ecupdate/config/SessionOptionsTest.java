/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class SessionOptionsTest {
  private static Configuration with(String key, String value) {
    Configuration conf = new Configuration(false);
    conf.set(key, value);
    return conf;
  }

  @Test
  void defaultsAreValid() {
    SessionOptions options = SessionOptions.of(new Configuration(false));
    assertThat(options.times().leaseMs()).isEqualTo(60_000);
    assertThat(options.times().validMs()).isEqualTo(15_000);
    assertThat(options.times().fenceMs()).isGreaterThan(options.times().validMs());
    assertThat(options.times().lease().renewEveryMs()).isEqualTo(20_000);
  }

  @Test
  void whatCannotBeUsedIsNamed() {
    assertRefused(with(SessionKey.PREFIX + "leese", "60s"), "leese");
    assertRefused(with(SessionKey.LEASE.key(), "soon"), "lease");
    assertRefused(with(SessionKey.LEASE.key(), "1ms"), "lease");
    assertRefused(with(SessionKey.MAX_SESSIONS.key(), "many"), "max=many");
    assertRefused(with(SessionKey.NODE_REPORT.key(), "6s"), "node.validity=15s");
  }

  private static void assertRefused(Configuration conf, String named) {
    assertThatThrownBy(() -> SessionOptions.of(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(named)
        .hasMessageContaining("expected");
  }
}
