/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.store.AtomicFiles;
import io.hdfsparity.core.store.PrivateFiles;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the feature keeps in a volume beside the replicas: {@code ecupdate/<block pool>/} under the
 * volume's root, which an upgrade of HDFS leaves alone.
 *
 * <ul>
 *   <li>{@code update.log}, the engine's log;
 *   <li>{@code admitted}, empty: a replica was admitted here, and may be gone since;
 *   <li>{@code blk_ID.replica}, the descriptor of a replica that was admitted to updates;
 *   <li>{@code blk_ID.removed}, the same of one whose deletion has begun, or whose block file was
 *       gone, or which lacks the changes that another volume's file has: should a crash leave the
 *       file behind, or should it come back, it must not count as the replica. Stays until the
 *       deletion has ended, or a copy has arrived;
 *   <li>{@code blk_ID.state}, the engine's state of a replica;
 *   <li>{@code blk_ID.copy} and {@code blk_ID.copy.meta}, copies of its files that are being made
 *       before its first change;
 *   <li>{@code blk_ID.plr}, its reserved space. Beside the block file it would be taken for its
 *       checksum file when HDFS loads replicas (FsDatasetUtil.getGenerationStampFromFile looks at
 *       the first name behind the block file's that begins like it), and its generation stamp lost.
 * </ul>
 *
 * <p>Changes of names are durable at return. Thread-safe for different blocks.
 */
final class UpdateDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(UpdateDirectory.class);
  private static final String FEATURE = "ecupdate";
  private static final String UPDATE_LOG = "update.log";
  private static final String EVER_ADMITTED = "admitted";
  private static final String ADMITTED = ".replica";
  private static final String REMOVED = ".removed";
  private static final String STATE = ".state";
  private static final String RESERVED = ".plr";
  private static final String USE = ".sessions";
  private static final String COPIED_DATA = ".copy";
  private static final String COPIED_META = ".copy.meta";
  private static final String PREFIX = "blk_";

  private final Path directory;
  private final String blockPool;

  private UpdateDirectory(Path directory, String blockPool) {
    this.directory = directory;
    this.blockPool = blockPool;
  }

  /** Block pools that have a directory on a volume, and replicas there. */
  static Set<String> pools(Path volumeRoot) throws IOException {
    Path feature = volumeRoot.resolve(FEATURE);
    Set<String> pools = new TreeSet<>();
    if (Files.isDirectory(feature)) {
      for (Path pool : list(feature)) {
        String name = pool.getFileName().toString();
        if (Files.isDirectory(pool)
            && Files.isDirectory(volumeRoot.resolve("current").resolve(name))) {
          pools.add(name);
        }
      }
    }
    return pools;
  }

  /**
   * What is in a directory. With an error of the disk as what it is, at whichever entry it comes.
   */
  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Whether a replica of a volume is or may be admitted: also true if its directory is unreadable.
   */
  static boolean mayBeAdmitted(Path volumeRoot, String blockPool, long blockId) {
    return !Files.notExists(
        volumeRoot.resolve(FEATURE).resolve(blockPool).resolve(PREFIX + blockId + ADMITTED));
  }

  /**
   * Whether a replica of a volume is or may be, or was admitted: also true if its directory is
   * unreadable.
   */
  static boolean mayHaveBeenAdmitted(Path volumeRoot, String blockPool, long blockId) {
    return mayBeAdmitted(volumeRoot, blockPool, blockId)
        || !Files.notExists(
            volumeRoot.resolve(FEATURE).resolve(blockPool).resolve(PREFIX + blockId + REMOVED));
  }

  /** Whether another DataNode has sent a replica of a volume, as far as can be read. */
  static boolean isReceived(Path volumeRoot, String blockPool, long blockId) {
    Path directory = volumeRoot.resolve(FEATURE).resolve(blockPool);
    try {
      return new UpdateDirectory(directory, blockPool).use(blockId).copies()
          == ReplicaUse.Copies.RECEIVED;
    } catch (IOException e) {
      LOG.warn("Cannot tell where a replica has come from: directory={}", directory, e);
      return false;
    }
  }

  /**
   * Whether replicas of a volume were ever admitted, of any block pool. Those that are gone count:
   * a rollback of HDFS brings back their files as they were before its upgrade, but not what the
   * log had for them then.
   */
  static boolean hasEverAdmitted(Path volumeRoot) throws IOException {
    Path feature = volumeRoot.resolve(FEATURE);
    if (!Files.isDirectory(feature)) {
      return false;
    }
    try (Stream<Path> all = Files.walk(feature, 2)) {
      return all.map(file -> file.getFileName().toString())
          .anyMatch(
              name ->
                  name.equals(EVER_ADMITTED) || name.endsWith(ADMITTED) || name.endsWith(REMOVED));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Makes it if it is not there. Names in it are durable on return, also those that a process has
   * changed which was killed before it had forced them: whoever finds them acts on them.
   */
  static UpdateDirectory open(Path volumeRoot, String blockPool) throws IOException {
    Path feature = volumeRoot.resolve(FEATURE);
    Path directory = feature.resolve(blockPool);
    PrivateFiles.secure(feature);
    PrivateFiles.secure(directory);
    AtomicFiles.syncDirectory(directory);
    AtomicFiles.syncDirectory(feature);
    AtomicFiles.syncDirectory(volumeRoot);
    return new UpdateDirectory(directory, blockPool);
  }

  Path log() {
    return directory.resolve(UPDATE_LOG);
  }

  Path state(long blockId) {
    return file(blockId, STATE);
  }

  Path reservedSpace(long blockId) {
    return file(blockId, RESERVED);
  }

  Path copiedData(long blockId) {
    return file(blockId, COPIED_DATA);
  }

  Path copiedMeta(long blockId) {
    return file(blockId, COPIED_META);
  }

  /** Deletes copies that a crash has left before they took the place of anything. */
  void deleteCopies() throws IOException {
    for (Path file : list(directory)) {
      String name = file.getFileName().toString();
      if (name.startsWith(PREFIX) && (name.endsWith(COPIED_DATA) || name.endsWith(COPIED_META))) {
        Files.deleteIfExists(file);
      }
    }
  }

  private Path file(long blockId, String suffix) {
    return directory.resolve(PREFIX + blockId + suffix);
  }

  /** What was found: descriptors, and why some could not be read. */
  record Found(Map<Long, ReplicaDescriptor> descriptors, Map<Long, IOException> damaged) {
    boolean isEmpty() {
      return descriptors.isEmpty() && damaged.isEmpty();
    }
  }

  Found admitted() throws IOException {
    return find(ADMITTED);
  }

  Found removed() throws IOException {
    return find(REMOVED);
  }

  private Found find(String suffix) throws IOException {
    Found found = new Found(new TreeMap<>(), new TreeMap<>());
    for (Path file : list(directory)) {
      if (!file.getFileName().toString().endsWith(suffix)) {
        continue;
      }
      long blockId = blockId(file, suffix);
      try {
        found
            .descriptors()
            .put(
                blockId,
                ReplicaDescriptor.decode(
                    Files.readAllBytes(file), new ReplicaKey(blockPool, blockId), file.toString()));
      } catch (IOException e) {
        found.damaged().put(blockId, e);
      }
    }
    return found;
  }

  private static long blockId(Path file, String suffix) throws IOException {
    String name = file.getFileName().toString();
    try {
      return Long.parseLong(name.substring(PREFIX.length(), name.length() - suffix.length()));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new IOException(
          ErrorMessage.to("read descriptors")
              .value("name", name)
              .expected(PREFIX + "ID" + suffix)
              .file(file)
              .message(),
          e);
    }
  }

  /** Notes that a replica may change from now on. */
  void admit(long blockId, ReplicaDescriptor descriptor) throws IOException {
    Path marker = directory.resolve(EVER_ADMITTED);
    if (!Files.exists(marker)) {
      AtomicFiles.replace(marker, new byte[0]);
    }
    AtomicFiles.replace(
        file(blockId, ADMITTED), descriptor.encode(new ReplicaKey(blockPool, blockId)));
  }

  /**
   * Which sessions use a replica; of one without a note nothing is known.
   *
   * @throws IOException if the note cannot be read
   */
  ReplicaUse.Kept use(long blockId) throws IOException {
    Path file = file(blockId, USE);
    try {
      return ReplicaUse.Kept.decode(
          Files.readAllBytes(file), new ReplicaKey(blockPool, blockId), file.toString());
    } catch (NoSuchFileException e) {
      return ReplicaUse.Kept.NOTHING;
    }
  }

  /** Whether a reconstruction may have read a replica, admitted or not. */
  boolean isCopied(long blockId) {
    try {
      return use(blockId).isCopied();
    } catch (IOException e) {
      return true; // what cannot be read may have said so
    }
  }

  /** Forgets who has used a replica. */
  void forgetUse(long blockId) throws IOException {
    Files.deleteIfExists(file(blockId, USE));
  }

  /** Notes which sessions use a replica: durable on return. */
  void keepUse(long blockId, ReplicaUse.Kept use) throws IOException {
    AtomicFiles.replace(file(blockId, USE), use.encode(new ReplicaKey(blockPool, blockId)));
  }

  /**
   * Notes that a replica is being deleted, or is gone.
   *
   * @throws IOException if that is not noted, as where the disk was unmounted: its changes must not
   *     be dropped then
   */
  void remove(long blockId) throws IOException {
    Path admitted = file(blockId, ADMITTED);
    Path removed = file(blockId, REMOVED);
    try {
      AtomicFiles.rename(admitted, removed);
    } catch (NoSuchFileException e) {
      if (!Files.exists(removed)) {
        throw new IOException(
            ErrorMessage.to("drop the changes of a replica")
                .value("descriptor", "none")
                .expected("the one that was written at its admission; is the disk mounted?")
                .file(admitted)
                .message(),
            e);
      }
      AtomicFiles.syncName(removed); // an earlier call has got so far
    }
  }

  /** Notes that a file of a block is not its replica: it lacks changes. Durable on return. */
  void keepOut(long blockId, ReplicaDescriptor descriptor) throws IOException {
    AtomicFiles.replace(
        file(blockId, REMOVED), descriptor.encode(new ReplicaKey(blockPool, blockId)));
  }

  /** What the engine has kept of a replica that it has released. */
  void deleteState(long blockId) throws IOException {
    Files.deleteIfExists(state(blockId));
    Files.deleteIfExists(reservedSpace(blockId));
  }

  /** Forgets a replica whose files are gone. */
  void forget(long blockId) throws IOException {
    deleteState(blockId);
    Files.deleteIfExists(file(blockId, ADMITTED));
    Files.deleteIfExists(file(blockId, REMOVED));
    Files.deleteIfExists(file(blockId, USE));
    AtomicFiles.syncDirectory(directory);
  }

  /** Forgets that an earlier replica of a block was being deleted. */
  void forgetRemoved(long blockId) throws IOException {
    if (Files.deleteIfExists(file(blockId, REMOVED))) {
      if (!Files.exists(file(blockId, ADMITTED))) {
        Files.deleteIfExists(file(blockId, USE));
      }
      AtomicFiles.syncDirectory(directory);
    }
  }
}
