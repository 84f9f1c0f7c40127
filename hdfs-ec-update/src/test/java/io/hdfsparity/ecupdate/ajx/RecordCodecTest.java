/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecordCodecTest {
  private static Set<Integer> copy(int members) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    RecordCodec.write(
        IntStream.range(0, members).boxed().collect(Collectors.toSet()),
        new DataOutputStream(bytes));
    return RecordCodec.readSet(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
  }

  /** A frame of 1 MB could name a quarter of a million, each an object until it is looked at. */
  @Test
  void aSetHasNoMoreMembersThanAStripeHasBlocks() throws Exception {
    assertThat(copy(256)).hasSize(256);
    assertThatThrownBy(() -> copy(257))
        .isInstanceOf(StreamCorruptedException.class)
        .hasMessage("members=257, expected <= 256");
  }
}
