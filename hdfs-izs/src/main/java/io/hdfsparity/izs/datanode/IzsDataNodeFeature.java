/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import io.hdfsparity.bridge.datanode.RebuildTask;
import io.hdfsparity.bridge.datanode.StripedRebuilder;
import io.hdfsparity.bridge.feature.DataNodeFeature;
import io.hdfsparity.bridge.feature.FeatureContext;
import io.hdfsparity.izs.config.RepairOptions;
import io.hdfsparity.izs.rawcoder.IzsRawErasureCoderFactory;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.erasurecode.ReconstructionSwitch;
import org.apache.hadoop.util.Daemon;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repair of IZS block groups in a DataNode: takes over the reconstruction of block groups of codec
 * izs; all others stay with HDFS. Also verifies parity for the level managers ({@link
 * ParityVerifier}).
 *
 * <p>Fails closed: HDFS's own reconstruction then meets IzsRawDecoder, which refuses whatever it
 * cannot decode without knowing where a codeword begins. Metric {@code FailedClosed} of source
 * IzsRepair is 1 meanwhile.
 */
public final class IzsDataNodeFeature implements DataNodeFeature {
  private static final Logger LOG = LoggerFactory.getLogger(IzsDataNodeFeature.class);

  private @Nullable RepairMetrics metrics;
  private @Nullable ExecutorService readers;
  private @Nullable ReconstructionSwitch redirection;
  private @Nullable ParityVerifier verifier;

  @Override
  public String name() {
    return "izs";
  }

  @Override
  public synchronized void start(FeatureContext<DataNode> started) {
    DataNode datanode = started.daemon();
    RepairMetrics made = RepairMetrics.register(datanode.getDisplayName());
    metrics = made;
    RepairOptions options = RepairOptions.from(datanode.getConf());
    AtomicInteger threads = new AtomicInteger();
    ExecutorService pool =
        Executors.newCachedThreadPool(
            work -> {
              Daemon thread = new Daemon(work);
              thread.setName("izsRepairRead-" + threads.getAndIncrement());
              return thread;
            });
    readers = pool;
    Codecs codecs = new Codecs();
    RepairContext context =
        new RepairContext(
            datanode,
            options,
            made,
            pool,
            new MemoryBudget(options.memoryBytes()),
            codecs,
            ParityBelief.of(datanode));
    redirection = ReconstructionSwitch.install(datanode, new Rebuilder(context));
    made.inService(true);
    verifier = startVerifier(datanode, codecs, made);
    LOG.info("IZS repair is in service: {}", options);
  }

  /** Repair does without it. */
  private static @Nullable ParityVerifier startVerifier(
      DataNode datanode, Codecs codecs, RepairMetrics metrics) {
    try {
      return ParityVerifier.start(datanode, codecs, metrics.ofVerifying());
    } catch (IOException | IllegalArgumentException e) {
      LOG.error("This DataNode verifies no parity", e);
      return null;
    }
  }

  /** Where tasks come in. */
  private record Rebuilder(RepairContext context) implements StripedRebuilder {
    @Override
    public boolean takes(ErasureCodingPolicy policy) {
      return IzsRawErasureCoderFactory.CODEC.equals(policy.getCodecName());
    }

    @Override
    public void rebuild(RebuildTask task) throws IOException {
      new GroupRepair(context, task).run();
    }
  }

  @Override
  public synchronized void failed(Throwable cause) {
    release();
  }

  @Override
  public synchronized void stop() {
    release();
    if (metrics != null) {
      metrics.close();
      metrics = null;
    }
  }

  /** Gives reconstruction back to HDFS; repairs that run fail and will be ordered again. */
  private void release() {
    if (metrics != null) {
      metrics.inService(false);
    }
    if (verifier != null) {
      verifier.close();
      verifier = null;
    }
    if (redirection != null) {
      redirection.close();
      redirection = null;
    }
    if (readers != null) {
      readers.shutdown();
      readers = null;
    }
  }
}
