/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.LongPredicate;

/** A dataset that takes the files of its frames for what they are; it knows no lengths. */
final class SimDataset implements DatasetAccess {
  private final List<SimFrame> sims;

  SimDataset(List<SimFrame> sims) {
    this.sims = sims;
  }

  private SimFrame sim(String storageId) {
    return sims.stream()
        .filter(each -> each.hooks().frame().storageId().equals(storageId))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public boolean replaceFiles(
      String storageId, long blockId, long generationStamp, long lengthBytes, File data, File meta)
      throws IOException {
    Path home =
        sim(storageId)
            .hooks()
            .frame()
            .directory()
            .finalizedDirectory(SimFrame.POOL, blockId)
            .resolve("blk_" + blockId);
    Files.move(data.toPath(), home, StandardCopyOption.REPLACE_EXISTING);
    Files.move(
        meta.toPath(),
        home.resolveSibling(home.getFileName() + "_" + generationStamp + ".meta"),
        StandardCopyOption.REPLACE_EXISTING);
    return true;
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
  public void discard(String storageId, long blockId, long generationStamp) throws IOException {
    sim(storageId).delete(blockId);
  }

  @Override
  public String blockPoolId() {
    return SimFrame.POOL;
  }

  @Override
  public List<ReplicaView> replicas(String storageId) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ReplicaView replica(String storageId, long blockId) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void install(
      String storageId,
      long blockId,
      long generationStamp,
      long lengthBytes,
      ReplicaSource source) {
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
