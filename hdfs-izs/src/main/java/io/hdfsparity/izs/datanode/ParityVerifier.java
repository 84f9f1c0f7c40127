/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import io.hdfsparity.bridge.wire.NameNodeServer;
import io.hdfsparity.izs.apply.BytePacer;
import io.hdfsparity.izs.config.LevelOptions;
import io.hdfsparity.izs.config.VerifyOptions;
import io.hdfsparity.izs.rawcoder.HadoopColumns;
import io.hdfsparity.izs.rawcoder.IzsRawErasureCoderFactory;
import io.hdfsparity.izs.verify.ColumnCode;
import io.hdfsparity.izs.verify.IzsColumns;
import io.hdfsparity.izs.verify.VerifyReport;
import io.hdfsparity.izs.wire.LevelClient;
import io.hdfsparity.izs.wire.LevelManagers;
import io.hdfsparity.izs.wire.VerifyTask;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.SecurityUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies parity in a DataNode: asks the level managers of all NameNodes for groups, each from a
 * thread of its own, so that one that hangs holds up no other. All together keep to one rate.
 * Thread-safe.
 */
final class ParityVerifier implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(ParityVerifier.class);
  private static final int MAX_TIMEOUT_MS = 30_000;

  private final DataNode datanode;
  private final Codecs codecs;
  private final RepairMetrics.Reads metrics;
  private final VerifyOptions options;
  private final BytePacer pacer;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean isClosed;

  private ParityVerifier(
      DataNode datanode, Codecs codecs, RepairMetrics.Reads metrics, VerifyOptions options) {
    this.datanode = datanode;
    this.codecs = codecs;
    this.metrics = metrics;
    this.options = options;
    this.pacer = new BytePacer(options.bytesPerSecond());
  }

  /**
   * Starts asking.
   *
   * @throws IOException when the configuration does not tell where NameNodes are
   * @throws IllegalArgumentException when a key cannot be used
   */
  static ParityVerifier start(DataNode datanode, Codecs codecs, RepairMetrics.Reads metrics)
      throws IOException {
    Configuration conf = datanode.getConf();
    VerifyOptions options = VerifyOptions.of(conf);
    ParityVerifier made = new ParityVerifier(datanode, codecs, metrics, options);
    if (options.scope().isEnabled()) {
      int timeoutMs = Math.min(MAX_TIMEOUT_MS, LevelOptions.of(conf).adminTimeoutMs());
      for (NameNodeServer server : LevelManagers.all(conf).servers()) {
        Thread thread =
            new Thread(() -> made.serve(server, conf, timeoutMs), "izs-verify-" + server.address());
        thread.setDaemon(true);
        made.threads.add(thread);
      }
      made.threads.forEach(Thread::start);
    }
    return made;
  }

  private void serve(NameNodeServer server, Configuration conf, int timeoutMs) {
    try (LevelClient client =
        SecurityUtil.doAsLoginUser(() -> new LevelClient(server.address(), conf, timeoutMs))) {
      new VerifyWorker(server.address().toString(), client, datanode::getDatanodeUuid, this::verify)
          .run(() -> isClosed, options.pollMs());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.error("Parity is not verified for the level manager {}", server.address(), e);
    }
  }

  private VerifyReport verify(VerifyTask task) throws InterruptedIOException {
    try (ColumnCode code = code(task)) {
      return new GroupVerifier(datanode, task, code, pacer, metrics).run();
    }
  }

  private ColumnCode code(VerifyTask task) {
    int dataUnits = task.shape().dataUnits();
    int parityUnits = task.shape().parityUnits();
    return IzsRawErasureCoderFactory.CODEC.equals(task.codec())
        ? new IzsColumns(codecs.of(dataUnits, parityUnits).fast())
        : new HadoopColumns(datanode.getConf(), task.codec(), dataUnits, parityUnits);
  }

  /** Ends what goes on; it will be handed to others. */
  @Override
  public void close() {
    isClosed = true;
    threads.forEach(Thread::interrupt);
  }
}
