/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.lstord.LstorFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Disks out of service that are out of the configuration too: an administrator has taken them away,
 * or another disk is in service in their place. They stay in the reports as failed ones until the
 * manager says that nothing depends on them any more. A failed disk that is still configured stays:
 * somebody has to replace it. Thread-safe.
 */
final class DepartedDisks {
  private static final Logger LOG = LoggerFactory.getLogger(DepartedDisks.class);

  /** The Lstor daemon releases it within a fraction of a second. */
  private static final long LOCK_TIMEOUT_MS = 2_000;

  private final NodeFrames frames;
  private final List<RefusedDisk> refused;
  private final NodeResources resources;
  private final Set<Path> lstorDirs;
  private final Predicate<String> isArriving;
  private final Set<Path> unconfigured = ConcurrentHashMap.newKeySet();
  private final Set<String> replaced = ConcurrentHashMap.newKeySet();

  /**
   * @param frames disks that are or were in service
   * @param refused other disks; its lock is held while both change
   * @param lstorDirs where their Lstors are
   * @param isArriving whether a disk of that id is being added: it is needed, and so is its Lstor
   */
  DepartedDisks(
      NodeFrames frames,
      List<RefusedDisk> refused,
      NodeResources resources,
      Set<Path> lstorDirs,
      Predicate<String> isArriving) {
    this.isArriving = isArriving;
    this.lstorDirs = lstorDirs;
    this.frames = frames;
    this.refused = refused;
    this.resources = resources;
  }

  /** Data directories are out of the configuration. */
  void unconfigured(Set<Path> directories) {
    unconfigured.addAll(directories);
  }

  /** A data directory is in the configuration again. */
  void configured(Path directory) {
    unconfigured.remove(directory);
  }

  /** A disk is in service; any other one that was at its root is replaced by it. */
  void arrived(DiskEngine disk) {
    replaced.remove(disk.diskId());
    frames.disks().stream()
        .filter(each -> each.root().equals(disk.root()) && !each.diskId().equals(disk.diskId()))
        .forEach(each -> replaced.add(each.diskId()));
  }

  /**
   * Forgets those of the named disks that have departed, and puts their Lstors aside. A crash in
   * between leaves the Lstor where it was, for an administrator.
   */
  void forget(Collection<String> unneededIds) {
    if (unneededIds.isEmpty()) {
      return;
    }
    List<DiskEngine> forgotten;
    synchronized (refused) {
      forgotten =
          frames.disks().stream()
              .filter(disk -> unneededIds.contains(disk.diskId()))
              .filter(disk -> !disk.holdsLstor() && hasDeparted(disk))
              .filter(disk -> !isArriving.test(disk.diskId()))
              .toList();
      forgotten.forEach(frames::remove);
      refused.removeIf(
          disk -> unneededIds.contains(disk.diskId()) && disk.isTaken() && hasDeparted(disk));
    }
    for (DiskEngine disk : forgotten) {
      resources.forget(disk);
      replaced.remove(disk.diskId());
      LOG.info(
          "Disk is forgotten, as it is out of the configuration and nothing depends on it:"
              + " diskId={} root={}",
          disk.diskId(),
          disk.root());
      lstorDirs.stream()
          .map(dir -> DiskOpener.lstorFile(dir, disk.diskId()))
          .filter(Files::exists)
          .forEach(file -> putAside(file, disk));
    }
  }

  private static void putAside(Path file, DiskEngine disk) {
    try {
      LstorFiles.putAside(file, disk.identity().clusterId(), "DataNode", LOCK_TIMEOUT_MS);
      LOG.info("Lstor is put aside; it may be deleted: file={}", LstorFiles.aside(file));
    } catch (IOException e) {
      LOG.warn("Lstor that nothing depends on stays where it is: file={}", file, e);
    }
  }

  private boolean hasDeparted(DiskEngine disk) {
    return replaced.contains(disk.diskId())
        || disk.volumes().stream()
            .allMatch(volume -> unconfigured.contains(volume.directory().root()));
  }

  private boolean hasDeparted(RefusedDisk disk) {
    return unconfigured.stream().anyMatch(directory -> disk.root().equals(directory.getParent()));
  }
}
