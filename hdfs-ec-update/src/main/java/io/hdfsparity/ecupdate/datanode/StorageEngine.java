/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.store.Allocation;
import io.hdfsparity.core.store.AtomicFiles;
import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.core.store.Fallocate;
import io.hdfsparity.core.store.FileByteStore;
import io.hdfsparity.ecupdate.storage.BlockEngine;
import io.hdfsparity.ecupdate.storage.EngineThreads;
import io.hdfsparity.ecupdate.storage.ReplicaStores;
import io.hdfsparity.ecupdate.storage.log.UpdateLog;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The engine of a storage, with its log and its threads. Thread-safe. */
final class StorageEngine implements Closeable {
  private static final String NEW_SUFFIX = ".new";
  private final ByteStore log;
  private final BlockEngine engine;
  private final EngineThreads threads;

  private StorageEngine(ByteStore log, BlockEngine engine, EngineThreads threads) {
    this.log = log;
    this.engine = engine;
    this.threads = threads;
  }

  /**
   * Opens the engine, and makes its log if this is a storage's first.
   *
   * @param isFirst whether nothing on the storage can have changes in a log that is missing
   * @param trace of the storage, if there is one; stays the caller's
   * @param onFailure is notified when it cannot continue
   */
  static StorageEngine open(
      Path logFile,
      String storageId,
      StorageOptions options,
      boolean isFirst,
      ReplicaStores stores,
      @Nullable IoTrace trace,
      Consumer<IOException> onFailure)
      throws IOException, InterruptedException {
    if (!Files.exists(logFile)) {
      if (!isFirst) {
        throw new IOException(
            ErrorMessage.to("open the update log")
                .value("exists", false)
                .expected(
                    "the log with the changes of this storage's replicas; without it they are lost:"
                        + " remove the storage's directory ecupdate and its striped blocks")
                .file(logFile)
                .message());
      }
      make(logFile, storageId, options);
    }
    ByteStore file = FileByteStore.open(logFile);
    ByteStore log = trace == null ? file : trace.around(file);
    try {
      BlockEngine engine = BlockEngine.open(log, storageId, options.engine(), stores);
      return new StorageEngine(
          log, engine, EngineThreads.start(engine, "ec-update-" + storageId, onFailure));
    } catch (IOException | RuntimeException | InterruptedException e) {
      try {
        log.close();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private static void make(Path logFile, String storageId, StorageOptions options)
      throws IOException {
    Path fresh = logFile.resolveSibling(logFile.getFileName() + NEW_SUFFIX);
    Files.deleteIfExists(fresh);
    try (ByteStore store = FileByteStore.create(fresh, options.logBytes(), Allocation.SPARSE)) {
      Fallocate.reserve(fresh, options.logBytes());
      UpdateLog.format(store, storageId, new SecureRandom().nextLong());
      store.sync(0, store.sizeBytes());
    }
    AtomicFiles.rename(fresh, logFile);
  }

  BlockEngine engine() {
    return engine;
  }

  /** Seals the log. */
  @Override
  public void close() throws IOException {
    try (log) {
      threads.close();
    }
  }
}
