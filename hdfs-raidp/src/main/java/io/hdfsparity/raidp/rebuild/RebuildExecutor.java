/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.Timers;
import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.raidp.wire.message.RebuildOrder;
import io.hdfsparity.raidp.wire.message.RebuildStatus;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * Carries out the rebuilds that the manager orders from this DataNode, in the background.
 *
 * <p>An order comes again with every answer of the manager until its end was reported; one whose id
 * is known only brings newer addresses. After a restart of the DataNode nothing is known: the order
 * runs again, and skips what is installed.
 *
 * <p>The statuses of the last {@value #KEPT} rebuilds are kept for reports. Thread-safe.
 */
public final class RebuildExecutor implements Closeable {
  private static final int KEPT = 64;
  private static final long CLOSE_WAIT_MS = 30_000;

  private final DatasetAccess dataset;
  private final RebuiltBlocks blocks;
  private final RebuildClients clients;
  private final RebuildTuning tuning;
  private final Kernel kernel;
  private final Clock clock;
  private final Function<String, Optional<Path>> spillDirs;
  private final ExecutorService executor;
  private final Map<Long, Rebuild> rebuilds = new LinkedHashMap<>();
  private boolean closed;

  /**
   * @param blocks takes blocks before they are installed
   * @param clients closed by their owner, after this
   * @param spillDirs where large blocks for a storage id are put together before they are
   *     installed; empty: in memory
   */
  public RebuildExecutor(
      DatasetAccess dataset,
      RebuiltBlocks blocks,
      RebuildClients clients,
      RebuildTuning tuning,
      Kernel kernel,
      Clock clock,
      Function<String, Optional<Path>> spillDirs) {
    this.dataset = dataset;
    this.blocks = blocks;
    this.clients = clients;
    this.tuning = tuning;
    this.kernel = kernel;
    this.clock = clock;
    this.spillDirs = spillDirs;
    this.executor =
        Executors.newFixedThreadPool(
            tuning.parallelRebuilds(),
            work -> {
              Thread thread = new Thread(work, "raidp-rebuild");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Starts a rebuild, or takes in newer addresses for one that is known. */
  public synchronized void submit(RebuildOrder order) {
    if (closed) {
      throw new IllegalStateException(
          "Cannot rebuild: rebuildId=" + order.rebuildId() + ", expected a running DataNode");
    }
    Rebuild known = rebuilds.get(order.rebuildId());
    if (known != null) {
      known.refresh(order);
      return;
    }
    Rebuild rebuild =
        new Rebuild(
            order,
            dataset,
            blocks,
            clients,
            tuning,
            kernel,
            clock,
            spillDirs.apply(order.target().storageId()));
    // A manager that took over may not know of the rebuild that its predecessor ordered: the newer
    // order wins.
    List<Rebuild> older =
        rebuilds.values().stream()
            .filter(other -> other.isRunning() && other.isReplacedBy(order))
            .toList();
    older.forEach(Rebuild::cancel);
    rebuilds.put(order.rebuildId(), rebuild);
    forgetOldest();
    executor.execute(() -> runAfter(older, rebuild));
  }

  private static void runAfter(List<Rebuild> older, Rebuild rebuild) {
    try {
      for (Rebuild other : older) {
        other.awaitEnd();
      }
    } catch (InterruptedException e) {
      // Only close interrupts: the rebuild finds itself cancelled, and says so in its status.
      Thread.currentThread().interrupt();
      rebuild.cancel();
    }
    rebuild.run();
  }

  /** Running rebuilds and the last ended ones, for the report to the manager. */
  public synchronized List<RebuildStatus> statuses() {
    return rebuilds.values().stream().map(Rebuild::status).toList();
  }

  /** Ends a rebuild; what it installed stays. It is then reported as failed. */
  public synchronized void cancel(long rebuildId) {
    Rebuild rebuild = rebuilds.get(rebuildId);
    if (rebuild != null) {
      rebuild.cancel();
    }
  }

  /** Cancels all and waits for them to end. */
  @Override
  public void close() {
    List<Rebuild> running;
    synchronized (this) {
      closed = true;
      running = new ArrayList<>(rebuilds.values());
    }
    running.forEach(Rebuild::cancel);
    Timers.end(executor, CLOSE_WAIT_MS);
  }

  private void forgetOldest() {
    Iterator<Rebuild> oldest = rebuilds.values().iterator();
    while (rebuilds.size() > KEPT && oldest.hasNext()) {
      if (!oldest.next().isRunning()) {
        oldest.remove();
      }
    }
  }
}
