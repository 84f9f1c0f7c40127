/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import io.hdfsparity.bridge.datanode.RebuildTask;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.geometry.ByteRange;
import io.hdfsparity.izs.codec.ContradictionException;
import io.hdfsparity.izs.codec.IzsCodec;
import io.hdfsparity.izs.codec.Overlap;
import io.hdfsparity.izs.repair.OverlapReads;
import io.hdfsparity.izs.repair.UnitRead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares the sources of a repair with each other before anything is rebuilt from them: stretches
 * of a few stripes, and where those hold zeros only, stripe after stripe until one tells; or all
 * bytes. Used by one thread, once.
 */
final class SourceCheck {
  /** Stripes that are looked at as a whole, over the same connections. */
  private static final int FIRST_STRIPES = 4;

  private static final int MAX_STRIPES = 1024;

  private final RepairContext context;
  private final RebuildTask task;
  private final IzsCodec codec;
  private final OverlapReads overlap;

  SourceCheck(RepairContext context, RebuildTask task, IzsCodec codec, OverlapReads overlap) {
    this.context = context;
    this.task = task;
    this.codec = codec;
    this.overlap = overlap;
  }

  /** How much is compared. */
  enum Extent {
    /** Enough to see another code. */
    SAMPLES,
    /** All bytes: they may contradict each other anywhere. */
    WHOLE
  }

  /**
   * Compares them.
   *
   * @throws ContradictionException if they do not say the same
   * @throws HelperFailedException if one of them has to be replaced
   */
  void run(Extent extent) throws IOException {
    if (extent == Extent.WHOLE) {
      compareAll();
    } else {
      compareSamples();
    }
  }

  private void compareAll() throws IOException {
    long from = 0;
    while (from < overlap.stripes()) {
      long to = Math.min(overlap.stripes(), from + MAX_STRIPES);
      compare(overlap.whole(from, to), Until.ALL);
      from = to;
    }
  }

  private void compareSamples() throws IOException {
    List<OverlapReads.Sample> stretches = overlap.stretches();
    boolean isConclusive = stretches.isEmpty() || compare(stretches, Until.ALL);
    long count = FIRST_STRIPES;
    long from = 0;
    while (!isConclusive && from < overlap.stripes()) {
      long to = Math.min(overlap.stripes(), from + count);
      isConclusive = compare(overlap.whole(from, to), Until.CONCLUSIVE);
      from = to;
      count = Math.min(2 * count, MAX_STRIPES);
    }
  }

  /** How far samples are compared. */
  private enum Until {
    ALL,
    CONCLUSIVE
  }

  /** Returns whether one of them was conclusive. */
  private boolean compare(List<OverlapReads.Sample> samples, Until until) throws IOException {
    Map<Integer, HelperStream> streams = open(samples);
    boolean isConclusive = false;
    try {
      for (OverlapReads.Sample sample : samples) {
        isConclusive |= compare(sample, streams);
        if (isConclusive && until == Until.CONCLUSIVE) {
          break;
        }
      }
    } finally {
      streams.values().forEach(HelperStream::close);
    }
    return isConclusive;
  }

  private Map<Integer, HelperStream> open(List<OverlapReads.Sample> samples) {
    Map<Integer, List<ByteRange>> ranges = new TreeMap<>();
    for (OverlapReads.Sample sample : samples) {
      for (UnitRead read : sample.reads().reads()) {
        ranges.computeIfAbsent(read.unit(), unit -> new ArrayList<>()).addAll(read.ranges());
      }
    }
    Map<Integer, HelperStream> streams = new TreeMap<>();
    ranges.forEach(
        (unit, of) ->
            streams.put(
                unit,
                HelperStream.of(
                    context, task, unit, of.iterator(), context.metrics().ofComparing())));
    return streams;
  }

  private boolean compare(OverlapReads.Sample sample, Map<Integer, HelperStream> streams)
      throws IOException {
    context.throttleRead(sample.reads().lengthBytes());
    List<HelperStream> of = new ArrayList<>();
    for (UnitRead read : sample.reads().reads()) {
      HelperStream stream = streams.get(read.unit());
      if (stream == null) {
        throw new IllegalStateException("unit " + read.unit() + " was not opened");
      }
      of.add(stream);
    }
    try (Batch batch =
        new Batch(task, sample.reads(), of, sample.codewordBytes(), context.readers())) {
      try {
        batch.await(context.options().readTimeoutMs());
      } catch (IOException e) {
        // Reads that go on write to the batch's buffers until their connections are closed.
        of.forEach(HelperStream::close);
        throw e;
      }
      return compare(sample, batch);
    }
  }

  private boolean compare(OverlapReads.Sample sample, Batch batch) throws IOException {
    @Nullable ByteBuffer[] columns = new ByteBuffer[codec.code().columns()];
    for (int empty : sample.reads().emptyUnits()) {
      columns[empty] = ByteBuffer.allocateDirect(sample.codewordBytes());
    }
    ByteBuffer[] read = batch.buffers();
    List<Integer> others = new ArrayList<>();
    for (int i = 0; i < read.length; i++) {
      int unit = batch.units().get(i).unit();
      columns[unit] = read[i];
      if (!sample.spares().contains(unit)) {
        others.add(unit);
      }
    }
    ByteBuffer scratch = task.allocate(sample.codewordBytes());
    try {
      Overlap.Outcome outcome = Overlap.compare(codec, columns, sample.spares(), scratch.clear());
      if (!outcome.contradicted().isEmpty()) {
        throw new ContradictionException(
            ErrorMessage.to("rebuild units " + task.targetUnits())
                .where("group", task.blockGroup())
                .where("stripe", sample.stripe()),
            outcome.contradicted(),
            others);
      }
      return outcome.isConclusive();
    } finally {
      task.free(scratch);
    }
  }
}
