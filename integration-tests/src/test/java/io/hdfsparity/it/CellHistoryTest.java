/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.ajx.Patch;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The checker finds each violation that is planted, and nothing else. */
class CellHistoryTest {
  private static final int BYTES = 9000;

  private final byte[] initial = new byte[BYTES];
  private final CellHistory cell = new CellHistory(initial);
  private final Random random = new Random(5);

  /** A write from one time to another; what the cell holds then. */
  private byte[] write(long began, long ended) {
    cell.begin(random, began);
    cell.end(ended);
    return cell.last();
  }

  private boolean explains(byte[] read, long began, long ended) {
    return cell.explains(0, read, began, ended);
  }

  @Test
  void aReadSeesTheLastStateOrOneThatIsBeingWritten() {
    byte[] first = write(10, 20);
    byte[] second = write(30, 40);
    assertThat(explains(initial, 1, 9)).isTrue();
    assertThat(explains(initial, 15, 50)).isTrue();
    assertThat(explains(first, 21, 29)).isTrue();
    assertThat(explains(first, 35, 50)).isTrue();
    assertThat(explains(second, 35, 36)).isTrue();
    assertThat(explains(second, 41, 42)).isTrue();
  }

  @Test
  void whatWasReplacedIsAViolation() {
    byte[] first = write(10, 20);
    write(30, 40);
    assertThat(explains(initial, 21, 50)).isFalse();
    assertThat(explains(first, 41, 50)).isFalse();
  }

  @Test
  void whatIsNotYetWrittenIsAViolation() {
    byte[] first = write(10, 20);
    byte[] second = write(30, 40);
    assertThat(explains(first, 1, 9)).isFalse();
    assertThat(explains(second, 1, 29)).isFalse();
  }

  @Test
  void aMixtureOfTwoStatesIsAViolation() {
    Patch change = cell.begin(random, 10);
    byte[] after = cell.last();
    byte[] mixed = after.clone();
    mixed[change.offset()] = initial[change.offset()];
    assertThat(change.bytes().length()).isGreaterThan(1);
    assertThat(mixed[change.offset()]).isNotEqualTo(after[change.offset()]);
    assertThat(explains(mixed, 10, 50)).isFalse();
    assertThat(explains(after, 10, 50)).isTrue();
    assertThat(explains(initial, 10, 50)).isTrue();
  }

  @Test
  void oneWrongByteIsAViolationWhereverItIs() {
    byte[] state = write(10, 20);
    for (int at : new int[] {0, BYTES / 2, BYTES - 1}) {
      byte[] wrong = state.clone();
      wrong[at] ^= 1;
      assertThat(explains(wrong, 15, 50)).isFalse();
    }
    assertThat(cell.explains(100, Arrays.copyOfRange(state, 100, 200), 15, 50)).isTrue();
    byte[] shifted = Arrays.copyOfRange(state, 0, BYTES - 1);
    assertThat(Arrays.equals(shifted, Arrays.copyOfRange(state, 1, BYTES))).isFalse();
    assertThat(cell.explains(1, shifted, 21, 50)).isFalse();
  }

  @Test
  void whatIsForgottenIsWhatNobodyMaySeeAnyMore() {
    byte[] first = write(10, 20);
    byte[] second = write(30, 40);
    cell.forget(35);
    assertThat(explains(first, 35, 50)).as("still being replaced then").isTrue();
    assertThat(explains(second, 35, 50)).isTrue();
    cell.forget(41);
    assertThat(explains(first, 35, 50)).isFalse();
    assertThat(explains(second, 41, 50)).isTrue();
  }
}
