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
    assertThatThrownBy(
            () -> SessionOptions.address(with(SessionKey.RPC_ADDRESS.key(), "nowhere:x"), "", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rpc-address");
  }

  private static void assertRefused(Configuration conf, String named) {
    assertThatThrownBy(() -> SessionOptions.of(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(named)
        .hasMessageContaining("expected");
  }

  @Test
  void eachNameNodeCanHaveItsOwnAddress() {
    Configuration conf = with(SessionKey.RPC_ADDRESS.key() + ".ns.nn1", "127.0.0.1:7001");
    conf.set(SessionKey.RPC_ADDRESS.key(), "127.0.0.1:7000");
    assertThat(SessionOptions.address(conf, "ns", "nn1").getPort()).isEqualTo(7001);
    assertThat(SessionOptions.address(conf, "ns", "nn2").getPort()).isEqualTo(7000);
    assertThat(SessionOptions.of(conf).maxGroups()).isEqualTo(2000);
  }
}
