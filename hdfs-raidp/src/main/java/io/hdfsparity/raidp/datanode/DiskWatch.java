/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.store.SystemErrors;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the disks of a node again and again, and decides which are broken: at once if the disk
 * itself fails ({@link DiskHealth#check}). A shortage, as of file descriptors, hits all disks at
 * the same time and says nothing of any. Any other failure counts when it has lasted for {@value
 * #MAX_UNCHECKED_MS} ms.
 *
 * <p>Used by one thread.
 */
final class DiskWatch {
  private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);

  /** How long a disk stays in service that cannot be looked at, without a shortage. */
  static final long MAX_UNCHECKED_MS = 60_000;

  private final Map<String, Unchecked> unchecked = new HashMap<>();

  /** Since when, by the disk's clock, a disk could not be looked at. */
  private record Unchecked(boolean isShortage, long sinceNanos) {}

  /** Why the disk is broken; nothing when it works, or may work. */
  Optional<String> check(DiskEngine disk) {
    try {
      Optional<String> broken = DiskHealth.check(disk);
      if (unchecked.remove(disk.diskId()) != null) {
        LOG.info("Disk can be checked again: disk={}", disk.diskId());
      }
      return broken;
    } catch (IOException e) {
      return isOverdue(disk, e) ? Optional.of(e.toString()) : Optional.empty();
    }
  }

  /** Notes that a disk could not be looked at; whether it counts as broken by now. */
  boolean isOverdue(DiskEngine disk, IOException cause) {
    boolean isShortage = SystemErrors.isShortage(cause);
    long nowNanos = disk.context().clock().nanoTime();
    @Nullable Unchecked before = unchecked.get(disk.diskId());
    if (before == null || before.isShortage() != isShortage) {
      LOG.warn(
          "Disk cannot be checked, and stays in service meanwhile: disk={} root={} cause={}",
          disk.diskId(),
          disk.root(),
          cause.toString());
      unchecked.put(disk.diskId(), new Unchecked(isShortage, nowNanos));
      return false;
    }
    return !isShortage
        && nowNanos - before.sinceNanos() >= TimeUnit.MILLISECONDS.toNanos(MAX_UNCHECKED_MS);
  }
}
