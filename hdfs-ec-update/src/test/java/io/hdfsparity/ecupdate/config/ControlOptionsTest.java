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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ControlOptionsTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void defaultsAreThoseOfTheKeys() {
    ControlOptions options = ControlOptions.of(conf);
    assertThat(options.clientTimeoutMs()).isEqualTo(60_000);
    assertThat(SchemeOptions.of(conf).defaultScheme()).isEqualTo("PLR");
  }

  @ParameterizedTest
  @CsvSource({
    "rpc-address, 127.0.0.1:0",
    "handler.count, 3",
    "client.timeout, 14s",
    "client.timeout, soon",
    "port, 1",
  })
  void whatCannotBeUsedIsRefusedByName(String suffix, String value) {
    conf.set(ControlKey.PREFIX + suffix, value);
    assertThatThrownBy(() -> ControlOptions.of(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(ControlKey.PREFIX + suffix + "=" + value + ", expected ");
  }

  @Test
  void aDefaultThatIsNoSchemeIsRefused() {
    conf.set(UpdateKey.SCHEME_DEFAULT.key(), "plr");
    assertThatThrownBy(() -> SchemeOptions.of(conf))
        .hasMessageContaining(
            UpdateKey.SCHEME_DEFAULT.key() + "=plr, expected one of [FO, FL, PL, PLR]");
  }
}
