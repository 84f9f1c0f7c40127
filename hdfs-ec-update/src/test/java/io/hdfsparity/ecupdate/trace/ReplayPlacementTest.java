/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.trace.Access;
import io.hdfsparity.core.trace.ByteRequest;
import io.hdfsparity.ecupdate.trace.ReplayOptions.OutOfRange;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplayPlacementTest {
  private static ByteRequest request(long offset, long size) {
    return new ByteRequest(0, Access.WRITE, offset, size);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 100, 0, 100, false",
    "96, 4, 96, 4, false",
    "100, 1, 0, 1, true",
    "97, 4, 96, 4, true",
    "1099, 2, 98, 2, true",
    "250, 30, 50, 30, true",
    "7, 101, 0, 100, true",
    "9223372036854775800, 7, 0, 7, true"
  })
  void wraps(long offset, long size, long to, int length, boolean isMoved) throws IOException {
    assertThat(new ReplayPlacement(100, OutOfRange.WRAP).of(request(offset, size)))
        .isEqualTo(new ReplayPlacement.Place(to, length, isMoved));
  }

  @Test
  void refuses() throws IOException {
    ReplayPlacement placement = new ReplayPlacement(100, OutOfRange.REFUSE);
    assertThat(placement.of(request(96, 4)).offset()).isEqualTo(96);
    assertThatThrownBy(() -> placement.of(request(97, 4)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Offset=97, Size=4")
        .hasMessageContaining("length=100");
    assertThatThrownBy(
            () -> new ReplayPlacement(1L << 40, OutOfRange.WRAP).of(request(0, (1L << 30) + 1)))
        .hasMessageContaining("at most 1073741824 bytes");
  }

  /** Any part of a write is that part of the whole. */
  @Test
  void contentFollowsFromThePlace() {
    ReplayContent content = new ReplayContent(5);
    byte[] whole = content.bytes(3, 1001, 50);
    for (int from = 0; from < 50; from++) {
      byte[] part = content.bytes(3, 1001 + from, 50 - from);
      for (int i = 0; i < part.length; i++) {
        assertThat(part[i]).isEqualTo(whole[from + i]);
      }
    }
    assertThat(content.bytes(4, 1001, 50)).isNotEqualTo(whole);
    assertThat(new ReplayContent(6).bytes(3, 1001, 50)).isNotEqualTo(whole);
    assertThat(content.bytes(3, 2001, 50)).isNotEqualTo(whole);
  }

  /** Three digits, and not those of an average. */
  @Test
  void percentilesAreThoseOfTheRequests() {
    Latencies latencies = new Latencies();
    for (int ms = 1; ms <= 100; ms++) {
      latencies.add(ms * 1_000_000L, 10);
    }
    RequestStats stats = latencies.stats();
    assertThat(stats.requests()).isEqualTo(100);
    assertThat(stats.bytes()).isEqualTo(1000);
    assertThat(stats.p50Us()).isBetween(49_950L, 50_050L);
    assertThat(stats.p95Us()).isBetween(94_900L, 95_100L);
    assertThat(stats.p99Us()).isBetween(98_900L, 99_100L);
    assertThat(stats.maxUs()).isBetween(99_900L, 100_100L);
    assertThat(new Latencies().stats()).isEqualTo(new RequestStats(0, 0, 0, 0, 0, 0));
  }
}
