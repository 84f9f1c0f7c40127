/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.namenode;

import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.ParityFs;
import io.hdfsparity.bridge.feature.FeatureContext;
import io.hdfsparity.bridge.feature.NameNodeFeature;
import io.hdfsparity.bridge.guard.OrderMark;
import io.hdfsparity.bridge.namenode.SwapCalls;
import io.hdfsparity.bridge.page.PageSection;
import io.hdfsparity.bridge.swap.SwapPoints;
import io.hdfsparity.bridge.swap.wire.SwapService;
import io.hdfsparity.caso.config.LayoutOptions;
import io.hdfsparity.caso.layout.LayoutPointer;
import io.hdfsparity.caso.swap.OrderCondition;
import io.hdfsparity.caso.wire.LayoutProtocols;
import io.hdfsparity.core.check.Timers;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.ClientGuard;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.security.authorize.Service;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * CASO in the NameNode: puts copies in stored order in the place of their files, in the active
 * NameNode; deletes indexes whose files are gone; and keeps files in stored order from clients that
 * know no orders, in every NameNode ({@link ClientGuard}). Fails closed: when it cannot start, no
 * call is served and no file changes its order; files that are in stored order are guarded first.
 */
public class LayoutFeature implements NameNodeFeature {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutFeature.class);

  private static final String CLIENT =
      "fs.hdfs.impl="
          + ParityFileSystem.class.getName()
          + " (FileContext: fs.AbstractFileSystem.hdfs.impl="
          + ParityFs.class.getName()
          + ") with the suite's jars";

  private static final OrderMark ORDERED =
      new OrderMark(LayoutPointer.XATTR, CLIENT, "hdfs caso -restore");

  private final SwapPoints points;
  private volatile @Nullable IndexSweeper sweeper;
  private long sweepPeriodMs;
  private @Nullable ScheduledExecutorService sweeps;

  /** As the plugin makes it. */
  public LayoutFeature() {
    this(SwapPoints.NONE);
  }

  /** For tests that end the NameNode at a point of a swap. */
  protected LayoutFeature(SwapPoints points) {
    this.points = points;
  }

  @Override
  public final String name() {
    return "caso";
  }

  @Override
  public final List<Service> protocols() {
    return List.of(LayoutProtocols.LAYOUT, LayoutProtocols.ORDER_SWAP);
  }

  /** What is in stored order already is kept from stock clients. */
  @Override
  public final void protect(NameNode nameNode) throws IOException {
    ClientGuard.of(nameNode).protect(ORDERED);
  }

  /** It stays in stored order when CASO is switched off. */
  @Override
  public final void protectWhenOff(NameNode nameNode) throws IOException {
    protect(nameNode);
  }

  @Override
  public final synchronized void start(FeatureContext<NameNode> context) throws IOException {
    NameNode nameNode = context.daemon();
    LayoutOptions options = LayoutOptions.of(context.conf());
    context.serve(LayoutProtocols.layout(new LayoutCalls(nameNode)));
    SwapCalls swaps = new SwapCalls(nameNode, new OrderCondition(), points);
    context.serve(SwapService.of(LayoutProtocols.ORDER_SWAP, swaps));
    sweeper = new IndexSweeper(nameNode, options.folder());
    sweepPeriodMs = options.sweepPeriodMs();
    LOG.info("CASO's part of the NameNode is made: {}", options);
  }

  @Override
  public final synchronized void ready() {
    ScheduledExecutorService periodic = Timers.daemon("caso-index-sweeper");
    periodic.scheduleWithFixedDelay(
        Timers.guarded(
            Objects.requireNonNull(sweeper, "started first"),
            e -> LOG.warn("Cannot look for indexes of no file: it is tried again", e)),
        sweepPeriodMs,
        sweepPeriodMs,
        TimeUnit.MILLISECONDS);
    sweeps = periodic;
  }

  @Override
  public final List<PageSection> page() {
    IndexSweeper now = sweeper;
    return now == null ? List.of() : List.of(LayoutPage.of(now.seen()));
  }

  /** No file changes its order; the guard stays. */
  @Override
  public final void failed(Throwable cause) {
    stop();
  }

  @Override
  public final synchronized void stop() {
    if (sweeps != null) {
      sweeps.shutdownNow();
      sweeps = null;
    }
  }
}
