/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import io.hdfsparity.bridge.datanode.RebuildTask;
import io.hdfsparity.izs.codec.IzsCodec;
import io.hdfsparity.izs.codec.RepairPlan;
import io.hdfsparity.izs.repair.GroupReads;
import io.hdfsparity.izs.repair.StripeReads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.apache.hadoop.io.erasurecode.rawcoder.InvalidDecodingException;
import org.jspecify.annotations.Nullable;

/**
 * Computes the wanted cells of a stripe from what was read, into the buffers of the targets, and
 * verifies them if the operator asked for that ({@code dfs.datanode.ec.reconstruct.validation}).
 * Used by one thread.
 */
final class StripeDecoder implements AutoCloseable {
  private final RepairContext context;
  private final RebuildTask task;
  private final GroupReads plan;
  private final Codecs.Pair codecs;
  private @Nullable ByteBuffer zeros;

  StripeDecoder(RepairContext context, RebuildTask task, GroupReads plan) {
    this.context = context;
    this.task = task;
    this.plan = plan;
    this.codecs =
        context.codecs().of(task.policy().getNumDataUnits(), task.policy().getNumParityUnits());
  }

  /** Fills the targets' buffers, to be sent. */
  void decode(Batch batch, int codewordBytes) throws IOException {
    List<Integer> targets = task.liveTargets();
    ByteBuffer[] buffers = task.targetBuffers(codewordBytes);
    // A target whose cell is empty has nothing to be rebuilt; its buffer is cut before sending.
    List<Integer> wanted = new ArrayList<>();
    List<ByteBuffer> outputs = new ArrayList<>();
    for (int i = 0; i < buffers.length; i++) {
      if (batch.reads().wanted().contains(targets.get(i))) {
        wanted.add(targets.get(i));
        outputs.add(buffers[i]);
      }
    }
    Inputs inputs = new Inputs(batch, wanted, codewordBytes);
    long startNanos = System.nanoTime();
    compute(codecs.fast(), inputs, outputs.toArray(ByteBuffer[]::new));
    context.datanode().getMetrics().incrECDecodingTime(System.nanoTime() - startNanos);
    if (task.isValidated()) {
      DataNodeFaultInjector.get().badDecoding(outputs.toArray(ByteBuffer[]::new));
      verify(inputs, outputs);
    }
  }

  private record Inputs(Batch batch, List<Integer> wanted, int codewordBytes) {}

  private void compute(IzsCodec codec, Inputs inputs, ByteBuffer[] outputs) throws IOException {
    ByteBuffer[] read = inputs.batch.buffers();
    StripeReads reads = inputs.batch.reads();
    if (reads.isHalf()) {
      RepairPlan half = plan.halfPlan().orElseThrow();
      if (inputs.wanted.size() != 1 || inputs.wanted.get(0) != half.lostColumn()) {
        throw new IllegalStateException(
            "Plan rebuilds unit " + half.lostColumn() + ", not " + inputs.wanted);
      }
      codec.repair(half, read, outputs[0]);
      return;
    }
    @Nullable ByteBuffer[] columns = new ByteBuffer[codec.code().columns()];
    for (int empty : reads.emptyUnits()) {
      columns[empty] = zeros(inputs.codewordBytes);
    }
    for (int i = 0; i < read.length; i++) {
      columns[reads.reads().get(i).unit()] = read[i];
    }
    codec.decode(columns, inputs.wanted.stream().mapToInt(i -> i).toArray(), outputs);
  }

  private ByteBuffer zeros(int lengthBytes) {
    ByteBuffer buffer = zeros;
    if (buffer == null) {
      buffer = task.allocate(lengthBytes);
      buffer.clear();
      while (buffer.hasRemaining()) {
        buffer.put((byte) 0);
      }
      zeros = buffer;
    }
    return buffer.slice(0, lengthBytes);
  }

  /**
   * Computes everything once more, on the reference kernel, and compares. HDFS's own validator
   * decodes an input from the outputs instead, which takes whole columns; of half-read helpers
   * there are none.
   */
  private void verify(Inputs inputs, List<ByteBuffer> outputs) throws IOException {
    DataNode datanode = context.datanode();
    long startNanos = System.nanoTime();
    ByteBuffer[] expected = new ByteBuffer[outputs.size()];
    try {
      for (int i = 0; i < expected.length; i++) {
        expected[i] = task.allocate(inputs.codewordBytes);
        expected[i].clear().limit(inputs.codewordBytes);
      }
      compute(codecs.reference(), inputs, expected);
      for (int i = 0; i < expected.length; i++) {
        int mismatch = expected[i].mismatch(outputs.get(i));
        if (mismatch >= 0) {
          datanode.getMetrics().incrECInvalidReconstructionTasks();
          throw new InvalidDecodingException(
              "Cannot rebuild unit "
                  + inputs.wanted.get(i)
                  + ": byte "
                  + mismatch
                  + " of a cell of "
                  + task.blockGroup()
                  + " is not what the reference kernel computes");
        }
      }
    } finally {
      datanode
          .getMetrics()
          .incrECReconstructionValidateTime((System.nanoTime() - startNanos) / 1_000_000);
      for (ByteBuffer buffer : expected) {
        if (buffer != null) {
          task.free(buffer);
        }
      }
    }
  }

  @Override
  public void close() {
    if (zeros != null) {
      task.free(zeros);
      zeros = null;
    }
  }
}
