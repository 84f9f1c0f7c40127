/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.File;

/** Hooks that want nothing: HDFS does as without any. Stateless. */
enum NoVolumeHooks implements VolumeHooks {
  INSTANCE;

  @Override
  public void reserve(String pool, long blockId, long maxBytes) {}

  @Override
  public void reserveFailed(String pool, long blockId) {}

  @Override
  public void finalizing(
      String pool,
      long blockId,
      long generationStamp,
      File blockFile,
      File metaFile,
      long lengthBytes) {}

  @Override
  public void reopening(String pool, long blockId, File blockFile, File metaFile, long maxBytes) {}

  @Override
  public void written(
      String pool,
      long blockId,
      long generationStamp,
      File blockFile,
      File metaFile,
      long lengthBytes) {}

  @Override
  public void truncating(
      String pool, long blockId, File blockFile, File metaFile, long newLengthBytes) {}

  @Override
  public boolean removing(String pool, File file) {
    return false;
  }

  @Override
  public void restored(String pool, File blockFile) {}

  @Override
  public Move moving(String pool, long blockId) {
    return () -> {};
  }

  @Override
  public void movingHere(String pool, long blockId) {}
}
