/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.image.ImageException;
import io.hdfsparity.raidp.wire.message.ImageKind;
import io.hdfsparity.raidp.wire.message.ImageRequest;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PeerServiceTest {
  private static ImageRequest request(long position, int count) {
    return new ImageRequest("DS-1", 7, 1, 100, ImageKind.DATA, position, count, Optional.empty());
  }

  @Test
  void aRangeOutsideTheImageIsRefusedWhateverItsPosition() {
    assertThatCode(() -> PeerService.requireInside(request(60, 40), 100))
        .doesNotThrowAnyException();
    for (long position : new long[] {61, 100, Long.MAX_VALUE - 39, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> PeerService.requireInside(request(position, 40), 100))
          .isInstanceOf(ImageException.class)
          .hasMessageContaining("position=" + position);
    }
  }
}
