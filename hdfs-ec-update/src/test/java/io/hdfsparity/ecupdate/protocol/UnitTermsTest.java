/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.HostileSizes;
import io.hdfsparity.ecupdate.ajx.Bytes;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Marks and tokens go through bytes; what is cut or changed is none, or says something else. */
class UnitTermsTest {
  private static final UnitTerms TERMS =
      new UnitTerms(
          new SessionId(0xfedc_ba98_0000_0001L),
          new StripeCode("rs", 6, 3, 1 << 20),
          8,
          -77,
          1001,
          7_777_777,
          "PLR");

  @Test
  void aMarkIsReadBack() {
    byte[] mark = TERMS.mark().toArray();
    assertThat(UnitTerms.ofMark(mark)).contains(TERMS);
    assertThat(SessionId.ofMark(mark)).contains(TERMS.session());
    assertThat(TERMS.stripes()).isEqualTo(2);
    assertThat(UnitTerms.ofMark(TERMS.session().mark())).isEmpty();
    for (int length = 0; length < mark.length; length++) {
      assertThat(UnitTerms.ofMark(Arrays.copyOf(mark, length))).isEmpty();
    }
    assertThat(UnitTerms.ofMark(Arrays.copyOf(mark, mark.length + 1))).isEmpty();
  }

  @Test
  void everyByteCounts() {
    byte[] mark = TERMS.mark().toArray();
    for (int at = 0; at < mark.length; at++) {
      byte[] changed = mark.clone();
      changed[at] ^= 1;
      assertThat(UnitTerms.ofMark(changed)).as("byte %d", at).isNotEqualTo(UnitTerms.ofMark(mark));
    }
  }

  @Test
  void whatMakesNoSenseIsNone() {
    SessionId id = TERMS.session();
    assertThat(
            UnitTerms.ofMark(
                new UnitTerms(id, new StripeCode("rs", 3, 2, 64), 5, 1, 1, 1, "FO")
                    .mark()
                    .toArray()))
        .isEmpty();
    assertThat(
            UnitTerms.ofMark(
                new UnitTerms(id, new StripeCode("rs", 3, 2, 64), -1, 1, 1, 1, "FO")
                    .mark()
                    .toArray()))
        .isEmpty();
    assertThat(
            UnitTerms.ofMark(
                new UnitTerms(id, new StripeCode("rs", 0, 2, 64), 1, 1, 1, 1, "FO")
                    .mark()
                    .toArray()))
        .isEmpty();
    assertThat(
            UnitTerms.ofMark(
                new UnitTerms(id, new StripeCode("rs", 3, 2, 0), 1, 1, 1, 1, "FO")
                    .mark()
                    .toArray()))
        .isEmpty();
    assertThat(
            UnitTerms.ofMark(
                new UnitTerms(id, new StripeCode("rs", 3, 2, 64), 1, 1, 1, 0, "FO")
                    .mark()
                    .toArray()))
        .isEmpty();
    assertThat(
            UnitTerms.ofMark(
                new UnitTerms(id, new StripeCode("rs", Integer.MAX_VALUE, 2, 64), 1, 1, 1, 1, "FO")
                    .mark()
                    .toArray()))
        .isEmpty();
  }

  @Test
  void aTokenIsReadBack() {
    ChannelToken token =
        new ChannelToken(
            new WriteToken(TERMS.mark(), Bytes.wrap(new byte[] {1, 2, 3})), 0xdeadbeef);
    byte[] bytes = token.encode().toArray();
    assertThat(ChannelToken.decode(Bytes.wrap(bytes))).contains(token);
    for (int length = 0; length < bytes.length; length++) {
      assertThat(ChannelToken.decode(Bytes.wrap(Arrays.copyOf(bytes, length)))).isEmpty();
    }
    assertThat(ChannelToken.decode(Bytes.wrap(Arrays.copyOf(bytes, bytes.length + 1)))).isEmpty();
    bytes[5] = 0x7f;
    assertThat(ChannelToken.decode(Bytes.wrap(bytes))).isEmpty();
  }

  @Test
  void noSizeMakesItTakeMemory() throws Exception {
    HostileSizes.check(TERMS.mark().toArray(), UnitTerms::ofMark);
    ChannelToken token =
        new ChannelToken(new WriteToken(TERMS.mark(), Bytes.wrap(new byte[] {1, 2, 3})), 7);
    HostileSizes.check(token.encode().toArray(), bytes -> ChannelToken.decode(Bytes.wrap(bytes)));
  }

  @Test
  void onlyItsOwnClientsAreASessions() {
    SessionId id = new SessionId(0x7000_0000_8000_0005L);
    assertThat(id.isClient(5L << 32)).isTrue();
    assertThat(id.isClient(5L << 32 | 0xffff_ffffL)).isTrue();
    assertThat(id.isClient(6L << 32)).isFalse();
    assertThat(id.isClient(5)).isFalse();
    assertThat(id.isClient(0x8000_0005L << 32)).as("the top bit is no session's").isFalse();
  }

  @Test
  void numbersOfSessionsArePositive() {
    assertThat(new SessionId(0).number()).isEqualTo(1);
    assertThat(new SessionId(-1).number()).isEqualTo(Integer.MAX_VALUE);
    assertThat(new SessionId(0x7000_0000_8000_0005L).number()).isEqualTo(5);
  }
}
