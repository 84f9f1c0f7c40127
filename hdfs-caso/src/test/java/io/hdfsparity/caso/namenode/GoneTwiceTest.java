/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GoneTwiceTest {
  private final GoneTwice gone = new GoneTwice();

  @Test
  void anIndexIsDeletedInTheSecondRoundOnly() {
    gone.begin();
    assertThat(gone.isAgain("/i/1")).isFalse();
    gone.end();
    gone.begin();
    assertThat(gone.isAgain("/i/1")).isTrue();
    assertThat(gone.isAgain("/i/2")).isFalse();
    gone.end();
  }

  @Test
  void oneThatWasThereInBetweenBeginsAgain() {
    gone.begin();
    assertThat(gone.isAgain("/i/1")).isFalse();
    gone.end();
    gone.begin();
    gone.end();
    gone.begin();
    assertThat(gone.isAgain("/i/1")).isFalse();
  }

  @Test
  void aRoundThatWasInterruptedCountsForNothing() {
    gone.begin();
    assertThat(gone.isAgain("/i/1")).isFalse();
    gone.begin();
    assertThat(gone.isAgain("/i/1")).isFalse();
    gone.end();
    gone.begin();
    assertThat(gone.isAgain("/i/1")).isTrue();
  }
}
