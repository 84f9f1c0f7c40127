/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.erasurecode;

import io.hdfsparity.bridge.datanode.StripedRebuilder;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * Puts a {@link StripedRebuilder} in the way of a DataNode's reconstruction tasks. Tasks that it
 * does not take go to HDFS's own pool as they came, those that it takes to the same pool in another
 * form: number of threads, queue and names stay HDFS's.
 *
 * <p>Reaches ErasureCodingWorker.stripedReconstructionPool (see {@link StockTask}): HDFS has no
 * extension point for reconstruction, and this field is all that stands between the order of the
 * NameNode and the work. It is not volatile; an order that comes in the instant of the change may
 * still see the old pool and is then HDFS's. Checked for Hadoop 3.5.0. Thread-safe.
 */
public final class ReconstructionSwitch implements AutoCloseable {
  private final StockTask stock;
  private final ErasureCodingWorker worker;
  private final ThreadPoolExecutor own;
  private final RoutingExecutor routing;

  private ReconstructionSwitch(
      StockTask stock, ErasureCodingWorker worker, StripedRebuilder rebuilder) {
    this.stock = stock;
    this.worker = worker;
    this.own = stock.pool(worker);
    this.routing = new RoutingExecutor(stock, worker, own, rebuilder);
  }

  /**
   * Redirects tasks from now on.
   *
   * @throws IllegalStateException if this Hadoop is not as expected, or tasks are redirected
   *     already
   */
  public static ReconstructionSwitch install(DataNode datanode, StripedRebuilder rebuilder) {
    ErasureCodingWorker worker = datanode.getErasureCodingWorker();
    if (worker == null) {
      throw new IllegalStateException(
          "Cannot redirect reconstruction: erasureCodingWorker=null, expected a started DataNode");
    }
    StockTask stock = new StockTask();
    ReconstructionSwitch made = new ReconstructionSwitch(stock, worker, rebuilder);
    if (made.own instanceof RoutingExecutor) {
      throw new IllegalStateException(
          "Cannot redirect reconstruction: stripedReconstructionPool="
              + made.own
              + ", expected HDFS's own; is the plugin named twice?");
    }
    stock.setPool(worker, made.routing);
    return made;
  }

  /** Whether tasks are redirected. */
  public boolean isInstalled() {
    return stock.pool(worker) == routing;
  }

  /** Gives tasks back to HDFS. Those that were redirected go on. */
  @Override
  public void close() {
    if (isInstalled()) {
      stock.setPool(worker, own);
    }
  }
}
