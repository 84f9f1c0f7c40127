/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.image.ReplicaFiles;
import io.hdfsparity.raidp.lstor.ScrubResult;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.LstorRebuildStatus;
import io.hdfsparity.raidp.wire.message.LstorRebuildStatus.Phase;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds the parity of a disk when an administrator asks for it.
 *
 * <ul>
 *   <li>A disk in service keeps its Lstor and its slot table; every unit of parity is recomputed
 *       from the images of its rows, one transaction after the other, while writes continue.
 *   <li>A disk that was refused at start, because its Lstor is missing or damaged, gets a new one.
 *       The old file is put aside, and every replica is covered again.
 *   <li>A disk whose Lstor broke in service has operations under way that hold on to it; the
 *       DataNode has to be restarted first.
 * </ul>
 *
 * <p>One rebuild at a time. Thread-safe.
 */
final class LstorRebuilds implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LstorRebuilds.class);
  private static final long CLOSE_WAIT_SECONDS = 10;

  private final NodeDisks disks;
  private final Reopening reopening;
  private final ExecutorService executor;
  private volatile @Nullable Job job;

  /** Takes a refused disk, by its id, into service with a new Lstor. */
  @FunctionalInterface
  interface Reopening {
    DiskEngine reopen(String diskId) throws IOException;
  }

  /** A replica that a new Lstor has yet to cover. */
  private record Uncovered(VolumeFrames volume, long blockId) {}

  /** A rebuild, running or over. */
  private static final class Job {
    final String diskId;
    volatile LstorRebuildStatus status;
    volatile List<Uncovered> uncovered = List.of();
    volatile List<Volume> volumes = List.of();
    volatile String opened = "";

    Job(LstorRebuildStatus status) {
      this.diskId = status.diskId();
      this.status = status;
    }
  }

  LstorRebuilds(NodeDisks disks, Reopening reopening) {
    this.disks = disks;
    this.reopening = reopening;
    this.executor =
        Executors.newSingleThreadExecutor(
            work -> {
              Thread thread = new Thread(work, "raidp-lstor-rebuild");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Starts a rebuild, or tells of the one of that disk that is running.
   *
   * @throws IOException when it cannot be started: another one runs, or the disk is not fit for it
   */
  synchronized LstorRebuildStatus start(String diskId) throws IOException {
    Job running = job;
    if (running != null && refresh(running).phase() == Phase.RUNNING) {
      if (running.diskId.equals(diskId)) {
        return running.status;
      }
      throw cannot(diskId, "running=" + running.diskId, "one rebuild of a node at a time");
    }
    Optional<DiskEngine> disk =
        disks.frames().disks().stream().filter(d -> d.diskId().equals(diskId)).findFirst();
    Job next;
    if (disk.isPresent()) {
      requireFit(disk.get());
      int units = disk.get().lstor().geometry().unitsPerFrame();
      next = new Job(new LstorRebuildStatus(diskId, Phase.RUNNING, "units", 0, units, ""));
      executor.execute(() -> run(next, () -> recompute(next, disk.get())));
    } else if (disks.isRefused(diskId)) {
      next = new Job(new LstorRebuildStatus(diskId, Phase.RUNNING, "blocks", 0, 0, ""));
      executor.execute(() -> run(next, () -> makeAnew(next)));
    } else {
      throw cannot(diskId, "disk=unknown", "a disk of this node");
    }
    job = next;
    return next.status;
  }

  /**
   * How far the last rebuild has come.
   *
   * @throws IOException when it was not of that disk
   */
  synchronized LstorRebuildStatus status(String diskId) throws IOException {
    Job last = job;
    if (last == null || !last.diskId.equals(diskId)) {
      throw new IOException(
          "Cannot tell of a rebuild: disk="
              + diskId
              + ", expected the disk whose Lstor was last rebuilt since the DataNode started: "
              + (last == null ? "none" : last.diskId));
    }
    return refresh(last);
  }

  private void requireFit(DiskEngine disk) throws IOException {
    disk.requireOk();
    if (disk.state() != DiskState.OK) {
      throw cannot(
          disk.diskId(),
          "state=" + disk.state() + " cause=" + disk.failure().orElse(""),
          "an Lstor that takes changes; restart the DataNode and try again");
    }
    Path file = disks.lstorFile(disk.root(), disk.diskId());
    if (!Files.isRegularFile(file)) {
      throw cannot(
          disk.diskId(),
          "lstor=missing",
          "the file that the DataNode has open; restart the DataNode and try again, file=" + file);
    }
  }

  private static IOException cannot(String diskId, String found, String expected) {
    return new IOException(
        "Cannot rebuild Lstor: " + found + ", expected " + expected + ", disk=" + diskId);
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void run(Job job, Work work) {
    LOG.info("Rebuilding Lstor: disk={} by={}", job.diskId, job.status.counted());
    try {
      work.run();
    } catch (IOException | RuntimeException e) {
      LOG.error("Cannot rebuild Lstor: disk={}", job.diskId, e);
      LstorRebuildStatus now = job.status;
      job.status =
          new LstorRebuildStatus(
              job.diskId, Phase.FAILED, now.counted(), now.done(), now.total(), e.toString());
    }
  }

  private static void recompute(Job job, DiskEngine disk) throws IOException {
    int units = disk.lstor().geometry().unitsPerFrame();
    for (int unit = 0; unit < units; unit++) {
      disk.requireOk();
      try (ImageScope images = new ImageScope(disk)) {
        disk.lstor().rebuildUnits(List.of(unit), images);
      }
      job.status = new LstorRebuildStatus(job.diskId, Phase.RUNNING, "units", unit + 1L, units, "");
    }
    ScrubResult result = disk.lstor().verifyAll((done, total) -> disk.requireOk());
    if (!result.corruptCells().isEmpty() || !result.tableFindings().isEmpty()) {
      throw cannot(
          job.diskId,
          "corruptCells=" + result.corruptCells() + " tables=" + result.tableFindings(),
          "none after all was written; look at the device of the Lstor");
    }
    disk.lstor().checkpoint();
    job.status =
        new LstorRebuildStatus(
            job.diskId, Phase.DONE, "units", units, units, "recomputed in place");
    LOG.info("Lstor is rebuilt: disk={} units={}", job.diskId, units);
  }

  private void makeAnew(Job job) throws IOException {
    DiskEngine disk = reopening.reopen(job.diskId);
    List<Uncovered> replicas = new ArrayList<>();
    String pool = disk.context().pool().id();
    for (VolumeFrames volume : disks.frames().volumesOf(disk)) {
      for (ReplicaFiles replica : volume.volume().directory().scan(pool)) {
        if (!replica.inFlux()) {
          replicas.add(new Uncovered(volume, replica.blockId()));
        }
      }
    }
    job.volumes = disk.volumes();
    job.opened = "new Lstor; an old one lies beside it as replaced-lstor-" + job.diskId + "-*";
    job.status =
        new LstorRebuildStatus(
            job.diskId,
            replicas.isEmpty() ? Phase.DONE : Phase.RUNNING,
            "blocks",
            0,
            replicas.size(),
            job.opened + search(job));
    // Last: who asks counts from the status once there is something to cover.
    job.uncovered = replicas;
  }

  /** Counts what the settlers have covered since it was asked last. */
  private static LstorRebuildStatus refresh(Job job) throws IOException {
    List<Uncovered> before = job.uncovered;
    LstorRebuildStatus now = job.status;
    if (now.phase() != Phase.RUNNING || before.isEmpty()) {
      return now;
    }
    Set<Volume> searching =
        job.volumes.stream().filter(Volume::isSearching).collect(Collectors.toSet());
    List<Uncovered> left = new ArrayList<>();
    for (Uncovered replica : before) {
      DiskEngine disk = replica.volume().volume().disk();
      if (disk.failure().isPresent()) {
        job.status =
            new LstorRebuildStatus(
                job.diskId,
                Phase.FAILED,
                now.counted(),
                now.done(),
                now.total(),
                disk.failure().orElse(""));
        return job.status;
      }
      if (!isCovered(replica, searching)) {
        left.add(replica);
      }
    }
    job.uncovered = left;
    job.status =
        new LstorRebuildStatus(
            job.diskId,
            left.isEmpty() ? Phase.DONE : Phase.RUNNING,
            now.counted(),
            now.total() - left.size(),
            now.total(),
            job.opened + search(job));
    return job.status;
  }

  /** How far the search for the frames of replicas has come. */
  private static String search(Job job) {
    List<Volume> volumes = job.volumes;
    int frameless = volumes.stream().mapToInt(Volume::framelessReplicas).sum();
    return frameless == 0
        ? ""
        : "; replicas=" + frameless + " wait for partners to tell their frames";
  }

  /**
   * Whether the parity holds the replica whole, HDFS has taken it away or reopened it, or no
   * partner has a row of it.
   */
  private static boolean isCovered(Uncovered replica, Set<Volume> searching) throws IOException {
    Volume volume = replica.volume().volume();
    Optional<ReplicaFiles> files =
        volume.directory().findFinalized(volume.disk().context().pool().id(), replica.blockId());
    if (files.isEmpty()) {
      return true;
    }
    FrameEngine engine = replica.volume().engineOf(replica.blockId()).orElse(null);
    if (engine == null) {
      return !searching.contains(volume);
    }
    long lengthBytes = Files.size(files.get().data());
    return engine
        .coverage()
        .find(replica.blockId())
        .filter(
            row ->
                row.state() == SlotState.LIVE
                    && row.coversAnything()
                    && row.coveredBytes() == lengthBytes)
        .isPresent();
  }

  @Override
  public void close() {
    executor.shutdownNow();
    try {
      if (!executor.awaitTermination(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("A rebuild of an Lstor is still under way; it ends when its disk is closed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
