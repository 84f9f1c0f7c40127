/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PagesTest {
  private static final int PAGE = Pages.PAGE_BYTES;

  private final Pages pages = new Pages();

  @Test
  void readsWholePagesOnce() {
    assertThat(pages.read(PAGE + 100, 200)).containsExactly(new Pages.Run(PAGE, PAGE));
    assertThat(pages.read(PAGE + 500, 200)).isEmpty();
  }

  @Test
  void readsAheadWhenAFileIsReadOn() {
    pages.read(0, PAGE);

    assertThat(pages.read(PAGE, PAGE)).containsExactly(new Pages.Run(PAGE, Pages.AHEAD_BYTES));
    assertThat(pages.read(2L * PAGE, PAGE)).isEmpty();
  }

  @Test
  void readsAroundWhatIsThere() {
    pages.written(PAGE, PAGE);

    assertThat(pages.read(0, 3L * PAGE))
        .containsExactly(new Pages.Run(0, PAGE), new Pages.Run(2L * PAGE, PAGE));
  }

  @Test
  void nothingIsReadForNoBytes() {
    assertThat(pages.read(PAGE, 0)).isEmpty();
  }
}
