/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Reads in any order against the bytes themselves. */
class ReadAheadTest {
  private static final int LENGTH = 500_000;

  private final byte[] content = new byte[LENGTH];
  private int reads;
  private int readBytes;

  /** From there on nothing can be read. */
  private int damagedFrom = LENGTH;

  private byte[] read(int from, int lengthBytes) throws IOException {
    reads++;
    readBytes += lengthBytes;
    assertThat(from + lengthBytes).isLessThanOrEqualTo(LENGTH);
    if (from + lengthBytes > damagedFrom) {
      throw new IOException("damaged");
    }
    return Arrays.copyOfRange(content, from, from + lengthBytes);
  }

  @Test
  void givesWhatIsThereInAnyOrder() {
    new Random(1).nextBytes(content);
    SeededRuns.of(50)
        .check(
            random -> {
              ReadAhead ahead = new ReadAhead(this::read, LENGTH);
              int at = 0;
              for (int i = 0; i < 100; i++) {
                int count = random.nextInt(Math.min(LENGTH - at, 70_000) + 1);
                byte[] into = new byte[count + 3];
                ahead.read(at, count, into, 2);
                assertThat(Arrays.equals(into, 2, count + 2, content, at, at + count)).isTrue();
                boolean goesOn = random.nextInt(4) > 0 && at + count < LENGTH;
                at = goesOn ? at + random.nextInt(2) * count : random.nextInt(LENGTH);
              }
            });
  }

  @Test
  void aReaderThatGoesOnIsReadAheadAndOneThatJumpsIsNot() throws IOException {
    ReadAhead ahead = new ReadAhead(this::read, LENGTH);
    byte[] into = new byte[8192];
    for (int at = 0; at + into.length <= LENGTH; at += into.length) {
      ahead.read(at, into.length, into, 0);
    }
    assertThat(reads).isLessThan(10);
    assertThat(readBytes).isLessThanOrEqualTo(LENGTH);
    readBytes = 0;
    for (int at : new int[] {300_000, 100_000, 200_000}) {
      ahead.read(at, 1000, into, 0);
    }
    assertThat(readBytes).isEqualTo(3000);
  }

  @Test
  void whatCannotBeReadBehindIsNoMatterUntilItIsAskedFor() throws IOException {
    new Random(2).nextBytes(content);
    damagedFrom = 40_000;
    ReadAhead ahead = new ReadAhead(this::read, LENGTH);
    byte[] into = new byte[8000];
    for (int at = 0; at < damagedFrom; at += into.length) {
      ahead.read(at, into.length, into, 0);
      assertThat(into).isEqualTo(Arrays.copyOfRange(content, at, at + into.length));
    }
    assertThatThrownBy(() -> ahead.read(damagedFrom, 1, into, 0)).hasMessage("damaged");
    ahead.read(100, 10, into, 0);
    assertThat(Arrays.copyOf(into, 10)).isEqualTo(Arrays.copyOfRange(content, 100, 110));
  }
}
