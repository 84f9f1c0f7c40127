/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.datanode.ReadCaller;
import io.hdfsparity.bridge.datanode.ReplicaSnapshot;
import io.hdfsparity.bridge.datanode.SnapshotReads;
import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.datanode.AdmittedReplicas.Admitted;
import io.hdfsparity.ecupdate.storage.BlockEngine;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.jspecify.annotations.Nullable;

/**
 * What stock readers get of a volume's striped replicas: the files of one that was never admitted
 * to updates, a pinned version of one that was. Where units that are read one after the other may
 * be combined, as a decoder does, one that was admitted is refused unless it is quiescent: nothing
 * would notice that they do not fit together. Thread-safe.
 */
final class StockReads implements SnapshotReads {
  private static final String REASON =
      "the block group is updated in place, or a session has left it unfinished, or not long ago,"
          + " and units of it that are read one after the other need not fit together; read healthy"
          + " data blocks, or through the updater's client, or later";

  /** The engine, while it is in service. */
  @FunctionalInterface
  interface Engine {
    BlockEngine running() throws IOException;
  }

  private final AdmittedReplicas replicas;
  private final Engine engine;
  private final StorageOptions options;
  private final SnapshotTable snapshots;
  private final ReplicaUses uses;

  /** Replicas about to be admitted, whose files are their own. Guarded by {@link #snapshots}. */
  private final Set<Long> detached = new HashSet<>();

  private volatile String blockPool = "";

  StockReads(
      AdmittedReplicas replicas,
      ReplicaUses uses,
      Engine engine,
      StorageOptions options,
      Clock clock) {
    this.uses = uses;
    this.replicas = replicas;
    this.engine = engine;
    this.options = options;
    snapshots = new SnapshotTable(clock, options.quietMs());
  }

  /** What is admitted is known now. */
  void start(String pool) {
    blockPool = pool;
  }

  @Override
  public boolean takes(long blockId) {
    return BlockType.fromBlockId(blockId) == BlockType.STRIPED;
  }

  @Override
  public boolean isPinned(long blockId) {
    return replicas.knows(blockId);
  }

  @Override
  public Set<Long> withheld() {
    return replicas.withheld();
  }

  @Override
  public ReplicaSnapshot open(Request request) throws IOException {
    if (!request.blockPoolId().equals(blockPool)) {
      throw new RefusedReadException(
          ErrorMessage.to("read replica")
              .value("blockPoolId", request.blockPoolId())
              .expected("that of a dataset in service, \"" + blockPool + "\"")
              .message());
    }
    try {
      replicas.requireUsable(request.blockId());
      Snapshot plain = plainOrNone(request);
      if (plain != null) {
        return noted(plain);
      }
      Admitted replica = replicas.find(request.blockId());
      if (replica == null) {
        throw replicas.refusal(request.blockId(), "it is being deleted");
      }
      if (request.caller() == ReadCaller.VERIFIER) {
        throw notVerified(request);
      }
      if (mayDecode(request.caller(), replica.descriptor())) {
        return atRest(request, replica);
      }
      ChunkSums sums = replicas.sums(request.blockId(), replica);
      return snapshots.add(request, sums.metaBytes(), pinned(request.blockId(), replica));
    } catch (RefusedReadException | ChecksumException e) {
      throw e;
    } catch (IOException e) {
      throw new RefusedReadException(String.valueOf(e.getMessage()), e);
    }
  }

  /** For a reader that may decode. */
  private Snapshot atRest(Request request, Admitted replica) throws IOException {
    long blockId = request.blockId();
    if (request.caller() == ReadCaller.UNKNOWN) {
      throw unknown(request);
    }
    OptionalLong before = uses.atRest(blockId);
    if (before.isEmpty() || !isClean(blockId)) {
      throw refused(request);
    }
    ChunkSums sums = replicas.sums(blockId, replica);
    PinnedSource source = pinned(blockId, replica);
    AtomicReference<Snapshot> added = new AtomicReference<>();
    boolean isIn =
        uses.read(
            blockId,
            before.getAsLong(),
            mayCopy(request.caller()),
            () -> added.set(snapshots.add(request, sums.metaBytes(), source)));
    Snapshot snapshot = added.get();
    if (!isIn || snapshot == null) {
      source.close();
      throw refused(request);
    }
    return noted(snapshot);
  }

  /** What is read to be rebuilt from or copied is noted before anybody gets a byte. */
  private Snapshot noted(Snapshot reader) throws IOException {
    if (!mayCopy(reader.caller())) {
      return reader;
    }
    boolean isKept = false;
    try {
      uses.keepCopied(reader.blockId());
      isKept = true;
      return reader;
    } finally {
      if (!isKept) {
        reader.close();
      }
    }
  }

  private static RefusedReadException unknown(Request request) {
    return new RefusedReadException(
        ErrorMessage.to("read replica")
            .value("caller", request.caller())
            .expected(
                "a client, a DataNode or the volume scanner: it belongs to a block group that was"
                    + " updated in place")
            .where("block", request.blockId())
            .message());
  }

  /** Parity that a client has written is verified; what updates make of it is theirs. */
  private static RefusedReadException notVerified(Request request) {
    return new RefusedReadException(
        ErrorMessage.to("verify replica")
            .value("block", request.blockId())
            .expected("one that no updater has taken, and " + UPDATED)
            .message());
  }

  private static RefusedReadException refused(Request request) {
    return new RefusedReadException(
        ErrorMessage.to("read replica")
            .value("block", request.blockId())
            .expected("a read of data by a client: " + REASON)
            .where("caller", request.caller())
            .message());
  }

  /** What the protocol knows: a second look, for sessions have said that they have finished. */
  private boolean isClean(long blockId) throws IOException {
    try {
      return engine.running().isClean(new ReplicaKey(blockPool, blockId));
    } catch (InterruptedException e) {
      throw interrupted(blockId, e);
    }
  }

  private static InterruptedIOException interrupted(long blockId, InterruptedException e) {
    Thread.currentThread().interrupt();
    InterruptedIOException failure =
        new InterruptedIOException("Cannot read replica: interrupted, block=" + blockId);
    failure.initCause(e);
    return failure;
  }

  /** Null if it is admitted. */
  private @Nullable Snapshot plainOrNone(Request request) throws IOException {
    synchronized (snapshots) {
      if (replicas.find(request.blockId()) != null) {
        return null;
      }
      // It may have been removed since the caller has looked.
      replicas.requireUsable(request.blockId());
      return plain(request);
    }
  }

  private Snapshot plain(Request request) throws IOException {
    FileSource files =
        FileSource.open(
            request.blockFile().toPath(),
            request.metaFile().toPath(),
            !detached.contains(request.blockId()));
    return snapshots.add(request, files.metaBytes(), files);
  }

  /** Whether what is read may be combined with other units that are read at another time. */
  private static boolean mayDecode(ReadCaller caller, ReplicaDescriptor descriptor) {
    return switch (caller) {
      case SCANNER -> false;
      case CLIENT, CHECKSUM -> descriptor.isParity();
      case RECONSTRUCTION, DATANODE, VERIFIER, UNKNOWN -> true;
    };
  }

  /** Whether another replica may be made of what is read. */
  private static boolean mayCopy(ReadCaller caller) {
    return switch (caller) {
      case CLIENT, CHECKSUM, SCANNER, VERIFIER -> false;
      case RECONSTRUCTION, DATANODE, UNKNOWN -> true;
    };
  }

  private PinnedSource pinned(long blockId, Admitted replica) throws IOException {
    long lengthBytes = Files.size(replica.files().block());
    if (lengthBytes != replica.descriptor().lengthBytes()) {
      throw replicas.damaged(
          blockId,
          new ChecksumException(
              ErrorMessage.to("read replica")
                  .value("lengthBytes", lengthBytes)
                  .expected(replica.descriptor().lengthBytes())
                  .file(replica.files().block())
                  .message(),
              lengthBytes));
    }
    ChunkSums sums = replicas.sums(blockId, replica);
    try {
      return new PinnedSource(
          engine.running().openReader(new ReplicaKey(blockPool, blockId)),
          sums,
          replica.descriptor().lengthBytes());
    } catch (InterruptedException e) {
      throw interrupted(blockId, e);
    }
  }

  /**
   * The files of a replica that is not admitted are about to be exchanged for copies, which may
   * change: whoever has opened it before keeps the old ones, which do not; whoever opens it from
   * now on can continue from a pinned version.
   */
  void beginDetaching(long blockId) {
    synchronized (snapshots) {
      detached.add(blockId);
    }
  }

  /** It has been admitted, or will not be. */
  void endDetaching(long blockId) {
    synchronized (snapshots) {
      detached.remove(blockId);
    }
  }

  /** Admits a replica: whoever opens it from now on gets a pinned version. */
  void admit(long blockId, ReplicaDescriptor descriptor, LocalReplicaFiles files) {
    synchronized (snapshots) {
      replicas.put(blockId, descriptor, files);
    }
  }

  /**
   * Readers of the files of a replica that was admitted continue from those, if they are not the
   * ones that change, or from the engine, or are cut off.
   */
  void takeOver(long blockId, Admitted replica) throws IOException {
    for (Snapshot reader : snapshots.of(blockId)) {
      if (mayDecode(reader.caller(), replica.descriptor())) {
        reader.cutOff("Cannot read replica: block=" + blockId + ", expected none: " + REASON);
        snapshots.cutOff(reader);
      } else {
        if (reader.isPlain()) {
          snapshots.renew(reader);
        }
        if (!reader.isKept()) {
          reader.goOnFrom(pinned(blockId, replica));
        }
      }
    }
  }

  /**
   * Refuses updates while what was read of a replica before it was admitted may still be decoded
   * together with other units.
   */
  void requireQuiet(long blockId, ReplicaDescriptor descriptor) throws IOException {
    long leftMs = snapshots.untilQuietMs(blockId, descriptor.isParity());
    if (leftMs > 0) {
      throw new IOException(
          ErrorMessage.to("update a replica")
              .value("leftMs", leftMs)
              .expected(
                  "no stock decoder to have read it for "
                      + StorageKey.QUIET.key()
                      + "="
                      + options.quietMs()
                      + "ms; try again")
              .where("block", blockId)
              .message());
    }
  }

  /** Cuts off readers that have been at it too long: changes wait for them. */
  void expire() throws IOException {
    for (Snapshot reader : snapshots.olderThan(options.snapshotAgeMs())) {
      if (reader.isPlain() && replicas.find(reader.blockId()) == null) {
        continue; // nothing waits for it
      }
      cutOff(reader, StorageKey.SNAPSHOT_AGE, options.snapshotAgeMs());
    }
  }

  /**
   * Cuts off readers that keep changes back while others wait for their room: those that have had
   * some time, and the scanner's, which come again by themselves and take minutes for a replica. To
   * be called every few moments; what fits into the file once nobody keeps it back goes there soon.
   */
  void giveWay() throws IOException {
    for (ReplicaKey key : heldBack()) {
      for (Snapshot reader : snapshots.of(key.blockId())) {
        if (reader.isPinned() && mustGiveWay(reader)) {
          cutOff(reader, StorageKey.SNAPSHOT_FULL_AGE, options.snapshotFullAgeMs());
        }
      }
    }
  }

  private Set<ReplicaKey> heldBack() {
    try {
      return engine.running().heldBack();
    } catch (IOException e) {
      return Set.of(); // nobody waits for an engine that is out of service
    }
  }

  private boolean mustGiveWay(Snapshot reader) {
    return reader.caller() == ReadCaller.SCANNER
        || snapshots.ageMs(reader) >= options.snapshotFullAgeMs();
  }

  private void cutOff(Snapshot reader, StorageKey limit, long limitMs) throws IOException {
    reader.cutOff(
        "Cannot read replica: block="
            + reader.blockId()
            + " "
            + limit.key()
            + "="
            + limitMs
            + "ms, expected a shorter read, since changes wait for it; open it again");
    snapshots.drop(reader);
  }
}
