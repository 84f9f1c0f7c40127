/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.framing.CorruptFormatException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records against their dumb twin, and against somebody in the middle. */
class RecordsTest {
  private static final byte[] TO_NODE = key(1);
  private static final byte[] TO_CLIENT = key(2);

  private final Records client = new Records(TO_NODE, TO_CLIENT, 5);
  private final Records node = new Records(TO_CLIENT, TO_NODE, 5);

  private static byte[] key(int seed) {
    byte[] key = new byte[32];
    new Random(seed).nextBytes(key);
    return key;
  }

  private static byte[] some(Random random, int bytes) {
    byte[] some = new byte[bytes];
    random.nextBytes(some);
    return some;
  }

  private byte[] sealed(int... bytes) {
    byte[] plain = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      plain[i] = (byte) bytes[i];
    }
    return TwinRecords.seal(client, plain);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void recordsAreThoseOfTheTwin(long seed) throws Exception {
    Random random = new Random(seed);
    for (int number = 0; number < 40; number++) {
      int length = number % 10 == 9 ? Records.MAX_PLAIN_BYTES : 1 + random.nextInt(300);
      byte[] plain = some(random, length);
      byte[] record = TwinRecords.seal(client, plain);
      assertThat(record)
          .as("seed %d, record %d", seed, number)
          .isEqualTo(TwinRecords.seal(TO_NODE, number, 5, plain));
      assertThat(TwinRecords.open(node, record)).isEqualTo(plain);
      byte[] answer = some(random, 1 + random.nextInt(300));
      assertThat(TwinRecords.open(client, TwinRecords.seal(node, answer))).isEqualTo(answer);
    }
  }

  @Test
  void keysChangeAtTheirNumberOnlyAndDirectionsDoNotShareThem() throws Exception {
    byte[] plain = new byte[64];
    List<byte[]> all = new ArrayList<>();
    for (int number = 0; number < 12; number++) {
      all.add(TwinRecords.seal(client, plain));
      all.add(TwinRecords.seal(node, plain));
    }
    for (int i = 0; i < all.size(); i++) {
      for (int j = 0; j < i; j++) {
        assertThat(all.get(i)).as("%d, %d", i, j).isNotEqualTo(all.get(j));
      }
    }
  }

  @Test
  void anyBitThatIsFlippedIsFound() {
    byte[] record = sealed(1, 2, 3, 4);
    for (int bit = 16; bit < 8 * record.length; bit++) {
      byte[] flipped = record.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      Records fresh = new Records(TO_CLIENT, TO_NODE, 5);
      assertThatThrownBy(() -> TwinRecords.open(fresh, flipped))
          .as("bit %d", bit)
          .isInstanceOf(ForgedException.class);
    }
  }

  @Test
  void aRecordOpensOnceAndNothingOpensAfterAForgedOne() throws Exception {
    byte[] first = sealed(1);
    byte[] second = sealed(2);
    assertThat(TwinRecords.open(node, first)).containsExactly(1);
    assertThatThrownBy(() -> TwinRecords.open(node, first))
        .as("replayed")
        .isInstanceOf(ForgedException.class);
    assertThatThrownBy(() -> TwinRecords.open(node, second))
        .as("good by itself")
        .isInstanceOf(ForgedException.class)
        .hasMessageContaining("before it");
  }

  @Test
  void recordsOutOfOrderDoNotOpen() {
    sealed(1);
    byte[] second = sealed(2);
    assertThatThrownBy(() -> TwinRecords.open(node, second)).isInstanceOf(ForgedException.class);
  }

  @Test
  void aRecordThatIsLeftOutIsMissed() throws Exception {
    assertThat(TwinRecords.open(node, sealed(1))).containsExactly(1);
    sealed(2);
    byte[] third = sealed(3);
    assertThatThrownBy(() -> TwinRecords.open(node, third)).isInstanceOf(ForgedException.class);
  }

  @Test
  void aRecordThatIsSentBackDoesNotOpen() {
    byte[] own = sealed(1, 2, 3);
    assertThatThrownBy(() -> TwinRecords.open(client, own)).isInstanceOf(ForgedException.class);
  }

  @Test
  void aRecordThatIsCutOrLongerDoesNotOpen() {
    byte[] record = sealed(1, 2, 3, 4, 5, 6, 7, 8);
    for (int length = 2 + CipherState.TAG_BYTES; length < record.length + 3; length++) {
      if (length == record.length) {
        continue;
      }
      byte[] cut = Arrays.copyOf(record, length);
      Records fresh = new Records(TO_CLIENT, TO_NODE, 5);
      assertThatThrownBy(() -> TwinRecords.open(fresh, cut))
          .as("%d bytes", length)
          .isInstanceOf(ForgedException.class);
    }
  }

  @Test
  void recordsOfAnEarlierConnectionDoNotOpen() {
    byte[] earlier = TwinRecords.seal(new Records(key(3), key(4), 5), new byte[] {1});
    assertThatThrownBy(() -> TwinRecords.open(node, earlier)).isInstanceOf(ForgedException.class);
  }

  @Test
  void aHeaderIsBelievedWithinItsBounds() throws Exception {
    for (int header : new int[] {0, 1, 16, 16_401, 32_768, 65_535}) {
      assertThatThrownBy(() -> Records.plainBytes(header))
          .isInstanceOf(CorruptFormatException.class)
          .hasMessageContaining("sealedBytes=" + header)
          .hasMessageContaining("17..16400");
    }
    assertThat(Records.plainBytes(17)).isEqualTo(1);
    assertThat(Records.plainBytes(16_400)).isEqualTo(Records.MAX_PLAIN_BYTES);
  }

  @Test
  void numbersDoNotBeginAgain() {
    CipherState state = CipherState.sealingFrom(TO_NODE, Long.MAX_VALUE - 1);
    state.seal(new byte[0], ByteBuffer.allocate(1), ByteBuffer.allocate(17));
    assertThatThrownBy(
            () -> state.seal(new byte[0], ByteBuffer.allocate(1), ByteBuffer.allocate(17)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("all numbers are used");
  }
}
