/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.erasurecode;

import io.hdfsparity.bridge.datanode.StripedRebuilder;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Hands every task to HDFS's own pool, some in another form. Is a ThreadPoolExecutor because the
 * field is of that type; it has no threads of its own. Thread-safe.
 */
final class RoutingExecutor extends ThreadPoolExecutor {
  private final StockTask stock;
  private final ErasureCodingWorker worker;
  private final ThreadPoolExecutor own;
  private final StripedRebuilder rebuilder;

  RoutingExecutor(
      StockTask stock,
      ErasureCodingWorker worker,
      ThreadPoolExecutor own,
      StripedRebuilder rebuilder) {
    super(0, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    this.stock = stock;
    this.worker = worker;
    this.own = own;
    this.rebuilder = rebuilder;
  }

  private Runnable route(Runnable task) {
    if (!(task instanceof StripedBlockReconstructor ordered)) {
      return task;
    }
    if (rebuilder.takes(stock.policy(ordered))) {
      return new RedirectedReconstructor(worker, stock, ordered, rebuilder);
    }
    // HDFS has counted up by the order's xmits; as many targets make as many.
    return stock.hasSurplusSources(ordered)
        ? new StripedBlockReconstructor(worker, stock.withoutSurplus(ordered))
        : ordered;
  }

  /** The way that ErasureCodingWorker takes. */
  @Override
  public Future<?> submit(Runnable task) {
    return own.submit(route(task));
  }

  @Override
  public void execute(Runnable task) {
    own.execute(route(task));
  }

  @Override
  public void shutdown() {
    own.shutdown();
    super.shutdown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    super.shutdownNow();
    return own.shutdownNow();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return own.awaitTermination(timeout, unit);
  }
}
