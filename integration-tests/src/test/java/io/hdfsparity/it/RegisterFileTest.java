/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The checker finds each violation that is planted, and nothing else. */
class RegisterFileTest {
  private final RegisterFile file = new RegisterFile(new byte[10]);

  private static byte[] of(int value, int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private boolean isRight(byte[] read, long began, long ended) {
    return file.wrong(0, read, began, ended).isEmpty();
  }

  @Test
  void anAcknowledgedWriteIsNotMissed() {
    file.end(file.begin(2, of(7, 3), 10), 20);
    byte[] after = {0, 0, 7, 7, 7, 0, 0, 0, 0, 0};
    assertThat(isRight(after, 30, 40)).isTrue();
    assertThat(file.wrong(0, new byte[10], 30, 40)).isEqualTo("3 wrong bytes, the first at 2");
    after[4] = 0;
    assertThat(file.wrong(0, after, 30, 40)).isEqualTo("1 wrong bytes, the first at 4");
  }

  @Test
  void besideAWriteOldAndNewBytesAreRightAndOthersAreNot() {
    file.end(file.begin(0, of(7, 10), 10), 20);
    byte[] mixed = {0, 7, 0, 7, 0, 7, 0, 7, 0, 7};
    assertThat(isRight(mixed, 5, 15)).isTrue();
    assertThat(isRight(mixed, 15, 30)).isTrue();
    assertThat(isRight(mixed, 21, 30)).isFalse();
    mixed[3] = 8;
    assertThat(file.wrong(0, mixed, 15, 30)).isEqualTo("1 wrong bytes, the first at 3");
  }

  @Test
  void nothingIsReadBeforeItIsWritten() {
    file.end(file.begin(0, of(7, 10), 10), 20);
    assertThat(isRight(of(7, 10), 3, 9)).isFalse();
    assertThat(isRight(of(0, 10), 3, 9)).isTrue();
  }

  @Test
  void whatWasReplacedDoesNotComeBack() {
    file.end(file.begin(0, of(1, 10), 10), 20);
    file.end(file.begin(0, of(2, 10), 30), 40);
    assertThat(isRight(of(1, 10), 50, 60)).isFalse();
    assertThat(isRight(of(2, 10), 50, 60)).isTrue();
    assertThat(isRight(of(1, 10), 35, 60)).isTrue();
    assertThat(isRight(of(0, 10), 35, 60)).isFalse();
  }

  @Test
  void ofTwoWritesAtOnceEitherMayStay() {
    long one = file.begin(0, of(1, 10), 10);
    long two = file.begin(0, of(2, 10), 12);
    file.end(one, 20);
    file.end(two, 22);
    assertThat(isRight(of(1, 10), 50, 60)).isTrue();
    assertThat(isRight(of(2, 10), 50, 60)).isTrue();
    assertThat(isRight(of(0, 10), 50, 60)).isFalse();
  }

  @Test
  void aWriteThatNeverEndedMayComeAtAnyTimeUntilItIsSettled() {
    file.begin(0, of(9, 10), 10);
    file.end(file.begin(0, of(2, 10), 30), 40);
    assertThat(isRight(of(9, 10), 50, 60)).isTrue();
    assertThat(isRight(of(2, 10), 50, 60)).isTrue();
    assertThat(isRight(of(0, 10), 50, 60)).isFalse();
    file.settle(of(2, 10), 70);
    assertThat(isRight(of(2, 10), 80, 90)).isTrue();
    assertThat(isRight(of(9, 10), 80, 90)).isFalse();
    file.end(file.begin(0, of(3, 10), 95), 96);
    assertThat(isRight(of(2, 10), 97, 98)).isFalse();
    assertThat(isRight(of(3, 10), 97, 98)).isTrue();
  }

  @Test
  void partsOfAFileAreLookedAtByTheirPlace() {
    file.end(file.begin(4, new byte[] {1, 2, 3}, 10), 20);
    assertThat(file.wrong(5, new byte[] {2, 3, 0}, 30, 40)).isEmpty();
    assertThat(file.wrong(5, new byte[] {2, 3, 1}, 30, 40))
        .isEqualTo("1 wrong bytes, the first at 7");
    assertThat(file.wrong(4, new byte[] {2, 3}, 30, 40)).isEqualTo("2 wrong bytes, the first at 4");
  }
}
