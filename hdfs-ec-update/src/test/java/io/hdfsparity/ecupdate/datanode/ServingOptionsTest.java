/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ecupdate.channel.ServerLimits;
import io.hdfsparity.ecupdate.config.ServingKey;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Where updates are served, and where they are not. */
class ServingOptionsTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void theAddressIsRead() {
    assertThat(ServingOptions.of(conf).address().getPort()).isEqualTo(9879);
    conf.set(ServingKey.ADDRESS.key(), "127.0.0.1:0");
    assertThat(ServingOptions.of(conf).address().getPort()).isZero();
    conf.set(ServingKey.ADDRESS.key(), "nowhere");
    assertThatThrownBy(() -> ServingOptions.of(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(ServingKey.ADDRESS.key() + "=nowhere");
  }

  @Test
  void protectedTransferIsFollowed() {
    conf.set("dfs.data.transfer.protection", "authentication");
    assertThat(ServingOptions.of(conf).isProtectionRequired()).isFalse();
    conf.set("dfs.data.transfer.protection", "privacy");
    assertThat(ServingOptions.of(conf).isProtectionRequired()).isTrue();
  }

  @Test
  void limitsAreRead() {
    assertThat(ServingOptions.of(conf).limits()).isEqualTo(ServerLimits.standard());
    conf.set(ServingKey.MAX_CONNECTIONS.key(), "10");
    conf.set(ServingKey.MAX_USER_CONNECTIONS.key(), "3");
    conf.set(ServingKey.IN_FLIGHT_BYTES.key(), "20M");
    conf.set(ServingKey.USER_IN_FLIGHT_BYTES.key(), "5M");
    conf.set(ServingKey.MAX_USER_LOCKS.key(), "7");
    ServerLimits limits = ServingOptions.of(conf).limits();
    assertThat(limits).isEqualTo(ServerLimits.standard().with(10, 3, 20 << 20, 5 << 20, 7));
    conf.set(ServingKey.USER_IN_FLIGHT_BYTES.key(), "1M");
    assertThatThrownBy(() -> ServingOptions.of(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(ServingKey.USER_IN_FLIGHT_BYTES.key() + "=1M");
  }

  @Test
  void unknownKeysAreRefused() {
    conf.set(ServingKey.PREFIX + "user.connection.max", "1");
    assertThatThrownBy(() -> ServingOptions.of(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("user.connection.max");
  }
}
