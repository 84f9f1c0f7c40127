/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.image;

import io.hdfsparity.core.store.DirectoryListing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds replicas in a data directory by path, without asking the dataset: its locks may be held by
 * a thread that waits for us. Layout -57 of HDFS
 * (org.apache.hadoop.hdfs.server.datanode.DatanodeUtil#idToBlockDir, BlockPoolSlice).
 *
 * <p>Thread-safe. What it answers may be out of date at once; openers retry.
 */
public final class FrameDirectory {
  static final String FINALIZED = "finalized";
  private static final String CURRENT = "current";
  private static final int SUBDIR_MASK = 0x1F;

  private final Path root;

  /**
   * @param root entry of dfs.datanode.data.dir
   */
  public FrameDirectory(Path root) {
    this.root = root;
  }

  public Path root() {
    return root;
  }

  /** Directory in which a finalized replica lies. */
  public Path finalizedDirectory(String blockPoolId, long blockId) {
    return root.resolve(CURRENT)
        .resolve(blockPoolId)
        .resolve(CURRENT)
        .resolve(FINALIZED)
        .resolve("subdir" + ((blockId >> 16) & SUBDIR_MASK))
        .resolve("subdir" + ((blockId >> 8) & SUBDIR_MASK));
  }

  /** Directory of replicas being written. */
  public Path rbwDirectory(String blockPoolId) {
    return root.resolve(CURRENT).resolve(blockPoolId).resolve(CURRENT).resolve("rbw");
  }

  /** Directory of replicas being copied from another node. */
  public Path temporaryDirectory(String blockPoolId) {
    return root.resolve(CURRENT).resolve(blockPoolId).resolve("tmp");
  }

  /** Whether HDFS would take the file for a replica: not trash, not limbo. */
  public boolean isLivePlace(String blockPoolId, Path file) {
    return file.startsWith(
            root.resolve(CURRENT).resolve(blockPoolId).resolve(CURRENT).resolve(FINALIZED))
        || file.startsWith(rbwDirectory(blockPoolId))
        || file.startsWith(temporaryDirectory(blockPoolId));
  }

  /** The finalized replica of a block. */
  public Optional<ReplicaFiles> findFinalized(String blockPoolId, long blockId) throws IOException {
    return findIn(finalizedDirectory(blockPoolId, blockId), blockId);
  }

  /** The replica of a block, finalized or not. */
  public Optional<ReplicaFiles> find(String blockPoolId, long blockId) throws IOException {
    for (Path directory :
        List.of(
            finalizedDirectory(blockPoolId, blockId),
            rbwDirectory(blockPoolId),
            temporaryDirectory(blockPoolId))) {
      Optional<ReplicaFiles> found = findIn(directory, blockId);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /** The replica whose block file lies there. */
  public static Optional<ReplicaFiles> findIn(Path directory, long blockId) throws IOException {
    Path data = directory.resolve("blk_" + blockId);
    // Where that cannot be told, as the directory cannot be read, the look below says why.
    if (Files.notExists(data)) {
      return Optional.empty();
    }
    Optional<Path> meta = findMeta(directory, blockId);
    return meta.isPresent() ? Optional.of(ReplicaFiles.of(data, meta.get())) : Optional.empty();
  }

  /**
   * The checksum file of a block, whether or not its block file is there. Of several the latest: a
   * crash between the renames of checksum and block file leaves one behind, and stamps only rise.
   */
  public static Optional<Path> findMeta(Path directory, long blockId) throws IOException {
    try {
      return DirectoryListing.of(directory, "blk_" + blockId + "_*.meta").stream()
          .max(Comparator.comparingLong(ReplicaFiles::stampOf));
    } catch (NoSuchFileException | NotDirectoryException e) {
      return Optional.empty();
    }
  }

  /** Whether any block pool of the directory holds a block file. */
  public boolean holdsBlocks() throws IOException {
    return holdsBlocks(root.resolve(CURRENT));
  }

  private static boolean holdsBlocks(Path directory) throws IOException {
    for (Path entry : entries(directory)) {
      if (ReplicaFiles.isData(entry) || (isDirectory(entry) && holdsBlocks(entry))) {
        return true;
      }
    }
    return false;
  }

  /** Replicas of a pool with both files, from the directories, which may change meanwhile. */
  public List<ReplicaFiles> scan(String blockPoolId) throws IOException {
    List<ReplicaFiles> found = new ArrayList<>();
    for (Path top :
        List.of(
            root.resolve(CURRENT).resolve(blockPoolId).resolve(CURRENT).resolve(FINALIZED),
            rbwDirectory(blockPoolId),
            temporaryDirectory(blockPoolId))) {
      scan(top, found);
    }
    return found;
  }

  private static void scan(Path directory, List<ReplicaFiles> found) throws IOException {
    List<Path> data = new ArrayList<>();
    Map<Long, List<Path>> metas = new HashMap<>();
    for (Path entry : entries(directory)) {
      if (ReplicaFiles.isData(entry)) {
        data.add(entry);
      } else if (ReplicaFiles.isMeta(entry)) {
        metas.computeIfAbsent(ReplicaFiles.blockIdOf(entry), id -> new ArrayList<>()).add(entry);
      } else if (isDirectory(entry)) {
        scan(entry, found);
      }
    }
    for (Path file : data) {
      long blockId = ReplicaFiles.blockIdOf(file);
      List<Path> own = metas.getOrDefault(blockId, List.of());
      if (own.size() == 1) {
        found.add(ReplicaFiles.of(file, own.get(0)));
      } else {
        // It may have been renamed while the directory was listed.
        findIn(directory, blockId).ifPresent(found::add);
      }
    }
  }

  /** None of a directory that is not there, or not any more. */
  private static List<Path> entries(Path directory) throws IOException {
    try {
      return DirectoryListing.of(directory, "*");
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  /** Whether it is one, and still there; {@link Files#isDirectory} hides other failures. */
  private static boolean isDirectory(Path entry) throws IOException {
    try {
      return Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .isDirectory();
    } catch (NoSuchFileException e) {
      return false;
    }
  }
}
