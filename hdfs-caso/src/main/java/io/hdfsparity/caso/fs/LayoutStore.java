/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import io.hdfsparity.bridge.client.OrderedFileReader;
import io.hdfsparity.bridge.guard.CallerAbilities;
import io.hdfsparity.caso.layout.FileOrder;
import io.hdfsparity.caso.layout.LayoutIndex;
import io.hdfsparity.caso.layout.LayoutPointer;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSStripedInputStream;
import org.apache.hadoop.hdfs.InodePaths;
import org.apache.hadoop.hdfs.InodeStreams;
import org.apache.hadoop.hdfs.StoredStreams;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.io.IOUtils;

/**
 * Opens files in their own order, whether they are stored in it or not.
 *
 * <p>Which order a stored file is in stands in an attribute of its inode ({@link LayoutPointer}).
 * Stream, status and attribute come by calls of their own, between which another file may take the
 * place of this one, so it is seen to that all are of one inode: an inode never changes its order.
 *
 * <p>For the same reason a stream stays with its inode as long as it is open: it asks the NameNode
 * for blocks by inode, and fails when that is gone. Hadoop's ask by path, and would go on with the
 * blocks of the file that has taken its place, by the order of this one. That holds for striped
 * files in their own order, too: they may get another one. Only streams of encrypted files, which
 * are never stored in another order, ask by path. The suite's client knows these files by their
 * initialization vector.
 *
 * <p><b>Snapshots.</b> A file that is in a snapshot only has no path by inode, and its path leads
 * to another file when the snapshot is deleted and made again. So the attribute is asked for by
 * path, between two looks that see the same inode and block pool, and the stream stays with the
 * blocks that the file had at the second look: files in snapshots do not change.
 *
 * <p><b>Routers.</b> A Router in front of several NameNodes leads paths by inode to one of them,
 * whichever has the file ({@link InodePaths}). There it is as for snapshots, but for a stream that
 * can ask by inode.
 *
 * <p>Index files never change, so those that were read are kept, up to a number of runs.
 * Thread-safe.
 */
final class LayoutStore implements OrderedFileReader {
  private static final int ATTEMPTS = 5;

  /** Runs kept, 28 bytes each. */
  private static final long KEPT_RUNS = 1_000_000;

  private static final String SNAPSHOT = "/.snapshot/";

  private final DFSClient client;
  private final InodePaths inodes;

  /** By SHA-256, the one used longest ago first. */
  private final Map<String, LayoutIndex> kept =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

  private long keptRuns;

  LayoutStore(DFSClient client) {
    this.client = client;
    this.inodes = InodePaths.of(client);
  }

  /** The stored bytes of a file, by whatever client: who asks for them here knows the order. */
  HdfsDataInputStream openStored(String path) throws IOException {
    try (CallerAbilities.Statement ignored = CallerAbilities.state(CallerAbilities.ORDERS)) {
      return StoredStreams.open(client, path);
    }
  }

  private HdfsLocatedFileStatus located(String path, boolean needsTokens) throws IOException {
    try (CallerAbilities.Statement ignored = CallerAbilities.state(CallerAbilities.ORDERS)) {
      return client.getLocatedFileInfo(path, needsTokens);
    }
  }

  @Override
  public HdfsDataInputStream open(String path) throws IOException {
    for (int attempt = 1; ; attempt++) {
      Optional<HdfsDataInputStream> in = inOrder(openStored(path), path);
      if (in.isPresent()) {
        return in.get();
      }
      if (attempt == ATTEMPTS) {
        throw changing(path);
      }
    }
  }

  private static IOException changing(String path) {
    return new IOException(
        ErrorMessage.to("open a file")
            .value("attempts", ATTEMPTS)
            .expected("the path to lead to one file for a moment")
            .where("file", path)
            .message());
  }

  @Override
  public Optional<HdfsDataInputStream> inOrder(HdfsDataInputStream stored, String path)
      throws IOException {
    HdfsDataInputStream used = stored;
    boolean isKept = false;
    try {
      List<LocatedBlock> blocks = stripedBlocks(stored);
      if (blocks.isEmpty()) {
        // Only striped files are ever stored in another order, and those of no byte have none.
        isKept = true;
        return Optional.of(stored);
      }
      LocatedBlock first = blocks.get(0);
      HdfsLocatedFileStatus status = located(path, /* needsTokens= */ false);
      if (status == null || !InodePaths.beginsWith(status, first)) {
        return Optional.empty();
      }
      Optional<LayoutPointer> pointer;
      if (status.getFileEncryptionInfo() != null) {
        pointer = pointer(status, path);
      } else if (isInSnapshot(path) || !inodes.isOneNamespace(first)) {
        pointer = pointer(path, status, path);
        HdfsLocatedFileStatus again = located(path, /* needsTokens= */ true);
        if (again == null
            || again.getFileId() != status.getFileId()
            || !InodePaths.beginsWith(again, first)) {
          return Optional.empty();
        }
        used =
            !isInSnapshot(path) && inodes.leadTo(status.getFileId(), first)
                ? byInode(stored, status.getFileId())
                : bound(stored, again.getLocatedBlocks());
      } else {
        pointer = pointer(status, path);
        used = byInode(stored, status.getFileId());
      }
      Optional<FileOrder> order;
      try {
        order = order(pointer, status, path);
      } catch (IOException e) {
        if (isStill(status, pointer, path)) {
          throw e;
        }
        // Replaced since, and its index deleted: nothing is wrong with what is there now.
        return Optional.empty();
      }
      HdfsDataInputStream in = inOrder(used, order, path);
      isKept = true;
      return Optional.of(in);
    } catch (FileNotFoundException e) {
      if (status(path).isEmpty()) {
        throw e;
      }
      return Optional.empty();
    } finally {
      if (!isKept) {
        IOUtils.closeStream(used);
      }
    }
  }

  /** Whether a path leads to the same file, in the same order, still. */
  private boolean isStill(HdfsFileStatus status, Optional<LayoutPointer> pointer, String path)
      throws IOException {
    Optional<HdfsFileStatus> now = status(path);
    return now.isPresent()
        && now.get().getFileId() == status.getFileId()
        && pointer(status, path).equals(pointer);
  }

  /** The same stream by inode; closes the one that it is made of. */
  private static HdfsDataInputStream byInode(HdfsDataInputStream stored, long inodeId)
      throws IOException {
    try (stored) {
      return InodeStreams.of((DFSStripedInputStream) stored.getWrappedStream(), inodeId);
    }
  }

  /** The same stream by its path, with these blocks only; closes the one that it is made of. */
  private static HdfsDataInputStream bound(HdfsDataInputStream stored, LocatedBlocks all)
      throws IOException {
    try (stored) {
      return InodeStreams.bound((DFSStripedInputStream) stored.getWrappedStream(), all);
    }
  }

  private static HdfsDataInputStream inOrder(
      HdfsDataInputStream stored, Optional<FileOrder> order, String path) {
    return order.isEmpty()
        ? stored
        : new OrderedDataInputStream(stored, new CasoInputStream(stored, order.get(), path));
  }

  /**
   * The stream of a file in its own order, with what a client that knows of no order may have
   * appended: see {@link #indexOfBeginning}.
   *
   * @param stored of the stored file; left open if this fails
   * @param status of the inode that the stream is of
   * @param path for messages
   * @throws IOException as for {@link #indexOfBeginning}
   */
  HdfsDataInputStream withAppended(HdfsDataInputStream stored, HdfsFileStatus status, String path)
      throws IOException {
    Optional<LayoutIndex> index = indexOfBeginning(status, path);
    return inOrder(
        stored,
        index.isEmpty() ? Optional.empty() : Optional.of(order(index.get(), status.getLen(), path)),
        path);
  }

  @Override
  public boolean isOrdered(String path) throws IOException {
    Optional<HdfsFileStatus> status = status(path);
    return status.isPresent()
        && status.get().getErasureCodingPolicy() != null
        && !status.get().isDirectory()
        && pointer(status.get(), path).isPresent();
  }

  private static boolean isInSnapshot(String path) {
    return path.contains(SNAPSHOT);
  }

  private static List<LocatedBlock> stripedBlocks(HdfsDataInputStream in) throws IOException {
    boolean isStriped = in.getWrappedStream() instanceof DFSStripedInputStream;
    return isStriped && in.getVisibleLength() > 0 ? in.getAllBlocks() : List.of();
  }

  private Optional<HdfsFileStatus> status(String path) throws IOException {
    return Optional.ofNullable(client.getFileInfo(path));
  }

  /**
   * The index of a file; empty if it is stored in its own order.
   *
   * @throws FileNotFoundException if there is no file of that inode any more
   * @throws IOException if the index is missing, damaged or another file's
   */
  Optional<LayoutIndex> index(HdfsFileStatus status, String path) throws IOException {
    return index(pointer(status, path), status, path);
  }

  private Optional<LayoutIndex> index(
      Optional<LayoutPointer> pointer, HdfsFileStatus status, String path) throws IOException {
    Optional<LayoutIndex> index = indexOfBeginning(pointer, status, path);
    if (index.isPresent()) {
      IndexFiles.requireLength(index.get(), status.getLen(), path);
    }
    return index;
  }

  /**
   * The index of a file to which a client that knows of no order may have appended. Whether it has
   * appended bytes or given the file the blocks of another one that was in stored order (concat),
   * nobody can tell: for callers that learn that the file is longer, not for readers.
   *
   * @throws IOException as for {@link #index}, but for a file that is longer
   */
  Optional<LayoutIndex> indexOfBeginning(HdfsFileStatus status, String path) throws IOException {
    return indexOfBeginning(pointer(status, path), status, path);
  }

  private Optional<LayoutIndex> indexOfBeginning(
      Optional<LayoutPointer> pointer, HdfsFileStatus status, String path) throws IOException {
    return pointer.isEmpty() ? Optional.empty() : Optional.of(read(pointer.get(), status, path));
  }

  /**
   * The index of a file whose bytes are not there yet.
   *
   * @param lengthBytes that it will have
   * @throws IOException as for {@link #index}
   */
  Optional<LayoutIndex> indexAhead(HdfsFileStatus status, long lengthBytes, String path)
      throws IOException {
    Optional<LayoutPointer> pointer = pointer(status, path);
    if (pointer.isEmpty()) {
      return Optional.empty();
    }
    LayoutIndex index = IndexFiles.decode(sealed(pointer.get(), path), pointer.get(), path);
    IndexFiles.requireOwner(index, status.getFileId(), path);
    IndexFiles.requireLength(index, lengthBytes, path);
    return Optional.of(index);
  }

  /**
   * The order of a file's bytes; empty if it is stored in its own order.
   *
   * @throws IOException as for {@link #index}
   */
  Optional<FileOrder> order(HdfsFileStatus status, String path) throws IOException {
    return order(pointer(status, path), status, path);
  }

  private Optional<FileOrder> order(
      Optional<LayoutPointer> pointer, HdfsFileStatus status, String path) throws IOException {
    Optional<LayoutIndex> index = index(pointer, status, path);
    return index.isEmpty()
        ? Optional.empty()
        : Optional.of(order(index.get(), status.getLen(), path));
  }

  /**
   * What a file says of its index; empty if it is stored in its own order.
   *
   * @param status as {@code path} has shown it a moment ago
   */
  Optional<LayoutPointer> pointer(HdfsFileStatus status, String path) throws IOException {
    if (isInSnapshot(path)) {
      // A file that is in a snapshot only has no path by its inode, and does not change.
      return pointer(path, status, path);
    }
    if (inodes.isOneNamespace()) {
      return pointer(InodePaths.path(status.getFileId()), status, path);
    }
    Optional<LayoutPointer> pointer = pointer(path, status, path);
    if (status(path).stream().noneMatch(now -> now.getFileId() == status.getFileId())) {
      throw new FileNotFoundException(
          ErrorMessage.to("read the order of a file")
              .value("inode", "another")
              .expected(status.getFileId() + ", to which the path led a moment ago")
              .where("file", path)
              .message());
    }
    return pointer;
  }

  private Optional<LayoutPointer> pointer(String place, HdfsFileStatus status, String path)
      throws IOException {
    byte[] value = client.getXAttrs(place).get(LayoutPointer.XATTR);
    if (value == null) {
      return Optional.empty();
    }
    LayoutPointer pointer = LayoutPointer.decode(value, path);
    if (pointer.fileId() != status.getFileId()) {
      throw IndexFiles.refused(
          "inode",
          status.getFileId(),
          pointer.fileId()
              + ", to which "
              + LayoutPointer.XATTR
              + " belongs: the file is a copy that was made with its attributes. If it was copied"
              + " in its own order, have a superuser remove the attribute",
          path);
    }
    return Optional.of(pointer);
  }

  private LayoutIndex read(LayoutPointer pointer, HdfsFileStatus status, String path)
      throws IOException {
    synchronized (kept) {
      LayoutIndex known = kept.get(pointer.sha256());
      if (known != null) {
        IndexFiles.requireOwner(known, status.getFileId(), path);
        return known;
      }
    }
    LayoutIndex index = IndexFiles.decode(sealed(pointer, path), pointer, status, path);
    keep(pointer.sha256(), index);
    return index;
  }

  private byte[] sealed(LayoutPointer pointer, String path) throws IOException {
    try {
      return IndexFiles.bytes(client, pointer, pointer.index(), path);
    } catch (IOException e) {
      if (inodes.isOneNamespace()) {
        throw e;
      }
      throw new IOException(
          e.getMessage()
              + "; this may be a Router: let it lead "
              + pointer.folder()
              + " to the nameservice of the file, or use the nameservice itself",
          e);
    }
  }

  private void keep(String sha256, LayoutIndex index) {
    synchronized (kept) {
      if (kept.putIfAbsent(sha256, index) == null) {
        keptRuns += index.order().runCount();
      }
      while (keptRuns > KEPT_RUNS) {
        Map.Entry<String, LayoutIndex> oldest = kept.entrySet().iterator().next();
        keptRuns -= oldest.getValue().order().runCount();
        kept.remove(oldest.getKey());
      }
    }
  }

  private static FileOrder order(LayoutIndex index, long lengthBytes, String path)
      throws IOException {
    try {
      return new FileOrder(index, lengthBytes);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage() + ", file=" + path, e);
    }
  }
}
