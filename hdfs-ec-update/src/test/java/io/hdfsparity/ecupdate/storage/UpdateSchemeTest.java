/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class UpdateSchemeTest {
  @Test
  void onlyFullOverwriteChangesParityInPlace() {
    assertThat(UpdateScheme.of("FO").parity()).isEqualTo(UpdateScheme.Destination.IN_PLACE);
    assertThat(UpdateScheme.of("FL").parity()).isEqualTo(UpdateScheme.Destination.LOG);
    assertThat(UpdateScheme.of("PL").parity()).isEqualTo(UpdateScheme.Destination.LOG);
    assertThat(UpdateScheme.of("PLR").parity()).isEqualTo(UpdateScheme.Destination.RESERVED_SPACE);
  }

  @Test
  void onlyFullLoggingLogsData() {
    assertThat(UpdateScheme.of("FL").data()).isEqualTo(UpdateScheme.Destination.LOG);
    for (String scheme : new String[] {"FO", "PL", "PLR"}) {
      assertThat(UpdateScheme.of(scheme).data()).isEqualTo(UpdateScheme.Destination.IN_PLACE);
    }
  }

  @Test
  void namesAreThoseOfThePaper() {
    assertThat(UpdateScheme.NAMES).containsExactly("FO", "FL", "PL", "PLR");
    assertThat(UpdateScheme.of(UpdateScheme.DEFAULT)).isEqualTo(UpdateScheme.PLR);
  }

  @Test
  void refusesOtherNames() {
    assertThatThrownBy(() -> UpdateScheme.of("plr")).hasMessageContaining("scheme=plr");
  }
}
