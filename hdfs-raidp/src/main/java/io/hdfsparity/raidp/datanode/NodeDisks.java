/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.datanode.DatasetHooks;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import io.hdfsparity.raidp.config.NodeOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The disks of a DataNode with their Lstors and frames. A disk that cannot be opened is refused:
 * its replicas can be read, and the others are in service.
 *
 * <p>Thread-safety: volumes are added by one thread after the other; the rest is thread-safe.
 */
final class NodeDisks {
  private static final Logger LOG = LoggerFactory.getLogger(NodeDisks.class);

  private final NodeOptions options;
  private final Making making;
  private final NodeResources resources;
  private final Map<Path, List<Path>> directories;
  private final NodeFrames frames;
  private final List<RefusedDisk> refused = new CopyOnWriteArrayList<>();
  private final Map<Path, DiskEngine> disksByRoot = new ConcurrentHashMap<>();
  private final List<VolumeSwitch> volumes = new CopyOnWriteArrayList<>();

  /** A disk that was refused and is in service now. */
  record Reopened(DiskEngine disk, List<FrameEngine> engines, List<VolumeSwitch> volumes) {}

  /**
   * What disks and volumes are made with.
   *
   * @param choices says into which frames new blocks go, for a storage id
   */
  record Making(
      DiskOpener opener, FrameEngine.WriteGate gate, Function<String, FrameChoice> choices) {}

  private NodeDisks(
      NodeOptions options,
      Making making,
      NodeFrames frames,
      NodeResources resources,
      Map<Path, List<Path>> directories) {
    this.options = options;
    this.making = making;
    this.frames = frames;
    this.resources = resources;
    this.directories = directories;
  }

  /**
   * Opens the configured disks.
   *
   * @param frames takes in what is opened
   * @param resources closes the disks
   * @throws IOException if data directories do not fit the disks' roots
   */
  static NodeDisks open(
      Configuration conf,
      NodeOptions options,
      Making making,
      NodeFrames frames,
      NodeResources resources)
      throws IOException {
    NodeDisks disks =
        new NodeDisks(options, making, frames, resources, framesByRoot(conf, options));
    for (NodeOptions.Disk disk : options.disks()) {
      disks.openDisk(disk.root(), disk.lstorDir(), disks.directories.get(disk.root()));
    }
    return disks;
  }

  NodeFrames frames() {
    return frames;
  }

  /** Those out of service; a live view. */
  List<RefusedDisk> refused() {
    return refused;
  }

  private void openDisk(Path root, Path lstorDir, List<Path> directories) {
    try {
      DiskEngine disk = resources.closeFirst(making.opener().open(root, lstorDir, directories));
      frames.add(disk);
      disksByRoot.put(root, disk);
      LOG.info(
          "Disk is open: diskId={} root={} lstor={} entries={}",
          disk.diskId(),
          root,
          lstorDir,
          disk.lstor().stats().rows().entries());
    } catch (IOException e) {
      refuse(root, e);
    }
  }

  private void refuse(Path root, IOException cause) {
    LOG.error(
        "Disk is refused; its replicas can be read, but nothing on it may change: root={}",
        root,
        cause);
    refused.add(new RefusedDisk(root, NodeReporter.diskIdOf(root), cause.toString()));
  }

  /** Data directories by the disk root that each lies directly under. */
  private static Map<Path, List<Path>> framesByRoot(Configuration conf, NodeOptions options)
      throws IOException {
    Map<Path, List<Path>> byRoot = new LinkedHashMap<>();
    options.disks().forEach(disk -> byRoot.put(disk.root(), new ArrayList<>()));
    for (StorageLocation location : DataNode.getStorageLocations(conf)) {
      Path directory = Path.of(location.getUri().getPath()).normalize();
      List<Path> of = byRoot.get(directory.getParent());
      if (of == null) {
        throw new IOException(
            "Cannot use data directory: dfs.datanode.data.dir="
                + directory
                + ", expected it directly under one of dfs.parity.raidp.disk.roots="
                + byRoot.keySet());
      }
      of.add(directory);
    }
    for (Map.Entry<Path, List<Path>> each : byRoot.entrySet()) {
      if (each.getValue().isEmpty()) {
        throw new IOException(
            "Cannot use disk: frames=0, expected at least one entry of dfs.datanode.data.dir directly under "
                + each.getKey());
      }
    }
    return byRoot;
  }

  /** As {@link DatasetHooks#volume}. */
  VolumeHooks volume(String storageId, Path directory) throws IOException {
    VolumeSwitch volume = new VolumeSwitch(directory, storageId, hooks(storageId, directory));
    volumes.add(volume);
    return volume;
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
          new RefusedDisk(diskRoot, disk.diskId(), disk.failure().orElse("")),
          directory,
          storageId);
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
                            + directories.keySet()));
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
            () -> poolsOf(directory),
            making.gate(),
            making.choices().apply(storageId));
  }

  private static List<String> poolsOf(Path directory) {
    Path current = directory.resolve("current");
    if (!Files.isDirectory(current)) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(current)) {
      return children
          .map(path -> path.getFileName().toString())
          .filter(name -> name.startsWith("BP-"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Brings what is on the disks in line with their Lstors. */
  void reconcile() throws IOException {
    for (DiskEngine disk : frames.disks()) {
      reconcile(disk);
    }
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
    return options.disks().stream()
        .filter(disk -> disk.root().equals(diskRoot))
        .map(NodeOptions.Disk::lstorDir)
        .findFirst()
        .orElseThrow();
  }

  /**
   * Takes a refused disk into service with a new Lstor. Nothing on it changed while it was refused,
   * so it is brought up as at a start; reports and hooks change over when it is ready.
   */
  Reopened reopen(String diskId) throws IOException {
    RefusedDisk old =
        refused.stream().filter(each -> each.diskId().equals(diskId)).findFirst().orElseThrow();
    List<VolumeSwitch> own =
        volumes.stream().filter(v -> v.directory().getParent().equals(old.root())).toList();
    List<Path> wanted = directories.get(old.root());
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
        try {
          disk.fail("HDFS took volumes of the disk out of service: " + storageIds);
        } catch (IOException e) {
          LOG.warn(
              "Lstor of a failed disk could not be closed cleanly; its journal will be replayed: disk={}",
              disk.diskId(),
              e);
        }
      }
    }
  }
}
