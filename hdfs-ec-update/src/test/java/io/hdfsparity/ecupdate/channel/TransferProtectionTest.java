/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransferProtectionTest {
  @Test
  void authenticationAndNothingAreServed() {
    TransferProtection.require(null, false);
    TransferProtection.require("", false);
    TransferProtection.require(" Authentication ", false);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"integrity", "PRIVACY", "authentication,privacy", "privacy, authentication", "x"})
  void moreIsRefusedByNameAndRemedy(String protection) {
    assertThatThrownBy(() -> TransferProtection.require(protection, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("dfs.data.transfer.protection=" + protection.toLowerCase())
        .hasMessageContaining("turn in-place updates off");
  }

  @Test
  void encryptionIsRefused() {
    assertThatThrownBy(() -> TransferProtection.require("authentication", true))
        .hasMessageContaining("dfs.encrypt.data.transfer=true");
  }
}
