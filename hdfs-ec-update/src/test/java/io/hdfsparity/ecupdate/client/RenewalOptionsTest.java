/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ecupdate.config.UpdateKey;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RenewalOptionsTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void withoutKeysAMinuteAndTen() {
    assertThat(RenewalOptions.of(conf)).isEqualTo(new RenewalOptions(60_000, 600_000));
  }

  @Test
  void timesHaveUnits() {
    conf.set(UpdateKey.RENEWAL_ABANDONED.key(), "1500ms");
    conf.set(UpdateKey.RENEWAL_TIMEOUT.key(), "2h");
    assertThat(RenewalOptions.of(conf)).isEqualTo(new RenewalOptions(1500, 7_200_000));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1s", "soon"})
  void whatIsNoTimeIsRefused(String text) {
    conf.set(UpdateKey.RENEWAL_TIMEOUT.key(), text);
    assertThatThrownBy(() -> RenewalOptions.of(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(UpdateKey.RENEWAL_TIMEOUT.key())
        .hasMessageContaining(text);
  }
}
