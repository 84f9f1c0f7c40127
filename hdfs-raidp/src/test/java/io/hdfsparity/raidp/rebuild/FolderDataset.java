/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;

/** A dataset of plain files. */
final class FolderDataset implements DatasetAccess {
  static final String POOL = "BP-1-127.0.0.1-1";
  final Map<Long, ReplicaView> replicas = new ConcurrentHashMap<>();
  final AtomicInteger installs = new AtomicInteger();
  volatile Runnable beforeInstall = () -> {};
  private final Path dir;

  FolderDataset(Path dir) {
    this.dir = dir;
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
    return replicas.get(blockId);
  }

  @Override
  public void install(
      String storageId, long blockId, long generationStamp, long lengthBytes, ReplicaSource source)
      throws IOException {
    beforeInstall.run();
    ReplicaView there = replicas.get(blockId);
    if (there != null && there.generationStamp() >= generationStamp) {
      throw new IOException("replica of block " + blockId + " already exists");
    }
    File data = dir.resolve("blk_" + blockId).toFile();
    File meta = dir.resolve("blk_" + blockId + "_" + generationStamp + ".meta").toFile();
    try (OutputStream dataOut = Files.newOutputStream(data.toPath());
        OutputStream metaOut = Files.newOutputStream(meta.toPath())) {
      source.writeTo(dataOut::write, metaOut::write);
    }
    if (data.length() != lengthBytes) {
      throw new IOException("short replica of block " + blockId);
    }
    installs.incrementAndGet();
    replicas.put(
        blockId, new ReplicaView(blockId, generationStamp, lengthBytes, "FINALIZED", data, meta));
  }

  @Override
  public boolean replaceFiles(
      String storageId,
      long blockId,
      long generationStamp,
      long lengthBytes,
      File data,
      File meta) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long availableBytes(String storageId) {
    throw new UnsupportedOperationException("not part of this test");
  }

  @Override
  public void breakHardLinks(String storageId, long blockId) {
    throw new UnsupportedOperationException("RAIDP changes no replica in place");
  }

  @Override
  public void discard(String storageId, long blockId, long generationStamp) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void findRefusedDeletes(String storageId, LongPredicate isWanted) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void reportDamaged(String storageId, long blockId) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean checkDisk(String storageId) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void checkDiskLater(String storageId) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void declareFailed(List<String> storageIds, String reason) {
    throw new UnsupportedOperationException();
  }
}
