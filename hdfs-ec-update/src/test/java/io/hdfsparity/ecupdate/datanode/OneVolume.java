/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;

/** A volume with HDFS's files, and a dataset that says what is in it. */
final class OneVolume implements DatasetAccess {
  static final String POOL = "BP-1";
  static final String STORAGE = "DS-1";
  static final long STAMP = 7;
  private final Path root;
  private final Map<Long, ReplicaView> replicas = new ConcurrentHashMap<>();

  /** Those that HDFS has deleted and forgotten, but whose files the hooks have kept. */
  private final Map<Long, ReplicaView> kept = new ConcurrentHashMap<>();

  /** Whether HDFS has a replica of a block on another disk in its map. */
  volatile LongPredicate isUsedElsewhere = blockId -> false;

  /** What HDFS would still use of the disk. */
  volatile long availableBytes = Long.MAX_VALUE;

  /** Reported to the NameNode. */
  final Set<Long> damaged = ConcurrentHashMap.newKeySet();

  /** HDFS is to delete them, but has them in its map until it does. */
  final Set<Long> discarded = ConcurrentHashMap.newKeySet();

  final AtomicInteger roomAsked = new AtomicInteger();
  final AtomicInteger diskChecks = new AtomicInteger();
  volatile boolean isDiskSound = true;

  /** Why HDFS is to take the disk out of service. */
  final List<String> failures = new CopyOnWriteArrayList<>();

  /** What others do meanwhile. */
  interface Step {
    void run() throws IOException;
  }

  /** Done before the two files of a replica are replaced, between them, and after them. */
  volatile Step whileReplacing = () -> {};

  /** Done after HDFS has looked for a replica, before the caller learns what it has found. */
  volatile Step whileLooking = () -> {};

  OneVolume(Path root) {
    this.root = root;
  }

  Path root() {
    return root;
  }

  /** A finalized replica. */
  ReplicaView add(long blockId, byte[] data) throws IOException {
    File block = place(blockId);
    Files.createDirectories(block.getParentFile().toPath());
    File meta = new File(block.getParentFile(), block.getName() + "_" + STAMP + ".meta");
    Files.write(block.toPath(), data);
    Files.write(meta.toPath(), TestReplica.meta(data));
    ReplicaView view = new ReplicaView(blockId, STAMP, data.length, "FINALIZED", block, meta);
    replicas.put(blockId, view);
    return view;
  }

  File place(long blockId) {
    File finalized = root.resolve("current/" + POOL + "/current/finalized").toFile();
    return new File(DatanodeUtil.idToBlockDir(finalized, blockId), "blk_" + blockId);
  }

  /** HDFS has found the files of a replica again. */
  void find(ReplicaView replica) {
    replicas.put(replica.blockId(), replica);
  }

  void forget(long blockId) {
    replicas.remove(blockId);
  }

  /** HDFS forgets a replica, but the hooks do not let it delete the files. */
  void keep(long blockId) {
    kept.put(blockId, replicas.remove(blockId));
  }

  boolean isUsed(long blockId) {
    return replicas.containsKey(blockId);
  }

  @Override
  public String blockPoolId() {
    return POOL;
  }

  @Override
  public List<ReplicaView> replicas(String storageId) {
    return List.copyOf(replicas.values());
  }

  @Override
  public ReplicaView replica(String storageId, long blockId) {
    ReplicaView found = replicas.get(blockId);
    try {
      whileLooking.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  @Override
  public long availableBytes(String storageId) {
    roomAsked.incrementAndGet();
    return availableBytes;
  }

  @Override
  public void breakHardLinks(String storageId, long blockId) throws IOException {
    if (!replicas.containsKey(blockId)) {
      throw new IOException("no replica " + blockId);
    }
  }

  @Override
  public void install(
      String storageId,
      long blockId,
      long generationStamp,
      long lengthBytes,
      ReplicaSource source) {
    throw new UnsupportedOperationException("not part of this test");
  }

  @Override
  public boolean replaceFiles(
      String storageId, long blockId, long generationStamp, long lengthBytes, File data, File meta)
      throws IOException {
    ReplicaView replica = replicas.get(blockId);
    if (replica == null
        || replica.generationStamp() != generationStamp
        || replica.lengthBytes() != lengthBytes) {
      return false;
    }
    whileReplacing.run();
    Files.move(data.toPath(), replica.blockFile().toPath(), StandardCopyOption.REPLACE_EXISTING);
    whileReplacing.run();
    Files.move(meta.toPath(), replica.metaFile().toPath(), StandardCopyOption.REPLACE_EXISTING);
    whileReplacing.run();
    return true;
  }

  @Override
  public void discard(String storageId, long blockId, long generationStamp) {
    discarded.add(blockId);
  }

  @Override
  public void findRefusedDeletes(String storageId, LongPredicate isWanted) {
    for (long blockId : kept.keySet()) {
      ReplicaView found = isWanted.test(blockId) ? kept.remove(blockId) : null;
      if (found == null) {
        continue;
      }
      // Of two files of a block HDFS uses the one that it knows.
      if (!isUsedElsewhere.test(blockId)) {
        replicas.put(blockId, found);
      }
    }
  }

  @Override
  public void reportDamaged(String storageId, long blockId) {
    damaged.add(blockId);
  }

  @Override
  public boolean checkDisk(String storageId) {
    diskChecks.incrementAndGet();
    return isDiskSound;
  }

  @Override
  public void checkDiskLater(String storageId) {
    throw new UnsupportedOperationException("its disk answers");
  }

  @Override
  public void declareFailed(List<String> storageIds, String reason) {
    failures.add(reason);
    isDiskSound = false;
  }
}
