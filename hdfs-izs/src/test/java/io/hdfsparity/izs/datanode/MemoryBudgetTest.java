/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  @Test
  void whoeverAsksForMoreThanThereIsRunsAlone() throws Exception {
    MemoryBudget budget = new MemoryBudget(10 * 1024);
    MemoryBudget.Grant small = budget.acquire(3 * 1024 + 1);
    assertThat(budget.freeBytes()).isEqualTo(6 * 1024);
    CompletableFuture<MemoryBudget.Grant> big =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return budget.acquire(1L << 40);
              } catch (InterruptedIOException e) {
                throw new AssertionError(e);
              }
            });
    assertThat(big).isNotDone();
    small.close();
    MemoryBudget.Grant all = big.get(120, TimeUnit.SECONDS);
    assertThat(budget.freeBytes()).isZero();
    all.close();
    assertThat(budget.freeBytes()).isEqualTo(10 * 1024);
  }

  @Test
  void interruptionEndsTheWait() {
    MemoryBudget budget = new MemoryBudget(1024);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> budget.acquire(1)).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
