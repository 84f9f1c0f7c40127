/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import java.util.concurrent.atomic.AtomicLong;

/** Adds up what it is told. */
final class CountingListener implements DecodeListener {
  final AtomicLong blocks = new AtomicLong();
  final AtomicLong total = new AtomicLong();
  final AtomicLong decoded = new AtomicLong();
  final AtomicLong done = new AtomicLong();
  final AtomicLong failed = new AtomicLong();

  @Override
  public void planned(int blockCount, long bytes) {
    blocks.set(blockCount);
    total.set(bytes);
  }

  @Override
  public void decoded(long bytes) {
    decoded.addAndGet(bytes);
  }

  @Override
  public void blockDone(long blockId, long lengthBytes) {
    done.incrementAndGet();
  }

  @Override
  public void blockFailed(DecodeReport.Failure failure) {
    failed.incrementAndGet();
  }
}
