/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.store.Allocation;
import io.hdfsparity.core.store.AtomicFiles;
import io.hdfsparity.core.store.MappedByteStore;
import io.hdfsparity.core.store.PrivateFiles;
import io.hdfsparity.raidp.config.NodeOptions;
import io.hdfsparity.raidp.format.DiskFile;
import io.hdfsparity.raidp.format.FrameTable;
import io.hdfsparity.raidp.format.IdentityFileException;
import io.hdfsparity.raidp.image.FrameDirectory;
import io.hdfsparity.raidp.image.Limbo;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.LstorExpectation;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.LstorIdentity;
import io.hdfsparity.raidp.lstord.LstorFiles;
import io.hdfsparity.raidp.lstord.LstorLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the disks of a node with their Lstors, and checks that disk, frames and Lstor belong
 * together.
 *
 * <p>A new Lstor is made only where nothing can be lost by it: when the frames of the disk hold no
 * blocks, or when an operator asks for it, by command or by the file {@code lstor-<disk
 * id>.rebuild} beside the Lstor. Then every replica is covered again in the background. Anything
 * else that is missing, foreign or damaged refuses the disk by a named error.
 *
 * <p>Volumes that RAIDP has never used may hold blocks: they are plain. One that has a frame table,
 * or that the Lstor knows, has been used.
 */
final class DiskOpener {
  private static final Logger LOG = LoggerFactory.getLogger(DiskOpener.class);
  private static final long LOCK_TIMEOUT_MS = 30_000;

  private final DiskContext context;
  private final String clusterId;
  private final String nodeUuid;
  private final int framesPerVolume;
  private final Supplier<List<Path>> roots;

  /**
   * @param framesPerVolume that a new volume gets, and that Lstors have room for
   * @param roots of all disks of the node
   */
  DiskOpener(
      DiskContext context,
      String clusterId,
      String nodeUuid,
      int framesPerVolume,
      Supplier<List<Path>> roots) {
    this.roots = roots;
    this.context = context;
    this.clusterId = clusterId;
    this.nodeUuid = nodeUuid;
    this.framesPerVolume = framesPerVolume;
  }

  /** The Lstor file of a disk. */
  static Path lstorFile(Path lstorDir, String diskId) {
    return lstorDir.resolve("lstor-" + diskId);
  }

  /** The file by which an operator asks for a new Lstor made from the replicas. */
  static Path rebuildMarker(Path lstorDir, String diskId) {
    return lstorDir.resolve("lstor-" + diskId + ".rebuild");
  }

  /**
   * Opens a disk.
   *
   * @param frames directories of its frames, that exist
   */
  DiskEngine open(Path root, Path lstorDir, List<Path> frames) throws IOException {
    return open(root, lstorDir, frames, NewLstor.IF_MARKED);
  }

  /**
   * Opens a disk with a new Lstor, as an administrator has asked for by command. The old one is put
   * aside.
   */
  DiskEngine openAnew(Path root, Path lstorDir, List<Path> frames) throws IOException {
    return open(root, lstorDir, frames, NewLstor.YES);
  }

  private enum NewLstor {
    YES,
    IF_MARKED
  }

  private DiskEngine open(Path root, Path lstorDir, List<Path> frames, NewLstor anew)
      throws IOException {
    DiskFile disk = identify(root, lstorDir, frames);
    secure(lstorDir);
    Path file = lstorFile(lstorDir, disk.diskId());
    LstorLock lock = LstorLock.acquire(file, "DataNode " + nodeUuid, LOCK_TIMEOUT_MS);
    MappedByteStore store = null;
    try {
      boolean isRebuilt = formatIfAllowed(root, disk, file, frames, anew);
      store = MappedByteStore.open(file);
      Lstor lstor = Lstor.open(store, new LstorExpectation(clusterId, disk.diskId()));
      requireGeometry(lstor.geometry(), framesPerVolume * frames.size(), file);
      DiskEngine opened = new DiskEngine(root, disk, lstor, lock, context);
      if (isRebuilt) {
        opened.lstorRebuilt();
      }
      return opened;
    } catch (IOException | RuntimeException | Error e) {
      if (store != null) {
        store.close();
      }
      lock.close();
      throw e;
    }
  }

  /** As HDFS does with its data directories: parity is made of what users have stored. */
  private static void secure(Path lstorDir) throws IOException {
    List<Path> opened = PrivateFiles.secure(lstorDir);
    if (!opened.isEmpty()) {
      LOG.warn("Took from group and others what they could do with {}", opened);
    }
  }

  private DiskFile identify(Path root, Path lstorDir, List<Path> frames) throws IOException {
    if (Files.exists(root.resolve(DiskFile.NAME))) {
      DiskFile disk = DiskFile.read(root);
      if (!disk.clusterId().equals(clusterId)) {
        throw new IdentityFileException.Foreign(
            "Cannot use disk: clusterId="
                + disk.clusterId()
                + ", expected "
                + clusterId
                + ", file="
                + root.resolve(DiskFile.NAME));
      }
      return disk;
    }
    for (Path frame : frames) {
      if (FrameTable.isIn(frame) || mayHoldRows(root, lstorDir, frame)) {
        throw new IdentityFileException.Foreign(
            "Cannot use disk: diskId=none, expected a disk file, or frames that were"
                + " never used, file="
                + root.resolve(DiskFile.NAME)
                + " frame="
                + frame);
      }
    }
    DiskFile disk = new DiskFile(clusterId, UUID.randomUUID().toString());
    disk.write(root);
    LOG.info("New disk: diskId={} root={}", disk.diskId(), root);
    return disk;
  }

  /**
   * @return whether rows of replicas may have been lost with an earlier Lstor
   */
  private boolean formatIfAllowed(
      Path root, DiskFile disk, Path file, List<Path> frames, NewLstor anew) throws IOException {
    Path marker = rebuildMarker(file.getParent(), disk.diskId());
    if (!Files.exists(file) && Files.exists(LstorFiles.aside(file))) {
      LOG.info("Bringing back the Lstor of a disk that is there again: file={}", file);
      AtomicFiles.rename(LstorFiles.aside(file), file);
    }
    boolean rebuild = anew == NewLstor.YES || Files.exists(marker);
    if (Files.exists(file) && !rebuild) {
      return false;
    }
    if (!rebuild) {
      for (Path frame : frames) {
        if (mayHoldRows(root, file.getParent(), frame)) {
          throw new IOException(
              "Cannot use disk: lstor=missing, expected it, as the disk's frames hold blocks; bring it"
                  + " back, or make a new one from the replicas by hdfs raidp -lstor -rebuild "
                  + disk.diskId()
                  + ", or, when that is refused and you know better, by creating "
                  + marker
                  + ", file="
                  + file
                  + " frame="
                  + frame);
        }
      }
    }
    if (Files.exists(file)) {
      Path aside =
          file.resolveSibling("replaced-" + file.getFileName() + "-" + context.clock().millis());
      LOG.warn("Putting Lstor aside for a new one: file={} to={}", file, aside);
      AtomicFiles.rename(file, aside);
    }
    format(disk, file, framesPerVolume * frames.size());
    Files.deleteIfExists(marker);
    return rebuild;
  }

  /** Whether blocks lie there that an Lstor may have rows of. */
  private boolean mayHoldRows(Path root, Path lstorDir, Path directory) throws IOException {
    // Beside an Lstor of a disk that is gone, its table may be gone too.
    boolean isNew = !FrameTable.isIn(directory) && !hasOwnerless(root, lstorDir);
    return !isNew && new FrameDirectory(directory).holdsBlocks();
  }

  /**
   * Whether an Lstor lies there that no other disk of the node owns. A directory may serve several
   * disks.
   */
  private boolean hasOwnerless(Path root, Path lstorDir) throws IOException {
    List<Path> lstors = LstorFiles.in(lstorDir);
    if (lstors.isEmpty()) {
      return false;
    }
    Set<String> owned = new HashSet<>();
    for (Path other : roots.get()) {
      if (!other.equals(root)) {
        diskIdOf(other).ifPresent(owned::add);
      }
    }
    return !lstors.stream().map(LstorFiles::diskId).allMatch(owned::contains);
  }

  /** None of a disk that is new, or whose file cannot be read: that disk is refused for it. */
  private static Optional<String> diskIdOf(Path root) {
    try {
      return Files.exists(root.resolve(DiskFile.NAME))
          ? Optional.of(DiskFile.read(root).diskId())
          : Optional.empty();
    } catch (IOException e) {
      LOG.warn("Disk file cannot be read: file={}", root.resolve(DiskFile.NAME), e);
      return Optional.empty();
    }
  }

  private void format(DiskFile disk, Path file, int frames) throws IOException {
    NodeOptions options = context.options();
    LstorGeometry geometry =
        LstorGeometry.of(frames, options.frames().unitsPerFrame(), options.frames().unitBytes());
    int entries = geometry.rows();
    Path unfinished = file.resolveSibling("new-" + file.getFileName());
    Files.deleteIfExists(unfinished);
    long bytes = Lstor.requiredBytes(geometry, options.lstor().ringBytes(), entries);
    try (MappedByteStore store = MappedByteStore.create(unfinished, bytes, Allocation.FULL)) {
      Lstor.format(
          store,
          geometry,
          new LstorIdentity(disk.clusterId(), disk.diskId(), nodeUuid),
          options.lstor().ringBytes(),
          entries);
    }
    AtomicFiles.rename(unfinished, file);
    LOG.info(
        "New Lstor: diskId={} bytes={} geometry={} file={}", disk.diskId(), bytes, geometry, file);
  }

  private void requireGeometry(LstorGeometry found, int frames, Path file) throws IOException {
    NodeOptions options = context.options();
    if (found.unitsPerFrame() != options.frames().unitsPerFrame()
        || found.unitBytes() != options.frames().unitBytes()
        || found.frames() != frames) {
      throw new IOException(
          "Cannot use Lstor: geometry="
              + found
              + ", expected frames="
              + frames
              + " unitsPerFrame="
              + options.frames().unitsPerFrame()
              + " unitBytes="
              + options.frames().unitBytes()
              + " as configured by dfs.datanode.data.dir,"
              + " dfs.parity.raidp.frame.size and unit.size, file="
              + file);
    }
  }

  /**
   * Adds a volume and its frames to their disk; makes the frame table when it is new.
   *
   * @param pools block pools whose directories may hold halves of interrupted moves to limbo
   * @param choice asked for new blocks
   */
  VolumeFrames addVolume(
      DiskEngine disk,
      Path directory,
      String storageId,
      List<String> pools,
      FrameEngine.WriteGate gate,
      FrameChoice choice)
      throws IOException {
    FrameDirectory files = new FrameDirectory(directory);
    FrameTable table =
        FrameTable.isIn(directory)
            ? ownTable(disk, directory, storageId)
            : newTable(disk, files, storageId);
    requireIndexes(disk, table, directory);
    Volume volume =
        new Volume(
            disk, table, files, Limbo.open(files, pools), HooksMarker.poolsOfLastRun(files, pools));
    List<FrameEngine> engines = new ArrayList<>();
    for (Frame frame : volume.frames()) {
      disk.add(frame);
      frame.storeInLstor();
      engines.add(new FrameEngine(frame, gate));
    }
    return new VolumeFrames(volume, engines, choice);
  }

  private static FrameTable ownTable(DiskEngine disk, Path directory, String storageId)
      throws IOException {
    FrameTable table = FrameTable.read(directory);
    table.requireOwner(directory, disk.identity(), storageId);
    return table;
  }

  private FrameTable newTable(DiskEngine disk, FrameDirectory files, String storageId)
      throws IOException {
    boolean isKnown =
        disk.lstor().frames().stream().anyMatch(row -> row.storageId().equals(storageId));
    if (isKnown && files.holdsBlocks()) {
      throw new IdentityFileException.Foreign(
          "Cannot use frame: frameTable=missing, expected it in a volume that holds"
              + " blocks, file="
              + files.root().resolve(FrameTable.NAME));
    }
    FrameTable table =
        FrameTable.spare(clusterId, disk.diskId(), storageId, freeIndexes(disk, files.root()));
    table.write(files.root());
    return table;
  }

  /**
   * Indexes that no frame of the disk has, neither one that is added already nor one that the Lstor
   * knows.
   */
  private List<Integer> freeIndexes(DiskEngine disk, Path directory) throws IOException {
    BitSet taken = new BitSet();
    disk.frames().forEach(frame -> taken.set(frame.index()));
    disk.lstor().frames().forEach(row -> taken.set(row.frameIndex()));
    List<Integer> free = new ArrayList<>();
    int index = taken.nextClearBit(0);
    while (free.size() < framesPerVolume && index < disk.lstor().geometry().frames()) {
      free.add(index);
      index = taken.nextClearBit(index + 1);
    }
    if (free.size() < framesPerVolume) {
      throw new IOException(
          "Cannot add frame: frames="
              + taken.cardinality()
              + ", expected fewer than the Lstor has room for: "
              + disk.lstor().geometry().frames()
              + ", disk="
              + disk.diskId()
              + " file="
              + directory);
    }
    return free;
  }

  private static void requireIndexes(DiskEngine disk, FrameTable table, Path directory)
      throws IOException {
    for (int index : table.frames().keySet()) {
      boolean taken = disk.frames().stream().anyMatch(frame -> frame.index() == index);
      if (taken || index < 0 || index >= disk.lstor().geometry().frames()) {
        throw new IdentityFileException.Foreign(
            "Cannot use frame: frameIndex="
                + index
                + ", expected one below "
                + disk.lstor().geometry().frames()
                + " that no other frame of the disk has, file="
                + directory.resolve(FrameTable.NAME));
      }
    }
  }
}
