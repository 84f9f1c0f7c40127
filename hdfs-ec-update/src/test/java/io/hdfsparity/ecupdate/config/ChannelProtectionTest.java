/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Hadoop's keys ask of the update channel. */
class ChannelProtectionTest {
  private final Configuration conf = new Configuration(false);

  private boolean isRequired() {
    return ChannelProtection.isRequired(conf);
  }

  @Test
  void nothingIsRequiredWhereNothingIsSet() {
    assertThat(isRequired()).isFalse();
    conf.set("dfs.data.transfer.protection", " Authentication ");
    assertThat(isRequired()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "integrity",
        "privacy",
        " PRIVACY ",
        "authentication,privacy",
        "privacy, authentication",
        ",integrity",
        "what Hadoop will know some day"
      })
  void anyWordButAuthenticationRequiresIt(String protection) {
    conf.set("dfs.data.transfer.protection", protection);
    assertThat(isRequired()).isTrue();
    conf.setBoolean(UpdateKey.ALLOW_CLEAR.key(), true);
    assertThat(isRequired()).as("whatever is allowed").isTrue();
  }

  @Test
  void encryptedTransferRequiresIt() {
    conf.setBoolean("dfs.encrypt.data.transfer", true);
    assertThat(isRequired()).isTrue();
    conf.setBoolean(UpdateKey.ALLOW_CLEAR.key(), true);
    assertThat(isRequired()).as("whatever is allowed").isTrue();
  }

  /** A token that anybody on the network can read and use is no authentication. */
  @Test
  void kerberosRequiresItUnlessClearIsAllowed() {
    conf.set("hadoop.security.authentication", "kerberos");
    assertThat(isRequired()).isTrue();
    conf.set("dfs.data.transfer.protection", "authentication");
    assertThat(isRequired()).isTrue();
    conf.setBoolean(UpdateKey.ALLOW_CLEAR.key(), true);
    assertThat(isRequired()).isFalse();
  }
}
