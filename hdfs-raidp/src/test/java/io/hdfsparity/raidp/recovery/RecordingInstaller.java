/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A receiver that keeps replicas in memory. */
final class RecordingInstaller implements BlockInstaller {
  record Replica(long generationStamp, byte[] data, byte[] meta) {}

  final Map<Long, Replica> replicas = new ConcurrentHashMap<>();
  final Set<Long> refuses = ConcurrentHashMap.newKeySet();
  Runnable afterInstall = () -> {};

  @Override
  public boolean holds(long blockId, long generationStamp, long lengthBytes) {
    Replica replica = replicas.get(blockId);
    return replica != null
        && replica.generationStamp() == generationStamp
        && replica.data().length == lengthBytes;
  }

  @Override
  public void install(VerifiedBlock block, long generationStamp) throws IOException {
    if (refuses.contains(block.row().blockId())) {
      throw new IOException("no space left on the receiver");
    }
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    block.copyData(
        bytes -> {
          byte[] copy = new byte[bytes.remaining()];
          bytes.get(copy);
          data.writeBytes(copy);
        });
    replicas.put(
        block.row().blockId(),
        new Replica(generationStamp, data.toByteArray(), block.checksumFile().clone()));
    afterInstall.run();
  }
}
