/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import io.hdfsparity.bridge.datanode.RebuildTask;
import io.hdfsparity.izs.repair.GroupReads;
import io.hdfsparity.izs.repair.GroupShape;
import io.hdfsparity.izs.repair.StripeReads;
import io.hdfsparity.izs.repair.UnitRead;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;

/**
 * Rebuilds stripe after stripe with one choice of helpers, until all are done or a helper fails.
 * The next stripe is read while one is decoded and sent. Used by one thread.
 */
final class StripePass implements AutoCloseable {
  private final RepairContext context;
  private final RebuildTask task;
  private final GroupShape shape;
  private final GroupReads plan;
  private final StripeDecoder decoder;
  private final Map<Integer, HelperStream> streams = new TreeMap<>();
  private final TargetOpener opener;
  private long nextStripe;
  private long usedBytes;

  /** Opens the targets when the checksum is known, unless they are open. */
  interface TargetOpener {
    void open(HelperStream first) throws IOException;
  }

  StripePass(
      RepairContext context,
      RebuildTask task,
      GroupShape shape,
      GroupReads plan,
      TargetOpener opener,
      long fromStripe) {
    this.context = context;
    this.task = task;
    this.shape = shape;
    this.plan = plan;
    this.opener = opener;
    this.nextStripe = fromStripe;
    this.decoder = new StripeDecoder(context, task, plan);
  }

  /** The first stripe that is not rebuilt yet. */
  long nextStripe() {
    return nextStripe;
  }

  /**
   * Rebuilds what is left.
   *
   * @throws HelperFailedException if one of the helpers has to be replaced
   * @throws IOException if it cannot be done with others, either
   */
  void run() throws IOException {
    Batch reading = nextStripe < plan.stripes() ? read(nextStripe) : null;
    try {
      while (reading != null) {
        DataNodeFaultInjector.get().stripedBlockReconstruction();
        Batch batch = reading;
        long startNanos = System.nanoTime();
        batch.await(context.options().readTimeoutMs());
        long readNanos = System.nanoTime();
        opener.open(stream(batch.units().get(0).unit()));
        reading = null;
        try {
          if (nextStripe + 1 < plan.stripes()) {
            reading = read(nextStripe + 1);
          }
          rebuild(batch, startNanos, readNanos);
        } finally {
          batch.close();
        }
        nextStripe++;
      }
    } finally {
      if (reading != null) {
        closeStreams();
        reading.close();
      }
    }
  }

  private Batch read(long stripe) throws IOException {
    StripeReads reads = plan.stripe(stripe);
    context.throttleRead(reads.lengthBytes());
    List<HelperStream> of = new ArrayList<>();
    for (UnitRead read : reads.reads()) {
      of.add(stream(read.unit()));
    }
    return new Batch(task, reads, of, shape.codewordBytes(stripe), context.readers());
  }

  private HelperStream stream(int unit) {
    return streams.computeIfAbsent(unit, this::open);
  }

  private HelperStream open(int unit) {
    return HelperStream.of(
        context, task, unit, plan.requests(unit, nextStripe), context.metrics().ofRebuilding());
  }

  private void rebuild(Batch batch, long startNanos, long readNanos) throws IOException {
    int codewordBytes = shape.codewordBytes(nextStripe);
    decoder.decode(batch, codewordBytes);
    long decodedNanos = System.nanoTime();
    context.throttleWrite((long) codewordBytes * task.liveTargets().size());
    task.send(codewordBytes);
    long sentNanos = System.nanoTime();
    DataNode datanode = context.datanode();
    datanode.getMetrics().incrECReconstructionReadTime(millis(readNanos - startNanos));
    datanode.getMetrics().incrECReconstructionDecodingTime(millis(decodedNanos - readNanos));
    datanode.getMetrics().incrECReconstructionWriteTime(millis(sentNanos - decodedNanos));
    long bytes = batch.reads().lengthBytes();
    usedBytes += bytes;
    if (batch.reads().isHalf()) {
      context.metrics().saved((long) shape.dataUnits() * codewordBytes - bytes);
    }
  }

  private static long millis(long nanos) {
    return nanos / 1_000_000;
  }

  private void closeStreams() {
    streams.values().forEach(HelperStream::close);
  }

  @Override
  public void close() {
    closeStreams();
    decoder.close();
    long readBytes = streams.values().stream().mapToLong(HelperStream::readBytes).sum();
    context.metrics().discarded(Math.max(0, readBytes - usedBytes));
  }
}
