/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.store.AtomicFiles;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.protocol.StorageStatus;
import io.hdfsparity.ecupdate.storage.BlockEngine;
import io.hdfsparity.ecupdate.storage.EngineFailedException;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine of a volume and the directory that it keeps its files in: whether they are in service,
 * and if not, why.
 *
 * <p>{@link #openDirectory}, {@link #open} and {@link #close} are called by one thread; the rest is
 * thread-safe.
 */
final class VolumeEngine {
  private static final Logger LOG = LoggerFactory.getLogger(VolumeEngine.class);

  private final String storageId;
  private final Path root;
  private final StorageOptions options;
  private final AdmittedReplicas replicas;
  private final Consumer<IOException> onFailure;

  private volatile @Nullable UpdateDirectory directory;

  /** Null while it is out of service. */
  private volatile @Nullable StorageEngine engine;

  /** The last one that was in service. */
  private volatile @Nullable StorageEngine latest;

  private volatile @Nullable IoTrace trace;

  /** Whether {@link #retire} was called. Guarded by this. */
  private boolean isRetired;

  /** Held while an engine is opened, and closed again if the volume has failed meanwhile. */
  private final ReentrantLock opening = new ReentrantLock();

  private volatile String blockPool = "";
  private volatile String refusal = "its engine has not been opened yet";

  /**
   * Of a volume.
   *
   * @param onFailure is notified when an engine that was in service cannot continue
   */
  VolumeEngine(
      String storageId,
      Path root,
      StorageOptions options,
      AdmittedReplicas replicas,
      Consumer<IOException> onFailure) {
    this.onFailure = onFailure;
    this.storageId = storageId;
    this.root = root;
    this.options = options;
    this.replicas = replicas;
  }

  String storageId() {
    return storageId;
  }

  /** Whether {@link #begin} was called before {@link #retire}. */
  boolean isStarted() {
    return !blockPool.isEmpty();
  }

  /**
   * Notes that it is being started.
   *
   * @return false: it was taken out of service before, and is not to be started
   */
  synchronized boolean begin(String pool) {
    if (!isRetired) {
      blockPool = pool;
    }
    return !isRetired;
  }

  StorageOptions options() {
    return options;
  }

  /** The directory of the feature; copies that a crash has left in it are deleted. */
  UpdateDirectory openDirectory() throws IOException {
    if (!options.ioTrace().isEmpty()) {
      trace = IoTrace.open(Path.of(options.ioTrace()), storageId);
      replicas.trace(trace);
    }
    UpdateDirectory here = UpdateDirectory.open(root, blockPool);
    directory = here;
    here.deleteCopies();
    return here;
  }

  /**
   * Opens the engine, or notes why it cannot be opened.
   *
   * @param isFirst whether nothing on the volume can have changes in a log that is missing
   */
  void open(boolean isFirst) throws IOException {
    opening.lock();
    try {
      if (isRetired()) {
        return;
      }
      serve(
          StorageEngine.open(
              here().log(), storageId, options, isFirst, replicas, trace, this::failed));
    } catch (IOException | IllegalArgumentException | IllegalStateException e) {
      // Also of a log that is too small for a configuration that has changed.
      refusal = e.toString();
      LOG.error(
          "Cannot open the engine of storageId={}; its replicas that may have changes are withheld",
          storageId,
          e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } finally {
      opening.unlock();
    }
  }

  private synchronized boolean isRetired() {
    return isRetired;
  }

  private void serve(StorageEngine opened) throws IOException {
    synchronized (this) {
      if (!isRetired) {
        engine = opened;
        latest = opened;
        refusal = "";
        return;
      }
    }
    close(opened); // the disk has failed meanwhile, and nobody else would
  }

  private void failed(IOException e) {
    LOG.error(
        "Updates of storageId={} have stopped, and reads of replicas that were updated; restart the"
            + " DataNode when the disk works",
        storageId,
        e);
    onFailure.accept(e);
  }

  static InterruptedIOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    InterruptedIOException failure = new InterruptedIOException("Cannot start: interrupted");
    failure.initCause(e);
    return failure;
  }

  /**
   * Takes the volume out of service: work that is under way ends at its next step.
   *
   * @return what is to be closed then; null: nothing was open
   */
  synchronized @Nullable StorageEngine retire() {
    isRetired = true;
    StorageEngine open = engine;
    engine = null;
    refusal = "it is out of service";
    return open;
  }

  /** Closes what {@link #retire} has returned; waits for an engine that is just being opened. */
  void close(@Nullable StorageEngine retired) throws IOException {
    opening.lock();
    opening.unlock();
    IoTrace traced = trace;
    try (traced) {
      if (retired != null) {
        retired.close();
      }
    }
  }

  ReplicaKey key(long blockId) {
    return new ReplicaKey(blockPool, blockId);
  }

  /** The directory of the feature, once it is known. */
  UpdateDirectory here() throws IOException {
    UpdateDirectory known = directory;
    if (known == null) {
      throw outOfService();
    }
    return known;
  }

  /** The engine, while it is in service. */
  BlockEngine running() throws IOException {
    StorageEngine open = engine;
    if (open == null) {
      throw outOfService();
    }
    return open.engine();
  }

  /**
   * Refuses when the engine is not in service, or has stopped: nothing of a replica that it is
   * given could be read or changed until the DataNode is restarted.
   */
  void requireServing() throws IOException {
    running().requireServing();
  }

  private IOException outOfService() {
    return new IOException(
        ErrorMessage.to("serve updates")
            .value("storageId", storageId)
            .expected("a storage in service: " + refusal)
            .message());
  }

  /** Block pools of which it has files of the feature, and replicas. */
  Set<String> pools() throws IOException {
    return UpdateDirectory.pools(root);
  }

  /** The files of a replica of which the engine changes those. */
  LocalReplicaFiles files(File block, File meta, long blockId) throws IOException {
    UpdateDirectory here = here();
    return new LocalReplicaFiles(
        block.toPath(), meta.toPath(), here.state(blockId), here.reservedSpace(blockId));
  }

  /**
   * Refuses to lose a replica that may be admitted, while nobody has looked yet: HDFS deletes
   * duplicates when it loads a volume.
   */
  void requireLookedAt(String pool, long blockId) throws IOException {
    if (directory == null && UpdateDirectory.mayBeAdmitted(root, pool, blockId)) {
      throw new IOException(
          ErrorMessage.to("delete a replica")
              .value("block", blockId)
              .expected("none that may have changes, before they are read")
              .where("storageId", storageId)
              .message());
    }
  }

  /** Whether {@link #openDirectory} was called: nothing is known of its replicas before. */
  boolean isLookedAt() {
    return directory != null;
  }

  /** As {@link UpdateDirectory#mayHaveBeenAdmitted}. */
  boolean mayHaveBeenAdmitted(String pool, long blockId) {
    return UpdateDirectory.mayHaveBeenAdmitted(root, pool, blockId);
  }

  /** As {@link UpdateDirectory#isReceived}. */
  boolean isReceived(String pool, long blockId) {
    return UpdateDirectory.isReceived(root, pool, blockId);
  }

  /** Whether the files of a finalized replica are in their place, and as long as they should be. */
  boolean hasFiles(long blockId, long generationStamp, long lengthBytes) {
    File block = finalPlace(blockId);
    return block.length() == lengthBytes
        && finalPlace(blockId, DatanodeUtil.getMetaName(block.getName(), generationStamp)).isFile();
  }

  /** Deletes the files of a finalized replica that HDFS does not use. */
  void deleteFiles(long blockId, long generationStamp) throws IOException {
    File block = finalPlace(blockId);
    Files.deleteIfExists(block.toPath());
    Files.deleteIfExists(
        finalPlace(blockId, DatanodeUtil.getMetaName(block.getName(), generationStamp)).toPath());
  }

  /** Where HDFS keeps the block file of a finalized replica. */
  File finalPlace(long blockId) {
    return finalPlace(blockId, Block.BLOCK_FILE_PREFIX + blockId);
  }

  /** Where HDFS keeps the files of a finalized replica. */
  File finalPlace(long blockId, String name) {
    Path finalized = root.resolve("current").resolve(blockPool).resolve("current/finalized");
    return new File(DatanodeUtil.idToBlockDir(finalized.toFile(), blockId), name);
  }

  /**
   * Whether it is certain that HDFS has no block file of a replica in its place. One that cannot be
   * accessed may be there.
   */
  boolean isGone(long blockId) {
    return Files.notExists(finalPlace(blockId).toPath());
  }

  /**
   * Forgets that a replica was being deleted, or was gone. The name of its block file is gone
   * durably before: else a crash could bring it back, and it would count.
   */
  void forgetRemoved(long blockId) throws IOException {
    Path folder = finalPlace(blockId).toPath().getParent();
    while (folder != null && Files.notExists(folder, LinkOption.NOFOLLOW_LINKS)) {
      folder = folder.getParent();
    }
    if (folder != null) {
      AtomicFiles.syncDirectory(folder);
    }
    here().forgetRemoved(blockId);
  }

  /**
   * Whether no request of a replica is being executed, after the volume was taken out of service
   * too; false before the engine was opened.
   */
  boolean isQuiet(long blockId) {
    StorageEngine opened = latest;
    return opened != null && opened.engine().isQuiet(key(blockId));
  }

  /** A replica is gone, whether the engine is in service or not. */
  void dropped(long blockId) throws IOException {
    StorageEngine open = engine;
    if (open == null) {
      return;
    }
    try {
      open.engine().dropped(key(blockId));
    } catch (EngineFailedException e) {
      // What the log has of it is dropped when it is opened next, as its files are gone then.
      LOG.info("Deleted without the engine of storageId={}: block={}", storageId, blockId, e);
    }
  }

  /** As {@link StorageReports#report}. */
  StorageStatus status(ReplicaUses uses, LongPredicate isListed) {
    StorageEngine open = engine;
    return StorageReports.report(
        blockPool, replicas, uses, open == null ? refusal : "", open, isListed);
  }
}
