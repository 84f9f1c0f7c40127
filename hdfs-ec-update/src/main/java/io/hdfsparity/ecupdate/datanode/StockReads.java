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
import io.hdfsparity.core.check.Refusal;
import io.hdfsparity.ecupdate.datanode.AdmittedReplicas.Admitted;
import io.hdfsparity.ecupdate.engine.BlockEngine;
import io.hdfsparity.ecupdate.wal.ReplicaKey;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.BlockType;

/**
 * What stock readers get of a volume's striped replicas: the files of one that was never admitted
 * to updates, a pinned version of one that was. Where units that are read one after the other may
 * be combined, as a decoder does, one that was admitted is refused: nothing would notice that they
 * do not fit together. Thread-safe.
 */
final class StockReads implements SnapshotReads {
  private static final String REASON =
      "the block group is updated in place, and units of it that are read one after the other need"
          + " not fit together; read healthy data blocks, or through the updater's client";

  /** The engine, while it is in service. */
  @FunctionalInterface
  interface Engine {
    BlockEngine running() throws IOException;
  }

  private final AdmittedReplicas replicas;
  private final Engine engine;
  private final StorageOptions options;
  private final SnapshotTable snapshots;
  private volatile String blockPool = "";

  StockReads(AdmittedReplicas replicas, Engine engine, StorageOptions options, Clock clock) {
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
          Refusal.to("read replica")
              .value("blockPoolId", request.blockPoolId())
              .expected("that of a dataset in service, \"" + blockPool + "\"")
              .message());
    }
    try {
      replicas.requireUsable(request.blockId());
      Admitted replica;
      synchronized (snapshots) {
        replica = replicas.find(request.blockId());
        if (replica == null) {
          return plain(request);
        }
      }
      if (mayDecode(request.caller(), replica.descriptor())) {
        throw new RefusedReadException(
            Refusal.to("read replica")
                .value("block", request.blockId())
                .expected("a read of data by a client: " + REASON)
                .where("caller", request.caller())
                .message());
      }
      ChunkSums sums = replicas.sums(request.blockId(), replica);
      return snapshots.add(request, sums.metaBytes(), pinned(request.blockId(), replica));
    } catch (RefusedReadException e) {
      throw e;
    } catch (IOException e) {
      throw new RefusedReadException(String.valueOf(e.getMessage()), e);
    }
  }

  private Snapshot plain(Request request) throws IOException {
    FileSource files = FileSource.open(request.blockFile().toPath(), request.metaFile().toPath());
    return snapshots.add(request, files.metaBytes(), files);
  }

  /** Whether what is read may be combined with other units that are read at another time. */
  private static boolean mayDecode(ReadCaller caller, ReplicaDescriptor descriptor) {
    return switch (caller) {
      case SCANNER -> false;
      case CLIENT, CHECKSUM -> descriptor.isParity();
      case DATANODE, UNKNOWN -> true;
    };
  }

  private PinnedSource pinned(long blockId, Admitted replica) throws IOException {
    ChunkSums sums = replicas.sums(blockId, replica);
    try {
      return new PinnedSource(
          engine.running().openReader(new ReplicaKey(blockPool, blockId)),
          sums,
          replica.descriptor().lengthBytes());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException failure =
          new InterruptedIOException("Cannot read replica: interrupted, block=" + blockId);
      failure.initCause(e);
      throw failure;
    }
  }

  /** Admits a replica: whoever opens it from now on gets a pinned version. */
  void admit(long blockId, ReplicaDescriptor descriptor, LocalReplicaFiles files) {
    synchronized (snapshots) {
      replicas.put(blockId, descriptor, files);
    }
  }

  /** Readers of the files of a replica that was admitted go on from the engine, or are cut off. */
  void takeOver(long blockId, Admitted replica) throws IOException {
    for (Snapshot reader : snapshots.of(blockId)) {
      if (mayDecode(reader.caller(), replica.descriptor())) {
        reader.cutOff("Cannot read replica: block=" + blockId + ", expected none: " + REASON);
        snapshots.cutOff(reader);
      } else if (!reader.isPinned()) {
        reader.goOnFrom(pinned(blockId, replica));
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
          Refusal.to("update a replica")
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
      reader.cutOff(
          "Cannot read replica: block="
              + reader.blockId()
              + " "
              + StorageKey.SNAPSHOT_AGE.key()
              + "="
              + options.snapshotAgeMs()
              + "ms, expected a shorter read, since changes wait for it; open it again");
      reader.close();
    }
  }
}
