/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Recovers stripes that crashed clients and lost blocks have left unhealthy. Thread-safe. */
final class StripeRecovery {
  private final StripeOperations operations;
  private final long operationMs;

  StripeRecovery(StripeOperations operations, long operationMs) {
    this.operations = operations;
    this.operationMs = operationMs;
  }

  /**
   * Returns when all stripes are healthy. They wait for their looks together.
   *
   * @param pauseMs between looks
   * @throws IOException if a stripe is not healthy after the time for an operation
   */
  void recover(List<StripeKey> stripes, long pauseMs) throws IOException {
    int looks = UpdaterOptions.OLD_AFTER + 2;
    long deadlineNanos =
        System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(operationMs + looks * pauseMs);
    Map<StripeKey, Integer> healthy = new LinkedHashMap<>();
    List<CompletableFuture<Void>> collections = new ArrayList<>();
    for (StripeKey stripe : stripes) {
      healthy.put(stripe, 0);
      collections.add(operations.collectGarbage(stripe));
    }
    for (CompletableFuture<Void> collection : collections) {
      Awaiting.done(collection);
    }
    while (!healthy.isEmpty()) {
      if (System.nanoTime() - deadlineNanos > 0) {
        throw new IOException(
            ErrorMessage.to("recover " + healthy.keySet().iterator().next())
                .value("ms", operationMs)
                .value("stripes left", healthy.size())
                .expected("stripes that are healthy by then")
                .message());
      }
      Map<StripeKey, CompletableFuture<Boolean>> probes = new LinkedHashMap<>();
      for (StripeKey stripe : healthy.keySet()) {
        probes.put(stripe, operations.probe(stripe));
      }
      for (Map.Entry<StripeKey, CompletableFuture<Boolean>> probe : probes.entrySet()) {
        boolean isHealthy = Awaiting.done(probe.getValue());
        healthy.compute(
            probe.getKey(), (stripe, before) -> isHealthy && before != null ? before + 1 : 0);
      }
      healthy.values().removeIf(times -> times >= looks);
      Awaiting.done(
          new CompletableFuture<@Nullable Void>()
              .completeOnTimeout(null, pauseMs, TimeUnit.MILLISECONDS));
    }
  }
}
