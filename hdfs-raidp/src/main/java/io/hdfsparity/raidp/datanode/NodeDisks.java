/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.datanode.DatasetHooks;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import io.hdfsparity.core.store.DirectoryListing;
import io.hdfsparity.raidp.image.FrameDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The disks of a DataNode with their Lstors and frames. A disk that cannot be opened is refused:
 * its replicas can be read, and the others are in service.
 *
 * <p>Disks come and go while the DataNode runs, one data directory each. A disk that has gone stays
 * in the reports as a failed one, as long as it is needed: see {@link DepartedDisks}.
 *
 * <p>Thread-safe.
 */
final class NodeDisks {
  private static final Logger LOG = LoggerFactory.getLogger(NodeDisks.class);

  /** How long a removal waits for blocks that partners are about to finish. */
  private static final long REMOVAL_WAIT_MS = 5_000;

  private final Making making;
  private final NodeResources resources;
  private final DiskPlaces places;
  private final NodeFrames frames;
  private final List<RefusedDisk> refused = new CopyOnWriteArrayList<>();
  private final Map<Path, DiskEngine> disksByRoot = new ConcurrentHashMap<>();
  private final List<VolumeSwitch> volumes = new CopyOnWriteArrayList<>();
  private final Map<String, Arrival> arriving = new ConcurrentHashMap<>();
  private final DepartedDisks departed;
  private volatile boolean isReconciled;

  /** A disk that was refused and is in service now. */
  record Reopened(DiskEngine disk, List<FrameEngine> engines, List<VolumeSwitch> volumes) {}

  /** A disk that is being added while the DataNode runs; not reported yet. */
  private record Arrival(DiskEngine disk, VolumeFrames volume) {}

  /**
   * What disks and volumes are made with.
   *
   * @param choices says into which frames new blocks go, for a storage id
   * @param changed the configuration that holds for a disk that is added now
   */
  record Making(
      DiskOpener opener,
      FrameEngine.WriteGate gate,
      Function<String, FrameChoice> choices,
      Supplier<Configuration> changed) {}

  private NodeDisks(Making making, NodeFrames frames, NodeResources resources, DiskPlaces places) {
    this.making = making;
    this.frames = frames;
    this.resources = resources;
    this.places = places;
    this.departed =
        new DepartedDisks(frames, refused, resources, places.lstorDirs(), this::isArriving);
  }

  /**
   * Opens the configured disks.
   *
   * @param frames takes in what is opened
   * @param resources closes the disks
   */
  static NodeDisks open(
      DiskPlaces places, Making making, NodeFrames frames, NodeResources resources) {
    NodeDisks disks = new NodeDisks(making, frames, resources, places);
    places.all().forEach(disks::openDisk);
    return disks;
  }

  NodeFrames frames() {
    return frames;
  }

  /** Disks that are out of the configuration. */
  DepartedDisks departed() {
    return departed;
  }

  /** Those out of service; a live view. */
  List<RefusedDisk> refused() {
    return refused;
  }

  /** The directory of a volume of a refused disk that HDFS has in service. */
  Optional<FrameDirectory> refusedVolume(String storageId) {
    return volumes.stream()
        .filter(volume -> volume.storageId().equals(storageId))
        .map(VolumeSwitch::directory)
        .filter(
            directory ->
                refused.stream()
                    .anyMatch(disk -> !disk.isTaken() && disk.root().equals(directory.getParent())))
        .map(FrameDirectory::new)
        .findFirst();
  }

  private void openDisk(DiskPlaces.Place place) {
    try {
      DiskEngine disk = resources.closeFirst(open(place));
      frames.add(disk);
      disksByRoot.put(place.root(), disk);
    } catch (IOException e) {
      refuse(place.root(), e);
    }
  }

  private DiskEngine open(DiskPlaces.Place place) throws IOException {
    DiskEngine disk = making.opener().open(place.root(), place.lstorDir(), place.directories());
    LOG.info(
        "Disk is open: diskId={} root={} lstor={} entries={}",
        disk.diskId(),
        place.root(),
        place.lstorDir(),
        disk.lstor().stats().rows().entries());
    return disk;
  }

  private RefusedDisk refuse(Path root, IOException cause) {
    LOG.error(
        "Disk is refused; its replicas can be read, but nothing on it may change: root={}",
        root,
        cause);
    RefusedDisk disk = RefusedDisk.of(root, NodeReporter.diskIdOf(root), cause.toString());
    refused.add(disk);
    return disk;
  }

  /** As {@link DatasetHooks#volume}. */
  synchronized VolumeHooks volume(String storageId, Path directory) throws IOException {
    VolumeHooks hooks = isReconciled ? arriving(storageId, directory) : hooks(storageId, directory);
    VolumeSwitch volume = new VolumeSwitch(directory, storageId, hooks);
    volumes.add(volume);
    return volume;
  }

  /**
   * The hooks of a disk that comes while the DataNode runs. If its Lstor cannot be opened it is
   * refused, as at a start.
   */
  private VolumeHooks arriving(String storageId, Path directory) throws IOException {
    DiskPlaces.Place place = places.arrive(directory, making.changed().get(), this::hasVolumes);
    departed.configured(directory);
    disksByRoot.remove(place.root());
    refused.removeIf(disk -> disk.root().equals(place.root()));
    DiskEngine disk;
    try {
      disk = resources.closeLast(open(place));
    } catch (IOException e) {
      return refusing(refuse(place.root(), e), directory, storageId);
    }
    try {
      VolumeFrames volume = add(disk, directory, storageId);
      arriving.put(storageId, new Arrival(disk, volume));
      return volume;
    } catch (IOException e) {
      disk.close();
      resources.forget(disk);
      return refusing(refuse(place.root(), e), directory, storageId);
    }
  }

  private boolean isArriving(String diskId) {
    return arriving.values().stream().anyMatch(each -> each.disk().diskId().equals(diskId));
  }

  private boolean hasVolumes(Path root) {
    return volumes.stream().anyMatch(volume -> root.equals(volume.directory().getParent()));
  }

  /**
   * Takes a disk that has come while the DataNode runs into service.
   *
   * @return its frames, with work to do; none of a disk that is refused
   * @throws IOException if its replicas and its Lstor cannot be brought in line; HDFS takes the
   *     volume out again then
   */
  synchronized Collection<FrameEngine> added(String storageId) throws IOException {
    Arrival arrival = arriving.get(storageId);
    if (arrival == null) {
      return List.of();
    }
    DiskEngine disk = arrival.disk();
    Optional<String> missing = DiskHealth.missingFrames(disk);
    if (missing.isPresent()) {
      throw new IOException("Cannot add disk: " + missing.get() + ", diskId=" + disk.diskId());
    }
    new Reconciler(arrival.volume()).run();
    List<DiskEngine> earlier =
        frames.disks().stream().filter(each -> each.diskId().equals(disk.diskId())).toList();
    synchronized (refused) {
      earlier.forEach(frames::remove);
      frames.add(arrival.volume());
      frames.add(disk);
    }
    earlier.forEach(resources::forget);
    disksByRoot.put(disk.root(), disk);
    departed.arrived(disk);
    arriving.remove(storageId);
    LOG.info("Disk is added: diskId={} root={}", disk.diskId(), disk.root());
    return arrival.volume().engines();
  }

  /**
   * Before an administrator takes volumes away.
   *
   * @throws IOException if one may have the only replicas of covered blocks
   */
  void requireRemovable(Set<String> storageIds) throws IOException {
    new RemovalCheck(frames, REMOVAL_WAIT_MS).requireRemovable(storageIds);
  }

  private VolumeHooks hooks(String storageId, Path directory) throws IOException {
    Path diskRoot = directory.getParent();
    DiskEngine disk = disksByRoot.get(diskRoot);
    if (disk != null) {
      try {
        VolumeFrames volume = add(disk, directory, storageId);
        frames.add(volume);
        return volume;
      } catch (IOException e) {
        // The disk fails as a whole; frames that were added before get refusals from it.
        disk.fail(e.toString());
        LOG.error(
            "Frame is refused and with it its disk: storageId={} file={}", storageId, directory, e);
      }
      return refusing(
          RefusedDisk.of(diskRoot, disk.diskId(), disk.failure().orElse("")), directory, storageId);
    }
    RefusedDisk found =
        refused.stream()
            .filter(each -> each.root().equals(diskRoot))
            .findFirst()
            .orElseThrow(
                () ->
                    new IOException(
                        "Cannot add volume: root="
                            + directory
                            + ", expected it directly under one of dfs.parity.raidp.disk.roots="
                            + places.roots()));
    return refusing(found, directory, storageId);
  }

  private VolumeHooks refusing(RefusedDisk disk, Path directory, String storageId) {
    return disk.hooks(directory, making.choices().apply(storageId));
  }

  private VolumeFrames add(DiskEngine disk, Path directory, String storageId) throws IOException {
    return making
        .opener()
        .addVolume(
            disk,
            directory,
            storageId,
            poolsOf(directory),
            making.gate(),
            making.choices().apply(storageId));
  }

  private static List<String> poolsOf(Path directory) throws IOException {
    Path current = directory.resolve("current");
    if (!Files.isDirectory(current)) {
      return List.of();
    }
    return DirectoryListing.of(current, "BP-*").stream()
        .map(path -> path.getFileName().toString())
        .toList();
  }

  /** Brings what is on the disks in line with their Lstors. */
  void reconcile() throws IOException {
    for (DiskEngine disk : frames.disks()) {
      reconcile(disk);
    }
    isReconciled = true;
  }

  private void reconcile(DiskEngine disk) throws IOException {
    Optional<String> missing =
        disk.failure().isPresent() ? Optional.empty() : DiskHealth.missingFrames(disk);
    if (missing.isPresent()) {
      LOG.error("Disk is not whole: disk={} cause={}", disk.diskId(), missing.get());
      disk.fail(missing.get());
    }
    if (disk.failure().isPresent()) {
      return;
    }
    try {
      for (VolumeFrames volume : frames.volumesOf(disk)) {
        new Reconciler(volume).run();
      }
    } catch (IOException e) {
      LOG.error("Disk cannot be reconciled: disk={}", disk.diskId(), e);
      disk.fail(e.toString());
    }
  }

  boolean isRefused(String diskId) {
    return refused.stream().anyMatch(disk -> disk.diskId().equals(diskId));
  }

  /** The Lstor file of a disk, wherever it is. */
  Path lstorFile(Path diskRoot, String diskId) {
    return DiskOpener.lstorFile(lstorDir(diskRoot), diskId);
  }

  private Path lstorDir(Path diskRoot) {
    return places.find(diskRoot).map(DiskPlaces.Place::lstorDir).orElseThrow();
  }

  /**
   * Takes a refused disk into service with a new Lstor. Nothing on it changed while it was refused,
   * so it is brought up as at a start; reports and hooks change over when it is ready.
   */
  synchronized Reopened reopen(String diskId) throws IOException {
    RefusedDisk old =
        refused.stream().filter(each -> each.diskId().equals(diskId)).findFirst().orElseThrow();
    List<VolumeSwitch> own =
        volumes.stream().filter(v -> v.directory().getParent().equals(old.root())).toList();
    List<Path> wanted = places.find(old.root()).map(DiskPlaces.Place::directories).orElseThrow();
    if (own.size() != wanted.size()) {
      throw new IOException(
          "Cannot rebuild Lstor: volumes="
              + own.size()
              + ", expected all "
              + wanted.size()
              + " frames of the disk in service, disk="
              + diskId
              + " file="
              + old.root());
    }
    DiskEngine disk = making.opener().openAnew(old.root(), lstorDir(old.root()), wanted);
    Map<VolumeSwitch, VolumeFrames> added = new LinkedHashMap<>();
    try {
      for (VolumeSwitch volume : own) {
        added.put(volume, add(disk, volume.directory(), volume.storageId()));
      }
      for (VolumeFrames volume : added.values()) {
        new Reconciler(volume).run();
      }
    } catch (IOException | RuntimeException e) {
      disk.close();
      throw e;
    }
    resources.closeLast(disk);
    added.values().forEach(frames::add);
    synchronized (refused) {
      frames.add(disk);
      refused.remove(old);
    }
    disksByRoot.put(old.root(), disk);
    added.forEach(VolumeSwitch::serveBy);
    LOG.info("Disk is in service again with a new Lstor: diskId={} root={}", diskId, old.root());
    return new Reopened(disk, frames.enginesOf(disk), own);
  }

  /** As {@link DatasetHooks#widenFailure}. */
  Set<String> widenFailure(Set<String> storageIds) {
    Set<String> wide = new HashSet<>(storageIds);
    for (DiskEngine disk : frames.disks()) {
      if (disk.storageIds().stream().anyMatch(storageIds::contains)) {
        wide.addAll(disk.storageIds());
      }
    }
    return wide;
  }

  /** As {@link DatasetHooks#failed}. */
  void failed(Set<String> storageIds) {
    for (DiskEngine disk : frames.disks()) {
      if (disk.storageIds().stream().anyMatch(storageIds::contains)) {
        fail(disk, "HDFS took volumes of the disk out of service: " + storageIds);
      }
    }
    for (String storageId : storageIds) {
      Arrival arrival = arriving.remove(storageId);
      if (arrival != null) {
        fail(arrival.disk(), "it could not be added");
        resources.forget(arrival.disk());
      }
    }
    for (VolumeSwitch volume : volumes) {
      if (storageIds.contains(volume.storageId())) {
        volumes.remove(volume);
        refused.replaceAll(
            disk -> disk.root().equals(volume.directory().getParent()) ? disk.taken() : disk);
      }
    }
  }

  private static void fail(DiskEngine disk, String why) {
    try {
      disk.fail(why);
    } catch (IOException e) {
      LOG.warn(
          "Lstor of a failed disk could not be closed cleanly; its journal will be replayed: disk={}",
          disk.diskId(),
          e);
    }
  }
}
