/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import io.hdfsparity.bridge.datanode.DatasetHooks;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.check.Timers;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * In-place updates in a DataNode, named in {@value DatasetHooks#CLASSES_KEY}: serves the reads of
 * all striped replicas on volumes that no other feature claims, and opens their engines before the
 * first block report.
 *
 * <p>States: new, {@link #open}ed, {@link #started}, closed. Thread-safety: open, volume, started
 * and close are called by one thread after the other; the rest from any.
 */
public final class EcUpdateDatasetHooks implements DatasetHooks {
  private static final Logger LOG = LoggerFactory.getLogger(EcUpdateDatasetHooks.class);
  private static final int SWEEPS_AN_AGE = 8;
  private static final long GIVE_WAY_EVERY_MS = 1000;

  private static final long LOSE_EVERY_MS = 60_000;

  /** Until then nobody has the unit. */
  private static final long USE_KEPT_EVERY_MS = 1000;

  /** What a controller may take to be reset. */
  private static final long REREAD_AFTER_MS = 10_000;

  /** For the disk of an engine that is closed. HDFS tells the NameNode of a failed disk later. */
  private static final long CLOSE_WAIT_MS = 10_000;

  private final Map<String, UpdateVolume> volumes = new ConcurrentHashMap<>();
  private final LongAdder movesRefused = new LongAdder();
  private volatile @Nullable ReservedPeriods periods;
  private final ScheduledExecutorService sweeper = Timers.daemon("ec-update-snapshots");
  private final GivenUpReplicas givenUp = new GivenUpReplicas(sweeper);

  /** By storage: a disk that fails may keep a read waiting for minutes. */
  private final Map<String, ScheduledExecutorService> rereads = new ConcurrentHashMap<>();

  private final ClosingVolumes closing = new ClosingVolumes(CLOSE_WAIT_MS);

  /** What a DataNode gives its hooks. */
  private record Node(DataNode datanode, DatasetAccess dataset, StorageOptions options) {}

  private volatile @Nullable Node node;
  private volatile @Nullable UpdateReplicas replicas;

  /** Made by the bridge, by name. */
  public EcUpdateDatasetHooks() {}

  @Override
  public void open(DataNode datanode, DatasetAccess dataset, Configuration conf)
      throws IOException {
    try {
      node = new Node(datanode, dataset, StorageOptions.of(conf));
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private Node node() {
    Node opened = node;
    if (opened == null) {
      throw new IllegalStateException(
          "Cannot serve updates: hooks=new, expected open to have been called");
    }
    return opened;
  }

  @Override
  public boolean sharesVolumes() {
    return true;
  }

  /** It is all the same to updates where a replica lies: they find it by its block id. */
  @Override
  public boolean needsNamedStorage() {
    return false;
  }

  /** Volumes are disks by themselves: replicas move between them, and they come and go. */
  @Override
  public boolean pairsVolumes() {
    return false;
  }

  /** As long as no replica was admitted to updates: nothing of the feature describes older ones. */
  @Override
  public boolean allowsRollback(Path volumeRoot) throws IOException {
    return !UpdateDirectory.hasEverAdmitted(volumeRoot);
  }

  /**
   * The pool whose files of the feature lie on the volumes, or the first that comes. A volume that
   * cannot say is asked once more when it is started.
   *
   * @throws IOException if there are files of two pools
   */
  @Override
  public boolean takesPool(String blockPoolId) throws IOException {
    boolean isOurs = false;
    Set<String> others = new TreeSet<>();
    for (UpdateVolume volume : volumes.values()) {
      try {
        Set<String> pools = volume.pools();
        isOurs |= pools.remove(blockPoolId);
        others.addAll(pools);
      } catch (IOException e) {
        LOG.error("Cannot tell whose updates are on storageId={}", volume.storageId(), e);
      }
    }
    if (isOurs && !others.isEmpty()) {
      throw new IOException(
          ErrorMessage.to("serve block pool")
              .value("blockPoolId", blockPoolId)
              .expected(
                  "updates of one block pool a DataNode: its disks have directories ecupdate/ of "
                      + others
                      + " as well")
              .message());
    }
    return others.isEmpty();
  }

  @Override
  public void added(String storageId) throws IOException {
    UpdateVolume volume = volumes.get(storageId);
    if (volume == null) {
      throw new IOException(
          "Cannot add volume: storageId=" + storageId + ", expected one of these hooks");
    }
    closing.requireClosed(storageId);
    String pool = replicas().blockPool();
    start(volume, pool);
    new ReturnedReplicas(pool, volumes.values()).settle(List.of(volume));
  }

  private static void start(UpdateVolume volume, String pool) throws IOException {
    Set<String> others = volume.pools();
    others.remove(pool);
    if (!others.isEmpty()) {
      throw new IOException(
          ErrorMessage.to("start updates of a volume")
              .value("ecupdate", others)
              .expected("updates of the block pool only that this DataNode takes them for, " + pool)
              .where("storageId", volume.storageId())
              .message());
    }
    volume.start(pool);
  }

  /** Those beside one. */
  private OtherVolumes others(String storageId) {
    return new OtherVolumes() {
      @Override
      public boolean isMoving(long blockId) {
        return anyMatch(each -> each.isMoving(blockId));
      }

      @Override
      public boolean mayLack(String pool, long blockId) {
        return anyMatch(each -> each.mayLack(pool, blockId));
      }

      private boolean anyMatch(Predicate<UpdateVolume> condition) {
        return volumes.values().stream()
            .anyMatch(each -> !each.storageId().equals(storageId) && condition.test(each));
      }
    };
  }

  /** Replicas that were not moved to another volume, since the DataNode was started. */
  long movesRefused() {
    return movesRefused.sum();
  }

  @Override
  public VolumeHooks volume(String storageId, File root) {
    Node of = node();
    ScheduledExecutorService own = rereads.computeIfAbsent(storageId, this::timerOf);
    UpdateVolume volume =
        new UpdateVolume(
            storageId,
            root.toPath(),
            of.dataset(),
            of.options(),
            Clock.system(),
            movesRefused,
            givenUp,
            read -> own.schedule(read, REREAD_AFTER_MS, TimeUnit.MILLISECONDS));
    volumes.put(storageId, volume);
    return new UpdateVolumeHooks(
        volume,
        () -> of.datanode().getFSDataset().trashEnabled(of.dataset().blockPoolId()),
        others(storageId));
  }

  /** What waits for one disk. */
  private ScheduledExecutorService timerOf(String storageId) {
    ScheduledExecutorService timer = Timers.daemon("ec-update-rereads-" + storageId);
    String failure = "Cannot drop changes of deleted replicas; it is tried again";
    timer.scheduleWithFixedDelay(
        Timers.guarded(() -> loseDeleted(storageId, failure), e -> LOG.warn(failure, e)),
        LOSE_EVERY_MS,
        LOSE_EVERY_MS,
        TimeUnit.MILLISECONDS);
    timer.scheduleWithFixedDelay(
        Timers.guarded(
            () -> useKeptCopies(storageId),
            e -> LOG.warn("Cannot use rebuilt replicas; it is tried again", e)),
        USE_KEPT_EVERY_MS,
        USE_KEPT_EVERY_MS,
        TimeUnit.MILLISECONDS);
    return timer;
  }

  private void useKeptCopies(String storageId) {
    UpdateVolume volume = volumes.get(storageId);
    if (volume != null) {
      volume.keptCopies().use(volumes.values());
    }
  }

  private void loseDeleted(String storageId, String failure) {
    UpdateVolume volume = volumes.get(storageId);
    if (volume != null) {
      try {
        volume.loseDeleted();
      } catch (IOException e) {
        LOG.warn(failure, e);
      }
    }
  }

  @Override
  public void started(String blockPoolId) throws IOException {
    for (UpdateVolume volume : volumes.values()) {
      startOrFail(volume, blockPoolId);
    }
    new ReturnedReplicas(blockPoolId, volumes.values()).settle(volumes.values());
    replicas = new UpdateReplicas(blockPoolId, volumes.values(), givenUp);
    long periodMs = Math.max(1, node().options().snapshotAgeMs() / SWEEPS_AN_AGE);
    every(periodMs, "Cannot cut off old readers; it is tried again", StockReads::expire);
    every(
        GIVE_WAY_EVERY_MS,
        "Cannot cut off readers that changes wait for; it is tried again",
        StockReads::giveWay);
    periods =
        ReservedPeriods.start(
            volumes::values,
            node().options().reservedPeriodMs(),
            node().options().shrinkMode(),
            System.currentTimeMillis());
  }

  /** A disk that cannot be used is no reason not to use the others: HDFS says how many may fail. */
  private void startOrFail(UpdateVolume volume, String blockPoolId) throws IOException {
    try {
      start(volume, blockPoolId);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      LOG.error("Cannot start updates of storageId={}; it fails", volume.storageId(), e);
      node().dataset().declareFailed(List.of(volume.storageId()), "updates do not start: " + e);
    }
  }

  /** Something that is done again and again to the readers of a volume. */
  @FunctionalInterface
  private interface Look {
    void at(StockReads reads) throws IOException;
  }

  private void every(long periodMs, String failure, Look look) {
    sweeper.scheduleWithFixedDelay(
        Timers.guarded(() -> look(failure, look), e -> LOG.warn(failure, e)),
        periodMs,
        periodMs,
        TimeUnit.MILLISECONDS);
  }

  private void look(String failure, Look look) {
    for (UpdateVolume volume : volumes.values()) {
      try {
        look.at(volume.reads());
      } catch (IOException | RuntimeException e) {
        LOG.warn(failure, e);
      }
    }
  }

  /**
   * The node's replicas.
   *
   * @throws IOException before the DataNode has its block pool
   */
  public UpdateReplicas replicas() throws IOException {
    UpdateReplicas started = replicas;
    if (started == null) {
      throw new IOException(
          "Cannot serve updates: blockPool=none, expected a DataNode that has registered");
    }
    return started;
  }

  @Override
  public Set<String> widenFailure(Set<String> storageIds) {
    return storageIds;
  }

  @Override
  public void failed(Set<String> storageIds) {
    close(storageIds);
  }

  private void close(Set<String> storageIds) {
    Map<String, Closeable> engines = new TreeMap<>();
    for (String storageId : storageIds) {
      UpdateVolume volume = volumes.remove(storageId);
      if (volume != null) {
        Closeable retired = volume.retire();
        // Another thread may be about to start it: then it is not started, or is closed here.
        if (volume.isStarted()) {
          engines.put(storageId, retired);
        }
      }
    }
    closing.close(engines);
  }

  @Override
  public boolean toleratesVolumeFailures() {
    return false;
  }

  @Override
  public void close() {
    sweeper.shutdownNow();
    rereads.values().forEach(ScheduledExecutorService::shutdownNow);
    ReservedPeriods started = periods;
    if (started != null) {
      started.close();
    }
    close(Set.copyOf(volumes.keySet()));
  }
}
