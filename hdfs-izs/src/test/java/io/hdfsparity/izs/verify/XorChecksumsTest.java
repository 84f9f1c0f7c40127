/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class XorChecksumsTest {
  private static int crc(XorChecksums.Polynomial type, byte[] bytes) {
    DataChecksum sum =
        DataChecksum.newDataChecksum(
            DataChecksum.Type.valueOf(type.name()), Math.max(1, bytes.length));
    sum.update(bytes, 0, bytes.length);
    return (int) sum.getValue();
  }

  @ParameterizedTest
  @EnumSource
  void sameAsOfTheXorOfTheBytes(XorChecksums.Polynomial type) {
    XorChecksums checksums = new XorChecksums(type);
    SeededRuns.of(500)
        .check(
            random -> {
              int lengthBytes = random.nextInt(5000);
              byte[] parity = new byte[lengthBytes];
              List<XorChecksums.UnitCrc> data = new ArrayList<>();
              for (int unit = random.nextInt(11); unit > 0; unit--) {
                byte[] bytes =
                    new byte[random.nextBoolean() ? lengthBytes : random.nextInt(lengthBytes + 1)];
                random.nextBytes(bytes);
                for (int i = 0; i < bytes.length; i++) {
                  parity[i] ^= bytes[i];
                }
                data.add(new XorChecksums.UnitCrc(crc(type, bytes), bytes.length));
              }
              assertThat(checksums.parity(data, lengthBytes)).isEqualTo(crc(type, parity));
              if (lengthBytes > 0) {
                parity[random.nextInt(lengthBytes)] ^= (byte) (1 + random.nextInt(255));
                assertThat(checksums.parity(data, lengthBytes)).isNotEqualTo(crc(type, parity));
              }
            });
  }

  @ParameterizedTest
  @EnumSource
  void zerosOfAnyLength(XorChecksums.Polynomial type) {
    XorChecksums checksums = new XorChecksums(type);
    for (int lengthBytes = 0; lengthBytes < 600; lengthBytes++) {
      assertThat(checksums.zeros(lengthBytes)).isEqualTo(crc(type, new byte[lengthBytes]));
    }
    assertThatThrownBy(
            () -> checksums.parity(List.of(new XorChecksums.UnitCrc(1, /* lengthBytes= */ 3)), 2))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
