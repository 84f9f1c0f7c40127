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
  private static IoCost parity(String scheme) {
    return UpdateScheme.of(scheme).updateParity(10);
  }

  private static IoCost readData(String scheme) {
    return UpdateScheme.readBlock(UpdateScheme.of(scheme).data(), 1000, 3, 30);
  }

  private static IoCost readParity(String scheme) {
    return UpdateScheme.readBlock(UpdateScheme.of(scheme).parity(), 1000, 3, 30);
  }

  @Test
  void onlyFullOverwriteReadsParityOnTheUpdatePath() {
    assertThat(parity("FO")).isEqualTo(new IoCost(1, 1, 2, 10, 10));
    assertThat(parity("FL")).isEqualTo(new IoCost(0, 1, 1, 0, 10));
    assertThat(parity("PL")).isEqualTo(parity("FL"));
    assertThat(parity("PLR")).isEqualTo(parity("FL"));
  }

  @Test
  void onlyFullLoggingSeeksWhenDataIsRead() {
    assertThat(readData("FL")).isEqualTo(new IoCost(4, 0, 4, 1030, 0));
    assertThat(readData("FO")).isEqualTo(new IoCost(1, 0, 1, 1000, 0));
    assertThat(readData("PL")).isEqualTo(readData("FO"));
    assertThat(readData("PLR")).isEqualTo(readData("FO"));
  }

  @Test
  void reservedSpaceIsReadWithoutASeek() {
    assertThat(readParity("FO").seeks()).isEqualTo(1);
    assertThat(readParity("FL").seeks()).isEqualTo(4);
    assertThat(readParity("PL").seeks()).isEqualTo(4);
    assertThat(readParity("PLR")).isEqualTo(new IoCost(2, 0, 1, 1030, 0));
    assertThat(UpdateScheme.readBlock(UpdateScheme.Destination.RESERVED_SPACE, 1000, 0, 0).reads())
        .isEqualTo(1);
  }

  @Test
  void refusesOtherNames() {
    assertThatThrownBy(() -> UpdateScheme.of("plr")).hasMessageContaining("scheme=plr");
  }
}
