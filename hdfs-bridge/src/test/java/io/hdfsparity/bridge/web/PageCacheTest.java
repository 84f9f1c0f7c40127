/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.page.Page;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PageCacheTest {
  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger made = new AtomicInteger();

  private PageCache cache(long makingMs) {
    return new PageCache(
        () -> {
          made.incrementAndGet();
          advance(makingMs);
          return new Page(
              new Page.Head("nn", "active", "", 0, true, List.of()),
              List.of(),
              List.of(),
              List.of());
        },
        now::get);
  }

  private void advance(long ms) {
    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(ms));
  }

  @Test
  void manyReadersCostAsMuchAsOne() {
    PageCache cache = cache(1);

    Page first = cache.get();
    advance(1_999);
    assertThat(cache.get()).isSameAs(first);
    advance(1);
    assertThat(cache.get()).isNotSameAs(first);
    assertThat(made).hasValue(2);
  }

  @Test
  void slowPageIsKeptLonger() {
    PageCache cache = cache(1_000);

    cache.get();
    advance(19_999);
    cache.get();
    assertThat(made).hasValue(1);
    advance(1);
    cache.get();
    assertThat(made).hasValue(2);
  }
}
