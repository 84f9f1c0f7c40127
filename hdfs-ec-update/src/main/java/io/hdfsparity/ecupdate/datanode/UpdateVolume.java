/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import io.hdfsparity.bridge.datanode.VolumeHooks.Move;
import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.Refusal;
import io.hdfsparity.ecupdate.control.StorageStatus;
import io.hdfsparity.ecupdate.datanode.AdmittedReplicas.Admitted;
import io.hdfsparity.ecupdate.engine.BlockEngine;
import io.hdfsparity.ecupdate.engine.ShrinkMode;
import io.hdfsparity.ecupdate.session.SessionId;
import io.hdfsparity.ecupdate.wal.ReplicaKey;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The striped replicas of a volume: which of them may change, and the engine that changes them.
 *
 * <p>A replica is plain until an update session has it {@link #admit}ted; from then on, restarts
 * included, its bytes are the engine's. One that the engine cannot serve is withheld.
 *
 * <p>{@link #start} and {@link #close} are called by one thread; the rest is thread-safe.
 */
final class UpdateVolume implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(UpdateVolume.class);

  /** Until a copy that is being made has ended, when the volume is closed. */
  private static final long COPY_WAIT_MS = 2000;

  private final String storageId;
  private final Path root;
  private final DatasetAccess dataset;
  private final StorageOptions options;
  private final AdmittedReplicas replicas;
  private final ReplicaUses uses;
  private final StockReads reads;

  /** One replica after the other gets files of its own. Taken before any other lock. */
  private final ReentrantLock detaching = new ReentrantLock();

  /** Guards changes of what is admitted; taken before any lock of the engine. */
  private final ReentrantLock admission = new ReentrantLock();

  /** Admitted, and not read by a decoder any more as they were before. */
  private final Set<Long> writable = ConcurrentHashMap.newKeySet();

  /** On the way to another volume. Guarded by {@link #admission}. */
  private final Set<Long> moving = new HashSet<>();

  private final LongAdder movesRefused;

  private volatile @Nullable UpdateDirectory directory;
  private volatile @Nullable StorageEngine engine;
  private volatile @Nullable IoTrace trace;
  private volatile String blockPool = "";
  private volatile String refusal = "its engine has not been opened yet";

  UpdateVolume(
      String storageId, Path root, DatasetAccess dataset, StorageOptions options, Clock clock) {
    this(storageId, root, dataset, options, clock, new LongAdder());
  }

  /**
   * Of a DataNode.
   *
   * @param movesRefused counts replicas that were not moved to another volume
   */
  UpdateVolume(
      String storageId,
      Path root,
      DatasetAccess dataset,
      StorageOptions options,
      Clock clock,
      LongAdder movesRefused) {
    this.movesRefused = movesRefused;
    this.storageId = storageId;
    this.root = root;
    this.dataset = dataset;
    this.options = options;
    replicas = new AdmittedReplicas(storageId);
    uses = new ReplicaUses(clock, options);
    reads = new StockReads(replicas, uses, this::running, options, clock);
  }

  String storageId() {
    return storageId;
  }

  StockReads reads() {
    return reads;
  }

  // ---- start and end ----

  /**
   * Recovers what was admitted, before the NameNode hears of any replica. A storage whose engine
   * cannot be opened keeps serving what was never admitted.
   */
  void start(String pool) throws IOException {
    blockPool = pool;
    if (!options.ioTrace().isEmpty()) {
      trace = IoTrace.open(Path.of(options.ioTrace()), storageId);
      replicas.trace(trace);
    }
    UpdateDirectory here = UpdateDirectory.open(root, pool);
    directory = here;
    here.deleteCopies();
    UpdateDirectory.Found descriptors = here.admitted();
    UpdateDirectory.Found deleting = here.removed();
    for (Map.Entry<Long, ReplicaDescriptor> each : deleting.descriptors().entrySet()) {
      startRemoved(here, each.getKey(), each.getValue());
    }
    deleting.damaged().forEach(replicas::withhold);
    for (Map.Entry<Long, ReplicaDescriptor> each : descriptors.descriptors().entrySet()) {
      startAdmitted(here, each.getKey(), each.getValue());
    }
    descriptors.damaged().forEach(replicas::withhold);
    uses.start(here, replicas.all());
    startEngine(here, descriptors.isEmpty() && deleting.isEmpty());
    for (Long id : replicas.all()) {
      check(id);
    }
    reads.start(pool);
  }

  private void startRemoved(UpdateDirectory here, long id, ReplicaDescriptor descriptor)
      throws IOException {
    if (dataset.replica(storageId, id) == null) {
      here.forgetRemoved(id);
      return;
    }
    replicas.remove(id, descriptor);
    LOG.error(
        "Replica is kept out of block reports and reads, for its deletion was cut short; delete its"
            + " files: storageId={} block={}",
        storageId,
        id);
  }

  private void startAdmitted(UpdateDirectory here, long id, ReplicaDescriptor descriptor)
      throws IOException {
    ReplicaView replica = dataset.replica(storageId, id);
    if (replica == null) {
      // All of the volume's replicas were looked at just now.
      LOG.warn("Replica with updates is gone: storageId={} block={}", storageId, id);
      here.forget(id);
      return;
    }
    replicas.put(id, descriptor, files(here, replica.blockFile(), replica.metaFile(), id));
    try {
      requireAsDescribed(replica, descriptor);
      dataset.breakHardLinks(storageId, id);
    } catch (IOException e) {
      replicas.withhold(id, e);
    }
  }

  private static LocalReplicaFiles files(
      UpdateDirectory here, File block, File meta, long blockId) {
    return new LocalReplicaFiles(
        block.toPath(), meta.toPath(), here.state(blockId), here.reservedSpace(blockId));
  }

  private void startEngine(UpdateDirectory here, boolean isFirst) throws IOException {
    try {
      engine =
          StorageEngine.open(
              here.log(), storageId, options, isFirst, replicas, trace, this::failed);
      refusal = "";
    } catch (IOException e) {
      refusal = e.toString();
      LOG.error(
          "Cannot open the engine of storageId={}; its replicas that may have changes are withheld",
          storageId,
          e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Withholds a replica that cannot be read. */
  private void check(long id) throws IOException {
    try {
      replicas.requireUsable(id);
      running().openReader(key(id)).close();
      writable.add(id);
    } catch (IOException e) {
      replicas.withhold(id, e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private void failed(IOException e) {
    LOG.error(
        "Updates of storageId={} have stopped, and reads of replicas that were updated; restart the"
            + " DataNode when the disk works",
        storageId,
        e);
  }

  private static InterruptedIOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    InterruptedIOException failure = new InterruptedIOException("Cannot start: interrupted");
    failure.initCause(e);
    return failure;
  }

  @Override
  public void close() throws IOException {
    StorageEngine open = engine;
    engine = null;
    refusal = "it is out of service";
    awaitCopy();
    IoTrace traced = trace;
    try (traced) {
      if (open != null) {
        open.close();
      }
    }
  }

  /** A copy that is being made ends at its next step, and installs nothing. */
  private void awaitCopy() {
    try {
      if (detaching.tryLock(COPY_WAIT_MS, TimeUnit.MILLISECONDS)) {
        detaching.unlock();
      } else {
        LOG.warn("The disk of storageId={} is slow: a copy is still being made", storageId);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ReplicaKey key(long blockId) {
    return new ReplicaKey(blockPool, blockId);
  }

  private UpdateDirectory here() throws IOException {
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

  private IOException outOfService() {
    return new IOException(
        Refusal.to("serve updates")
            .value("storageId", storageId)
            .expected("a storage in service: " + refusal)
            .message());
  }

  /** Block pools of which it has files of the feature, and replicas. */
  Set<String> pools() throws IOException {
    return UpdateDirectory.pools(root);
  }

  /** Those that were admitted and are not withheld. */
  Set<Long> admitted() {
    Set<Long> all = new TreeSet<>(replicas.all());
    all.removeAll(replicas.withheld());
    return all;
  }

  /**
   * How the storage is.
   *
   * @param isListed which of its replicas are wanted one by one
   */
  StorageStatus status(LongPredicate isListed) {
    return StorageReports.report(
        blockPool, replicas, uses, engine == null ? refusal : "", engine, isListed);
  }

  // ---- admission ----

  /** Whether its files are its own, or not to be used. */
  boolean isAdmitted(long blockId) {
    return replicas.knows(blockId);
  }

  boolean holds(long blockId) {
    return replicas.knows(blockId) || dataset.replica(storageId, blockId) != null;
  }

  /** As {@link #admit(long, ReplicaDescriptor, SessionId)}, for somebody who never leaves. */
  void admit(long blockId, ReplicaDescriptor descriptor) throws IOException {
    admit(blockId, descriptor, ReplicaUse.UNKNOWN);
  }

  /**
   * Lets a session update a replica: durable on return. Idempotent; the scheme counts the first
   * time. Until it {@link #leave leaves}, nobody decodes the replica.
   *
   * @throws IOException if it is not as described, is withheld or has been copied, or stock
   *     decoders may still have bytes of it as it was before; then it may be tried again later
   */
  void admit(long blockId, ReplicaDescriptor descriptor, SessionId session) throws IOException {
    if (replicas.knows(blockId)) {
      admitDetached(blockId, descriptor, session);
      return;
    }
    detaching.lock();
    try {
      if (!replicas.knows(blockId)) {
        reads.beginDetaching(blockId);
        detach(blockId, descriptor);
      }
      admitDetached(blockId, descriptor, session);
    } finally {
      reads.endDetaching(blockId);
      detaching.unlock();
    }
  }

  /**
   * Stock streams may have sent pages of a replica's files by reference: what will be changed are
   * copies of them.
   */
  private void detach(long blockId, ReplicaDescriptor descriptor) throws IOException {
    running();
    uses.requireFirst(blockId);
    ReplicaView replica = dataset.replica(storageId, blockId);
    requireAsDescribed(replica, descriptor);
    if (replica != null) {
      requireChunks(replica, descriptor);
      try (FreshFiles copies = FreshFiles.copy(here(), replica, this::requireRoom)) {
        running();
        copies.install(dataset, storageId);
      }
    }
  }

  /** Refuses to go on with a copy that HDFS has no room for, or that nobody wants any more. */
  private void requireRoom(long bytes) throws IOException {
    running();
    long availableBytes = dataset.availableBytes(storageId);
    if (availableBytes < bytes) {
      throw new IOException(
          Refusal.to("copy a replica")
              .value("availableBytes", availableBytes)
              .expected(">= " + bytes + ", beside what dfs.datanode.du.reserved keeps free")
              .where("storageId", storageId)
              .message());
    }
  }

  private void admitDetached(long blockId, ReplicaDescriptor descriptor, SessionId session)
      throws IOException {
    admission.lock();
    try {
      replicas.requireUsable(blockId);
      if (moving.contains(blockId)) {
        throw new IOException(
            Refusal.to("update a replica")
                .value("is being moved to another disk", true)
                .expected("false; try again")
                .where("block", blockId)
                .message());
      }
      ReplicaView replica = dataset.replica(storageId, blockId);
      requireAsDescribed(replica, descriptor);
      Admitted known = replicas.find(blockId);
      if (known == null && replica != null) {
        known = admitFirst(blockId, descriptor, replica);
      }
      if (known == null
          || !known.descriptor().equals(descriptor.withScheme(known.descriptor().scheme()))) {
        throw new IOException(
            Refusal.to("update a replica")
                .value("descriptor", descriptor)
                .expected("that of its first session, " + known)
                .where("block", blockId)
                .message());
      }
      enter(blockId, known, session);
      writable.add(blockId);
    } finally {
      admission.unlock();
    }
  }

  private void enter(long blockId, Admitted replica, SessionId session) throws IOException {
    uses.keepCopyAgain(blockId);
    uses.beginEntering(blockId);
    try {
      reads.takeOver(blockId, replica);
      reads.requireQuiet(blockId, replica.descriptor());
      uses.enter(blockId, session);
    } finally {
      uses.endEntering(blockId);
    }
  }

  /** All that a session has changed in the group of a replica has ended: durable on return. */
  void leave(long blockId, SessionId session) throws IOException {
    uses.leave(blockId, session);
  }

  /** Sessions that may have left something unfinished in the group of an admitted replica. */
  Set<SessionId> noted(long blockId) throws IOException {
    return uses.noted(blockId);
  }

  /** As if sessions that are over had left: durable on return. */
  void crossOut(long blockId, Set<SessionId> sessions) throws IOException {
    uses.crossOut(blockId, sessions);
  }

  private Admitted admitFirst(long blockId, ReplicaDescriptor descriptor, ReplicaView replica)
      throws IOException {
    running();
    LocalReplicaFiles files = requireChunks(replica, descriptor);
    // Of an earlier replica with that name.
    here().deleteState(blockId);
    uses.first(blockId);
    here().admit(blockId, descriptor);
    reads.admit(blockId, descriptor, files);
    return new Admitted(descriptor, files);
  }

  private LocalReplicaFiles requireChunks(ReplicaView replica, ReplicaDescriptor descriptor)
      throws IOException {
    LocalReplicaFiles files =
        files(here(), replica.blockFile(), replica.metaFile(), replica.blockId());
    int chunkBytes = FileReplicaStore.open(files, descriptor).layout().chunkBytes();
    int logChunkBytes = options.engine().log().chunkBytes();
    if (chunkBytes != logChunkBytes) {
      throw new IOException(
          Refusal.to("update a replica")
              .value("chunkBytes", chunkBytes)
              .expected("dfs.bytes-per-checksum=" + logChunkBytes + " of the DataNode")
              .file(files.checksums())
              .message());
    }
    return files;
  }

  private static void requireAsDescribed(
      @Nullable ReplicaView replica, ReplicaDescriptor descriptor) throws IOException {
    if (replica == null
        || !replica.state().equals("FINALIZED")
        || replica.generationStamp() != descriptor.generationStamp()
        || replica.lengthBytes() != descriptor.lengthBytes()) {
      throw new IOException(
          Refusal.to("update a replica")
              .value("replica", replica)
              .expected(
                  "a finalized one with generationStamp="
                      + descriptor.generationStamp()
                      + " and lengthBytes="
                      + descriptor.lengthBytes())
              .message());
    }
  }

  /**
   * The engine, for requests about a replica.
   *
   * @throws IOException unless the replica has been admitted
   */
  BlockEngine engineOf(long blockId) throws IOException {
    if (!writable.contains(blockId)) {
      throw new IOException(
          Refusal.to("update a replica")
              .value("block", blockId)
              .expected("one that an update session has had admitted on this DataNode")
              .where("storageId", storageId)
              .message());
    }
    return running();
  }

  /**
   * Ends a period of Algorithm 1 for all parity replicas. One that cannot be looked after is left
   * as it is, and said.
   *
   * @param goesOn asked before each
   */
  void endPeriod(ShrinkMode mode, BooleanSupplier goesOn) {
    for (long blockId : admitted()) {
      Admitted replica = replicas.find(blockId);
      if (replica == null || !replica.descriptor().isParity() || !goesOn.getAsBoolean()) {
        continue;
      }
      try {
        engineOf(blockId).endPeriod(key(blockId), mode);
      } catch (IOException e) {
        LOG.warn(
            "Cannot fit reserved space to its use: storageId={} block={}", storageId, blockId, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  // ---- the replica's life ----

  /**
   * A copy arrives under the name of a replica that had updates: its bytes are not known to be
   * those of the group, and it counts as AJX's INIT before anybody sees it.
   */
  void arriving(long blockId, long generationStamp, File block, File meta, long lengthBytes)
      throws IOException {
    admission.lock();
    try {
      ReplicaDescriptor before = replicas.latest(blockId);
      if (before == null && !replicas.knows(blockId)) {
        return;
      }
      if (before == null || before.lengthBytes() != lengthBytes) {
        throw replicas.refusal(blockId, "a copy with lengthBytes=" + lengthBytes + " has arrived");
      }
      writable.remove(blockId);
      ReplicaDescriptor descriptor = before.withGenerationStamp(generationStamp);
      File home = finalPlace(blockId, block.getName());
      Files.deleteIfExists(here().reservedSpace(blockId));
      uses.arrived(blockId);
      here().admit(blockId, descriptor);
      reads.admit(blockId, descriptor, files(here(), block, meta, blockId));
      running().arrived(key(blockId));
      File homeMeta = new File(home.getParentFile(), meta.getName());
      reads.admit(blockId, descriptor, files(here(), home, homeMeta, blockId));
      here().forgetRemoved(blockId);
    } finally {
      admission.unlock();
    }
  }

  /**
   * A copy that another DataNode has sent arrives: moved, or rebuilt. What it was made from, or
   * what was lost, may come back, and nobody could tell the two: its group takes no updates.
   * Durable on return.
   */
  void copyArrived(long blockId) throws IOException {
    uses.keepCopied(blockId);
  }

  private File finalPlace(long blockId, String name) {
    Path finalized = root.resolve("current").resolve(blockPool).resolve("current/finalized");
    return new File(DatanodeUtil.idToBlockDir(finalized.toFile(), blockId), name);
  }

  /**
   * A replica is about to be moved to another volume: it is not admitted until that is over.
   *
   * @throws IOException if it is admitted, for its changes and its reserved space lie here
   */
  Move beginMove(long blockId) throws IOException {
    admission.lock();
    try {
      if (replicas.knows(blockId) || !moving.add(blockId)) {
        movesRefused.increment();
        throw new IOException(
            Refusal.to("move a replica to another disk")
                .value("block", blockId)
                .expected("one that is not updated in place; it stays where it is")
                .where("storageId", storageId)
                .message());
      }
      return () -> endMove(blockId);
    } finally {
      admission.unlock();
    }
  }

  private void endMove(long blockId) {
    admission.lock();
    try {
      moving.remove(blockId);
    } finally {
      admission.unlock();
    }
  }

  /** Refuses what would change the files of a replica behind the engine's back. */
  void refuseIfAdmitted(String doing, long blockId) throws IOException {
    if (replicas.knows(blockId)) {
      throw new IOException(
          Refusal.to(doing)
              .value("block", blockId)
              .expected("no replica that is updated in place")
              .where("storageId", storageId)
              .message());
    }
  }

  /** The block file of a replica is about to be deleted. */
  void deleting(long blockId) throws IOException {
    admission.lock();
    try {
      Admitted replica = replicas.find(blockId);
      if (replica == null) {
        if (!replicas.knows(blockId)) {
          uses.deleting(blockId);
        }
        return;
      }
      writable.remove(blockId);
      // Should the block file outlive a crash from here on, it does not count.
      here().remove(blockId);
      replicas.remove(blockId, replica.descriptor());
      uses.drop(blockId);
      StorageEngine open = engine;
      if (open != null) {
        open.engine().dropped(key(blockId));
      }
      here().deleteState(blockId);
    } finally {
      admission.unlock();
    }
  }

  /** The files of a replica are gone, but perhaps for its checksums. */
  void deleted(long blockId) throws IOException {
    admission.lock();
    try {
      if (replicas.isRemoved(blockId)
          && !finalPlace(blockId, Block.BLOCK_FILE_PREFIX + blockId).exists()) {
        here().forgetRemoved(blockId);
        replicas.forget(blockId);
      }
    } finally {
      admission.unlock();
    }
  }

  /** A block file is gone behind HDFS's back. */
  void lost(long blockId) throws IOException {
    deleting(blockId);
    deleted(blockId);
  }

  /**
   * A block file has come back.
   *
   * @throws IOException unless it is still what its descriptor says
   */
  void restored(long blockId, File block) throws IOException {
    replicas.requireUsable(blockId);
    Admitted replica = replicas.find(blockId);
    if (replica != null && block.length() != replica.descriptor().lengthBytes()) {
      throw replicas.refusal(blockId, "its file has lengthBytes=" + block.length());
    }
  }
}
