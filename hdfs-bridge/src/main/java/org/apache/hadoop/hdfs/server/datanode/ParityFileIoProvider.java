/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode;

import io.hdfsparity.bridge.datanode.VolumeHooks;
import io.hdfsparity.core.store.DirectoryListing;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.datanode.ReplicaFileName.Area;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file operations of one volume: asks the volume's hooks before a block or checksum file is
 * deleted, moved to trash or cut. All other operations, and all other files, are the superclass's.
 *
 * <p>Why here: replicas and BlockPoolSlice do all of these through the volume's FileIoProvider,
 * whatever led to them.
 *
 * <p>A delete that the hook refuses returns false and the file stays: the methods cannot throw, and
 * for Hadoop a false is a failed delete, which the directory scanner finds again (told by {@link
 * DeleteRefused}). A delete that the hook has done itself (limbo) returns true, so that HDFS'
 * accounting continues.
 *
 * <p>Trash (rolling upgrade): the file first gets its name in trash as a hard link, then the hook
 * may take the other name. So a rollback gets every byte back although the parity no longer covers
 * it. Blocks are never written in trash, so the shared inode is safe; after a restore Hadoop breaks
 * hard links before it appends or cuts.
 *
 * <p>Reaches: ProfilingFileIoEvents (package-private type of the public getProfilingEventHook).
 * Checked for Hadoop 3.5.0; there FaultInjectorFileIoEvents does nothing, so the operations that
 * are done here do not call it. Thread-safe.
 */
public final class ParityFileIoProvider extends FileIoProvider {
  private static final Logger LOG = LoggerFactory.getLogger(ParityFileIoProvider.class);
  private final DataNode datanode;
  private final File currentDir;
  private final VolumeHooks hooks;
  private final DeleteRefused deleteRefused;

  /** Notified that a file that HDFS has deleted stays. */
  public interface DeleteRefused {
    /**
     * Called for each file.
     *
     * @param finalized the block file or checksum file of a finalized replica; null if it is of
     *     another
     */
    void refused(String blockPoolId, long blockId, @Nullable File finalized);
  }

  private enum Removal {
    TAKEN,
    LEFT_TO_CALLER,
    REFUSED
  }

  /**
   * Makes the provider of one volume.
   *
   * @param currentDir the volume's {@code current} directory
   */
  public ParityFileIoProvider(
      Configuration conf,
      DataNode datanode,
      File currentDir,
      VolumeHooks hooks,
      DeleteRefused deleteRefused) {
    super(conf, datanode);
    this.datanode = datanode;
    this.currentDir = currentDir;
    this.hooks = hooks;
    this.deleteRefused = deleteRefused;
  }

  private @Nullable ReplicaFileName parse(File file) {
    return ReplicaFileName.parse(currentDir, file);
  }

  @Override
  public boolean delete(@Nullable FsVolumeSpi volume, File file) {
    ReplicaFileName name = parse(file);
    if (name == null || !file.exists()) {
      return super.delete(volume, file);
    }
    return switch (remove(volume, name, file)) {
      case TAKEN -> true;
      case LEFT_TO_CALLER -> super.delete(volume, file);
      case REFUSED -> false;
    };
  }

  @Override
  public boolean deleteWithExistsCheck(@Nullable FsVolumeSpi volume, File file) {
    ReplicaFileName name = parse(file);
    if (name == null || !file.exists()) {
      return super.deleteWithExistsCheck(volume, file);
    }
    return switch (remove(volume, name, file)) {
      case TAKEN -> true;
      case LEFT_TO_CALLER -> super.deleteWithExistsCheck(volume, file);
      case REFUSED -> false;
    };
  }

  @Override
  public boolean fullyDelete(@Nullable FsVolumeSpi volume, File fileOrDir) {
    ReplicaFileName name = parse(fileOrDir);
    if (name == null || fileOrDir.isDirectory()) {
      return (!isRealDirectory(fileOrDir) || deleteReplicasIn(volume, fileOrDir))
          && super.fullyDelete(volume, fileOrDir);
    }
    if (!fileOrDir.exists()) {
      return super.fullyDelete(volume, fileOrDir);
    }
    return switch (remove(volume, name, fileOrDir)) {
      case TAKEN -> true;
      case LEFT_TO_CALLER -> super.fullyDelete(volume, fileOrDir);
      case REFUSED -> false;
    };
  }

  private static boolean isRealDirectory(File file) {
    return file.isDirectory() && !Files.isSymbolicLink(file.toPath());
  }

  /** Deletes every block and checksum file below {@code dir}; false when one has to stay. */
  private boolean deleteReplicasIn(@Nullable FsVolumeSpi volume, File dir) {
    File[] children = dir.listFiles();
    if (children == null) {
      return true;
    }
    // A block file sorts before its checksum file: the order that hooks are promised.
    Arrays.sort(children, Comparator.comparing(File::getName));
    boolean allGone = true;
    for (File child : children) {
      if (isRealDirectory(child)) {
        allGone &= deleteReplicasIn(volume, child);
      } else if (parse(child) != null) {
        allGone &= deleteWithExistsCheck(volume, child);
      }
    }
    return allGone;
  }

  private Removal remove(@Nullable FsVolumeSpi volume, ReplicaFileName name, File file) {
    ProfilingFileIoEvents events = getProfilingEventHook();
    long begin = events.beforeMetadataOp(volume, OPERATION.DELETE);
    try {
      boolean taken = hooks.removing(name.blockPoolId(), file);
      if (taken) {
        events.afterMetadataOp(volume, OPERATION.DELETE, begin);
      }
      return taken ? Removal.TAKEN : Removal.LEFT_TO_CALLER;
    } catch (IOException | RuntimeException e) {
      events.onFailure(volume, begin);
      LOG.error(
          "Cannot delete replica file: file={}, expected the volume's hooks to release it; it stays",
          file,
          e);
      deleteRefused(name, file);
      return Removal.REFUSED;
    }
  }

  private void deleteRefused(ReplicaFileName name, File file) {
    deleteRefused.refused(
        name.blockPoolId(), name.blockId(), name.area() == Area.FINALIZED ? file : null);
  }

  private interface Move {
    void run() throws IOException;
  }

  @Override
  public void rename(@Nullable FsVolumeSpi volume, File source, File target) throws IOException {
    moving(volume, source, target, () -> super.rename(volume, source, target));
  }

  @Override
  public void moveFile(@Nullable FsVolumeSpi volume, File source, File target) throws IOException {
    moving(volume, source, target, () -> super.moveFile(volume, source, target));
  }

  @Override
  public void move(@Nullable FsVolumeSpi volume, Path source, Path target, CopyOption... options)
      throws IOException {
    moving(
        volume,
        source.toFile(),
        target.toFile(),
        () -> super.move(volume, source, target, options));
  }

  // Between finalized/, rbw/ and tmp/ the volume has asked its hooks already (ParityVolume): only
  // trash is left.
  private void moving(@Nullable FsVolumeSpi volume, File source, File target, Move move)
      throws IOException {
    ReplicaFileName to = parse(target);
    ReplicaFileName from = parse(source);
    if (from == null || to == null || to.area() != Area.TRASH) {
      move.run();
      return;
    }
    ProfilingFileIoEvents events = getProfilingEventHook();
    long begin = events.beforeMetadataOp(volume, OPERATION.MOVE);
    try {
      moveToTrash(from, source, target);
      events.afterMetadataOp(volume, OPERATION.MOVE, begin);
    } catch (IOException | RuntimeException e) {
      events.onFailure(volume, begin);
      deleteRefused(from, source);
      throw e;
    }
  }

  private void moveToTrash(ReplicaFileName from, File source, File target) throws IOException {
    if (from.meta() && !source.exists() && target.exists()) {
      return; // The hook took it together with the block file; trash has had its name since then.
    }
    link(source, target);
    if (!from.meta()) {
      File meta = latestMeta(source);
      link(meta, new File(target.getParentFile(), meta.getName()));
    }
    // When the hook refuses, the links stay: the replica then has both names, as after a crash
    // between the two steps.
    if (!hooks.removing(from.blockPoolId(), source)) {
      Files.delete(source.toPath());
    }
  }

  /**
   * The checksum file of a block file. FsDatasetUtil.findMetaFile refuses two of them, as a crash
   * between Hadoop's renames leaves behind; stamps only rise.
   */
  private static File latestMeta(File blockFile) throws IOException {
    Path directory = blockFile.toPath().toAbsolutePath().getParent();
    return DirectoryListing.of(directory, blockFile.getName() + "_*.meta").stream()
        .max(Comparator.comparingLong(meta -> Block.getGenerationStamp(meta.toFile().getName())))
        .orElseThrow(() -> new FileNotFoundException("No checksum file beside " + blockFile))
        .toFile();
  }

  private static void link(File source, File target) throws IOException {
    Files.deleteIfExists(target.toPath());
    Files.createLink(target.toPath(), source.toPath());
  }

  @Override
  public RandomAccessFile getRandomAccessFile(@Nullable FsVolumeSpi volume, File file, String mode)
      throws FileNotFoundException {
    ReplicaFileName name = parse(file);
    if (name == null || name.meta() || !mode.contains("w")) {
      return super.getRandomAccessFile(volume, file, mode);
    }
    return new CuttableFile(volume, name, file, mode);
  }

  /**
   * A block file open for writing whose hooks are asked before it is cut. Profiled as the
   * superclass's is.
   */
  private final class CuttableFile extends RandomAccessFile {
    private final @Nullable FsVolumeSpi volume;
    private final ReplicaFileName name;
    private final File file;

    CuttableFile(@Nullable FsVolumeSpi volume, ReplicaFileName name, File file, String mode)
        throws FileNotFoundException {
      super(file, mode);
      this.volume = volume;
      this.name = name;
      this.file = file;
    }

    @Override
    public void setLength(long newLengthBytes) throws IOException {
      if (newLengthBytes < length()) {
        hooks.truncating(
            name.blockPoolId(), name.blockId(), file, latestMeta(file), newLengthBytes);
      }
      super.setLength(newLengthBytes);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      ProfilingFileIoEvents events = getProfilingEventHook();
      long begin = events.beforeFileIo(volume, OPERATION.READ, length);
      try {
        int count = super.read(bytes, offset, length);
        events.afterFileIo(volume, OPERATION.READ, begin, count);
        return count;
      } catch (IOException | RuntimeException e) {
        failed(begin);
        throw e;
      }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      ProfilingFileIoEvents events = getProfilingEventHook();
      long begin = events.beforeFileIo(volume, OPERATION.WRITE, length);
      try {
        super.write(bytes, offset, length);
        events.afterFileIo(volume, OPERATION.WRITE, begin, length);
      } catch (IOException | RuntimeException e) {
        failed(begin);
        throw e;
      }
    }

    private void failed(long begin) {
      if (volume != null) {
        datanode.checkDiskErrorAsync(volume);
      }
      getProfilingEventHook().onFailure(volume, begin);
    }
  }
}
