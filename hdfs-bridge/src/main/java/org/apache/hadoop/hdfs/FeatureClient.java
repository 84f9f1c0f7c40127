/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import io.hdfsparity.bridge.client.ClientFeatures;
import io.hdfsparity.bridge.client.GroupReader;
import io.hdfsparity.bridge.client.LostBlockReader;
import io.hdfsparity.bridge.client.OrderedFileReader;
import io.hdfsparity.bridge.guard.CallerAbilities;
import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.MD5MD5CRC32FileChecksum;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.BatchedDirectoryListing;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.tracing.TraceScope;
import org.apache.hadoop.util.Progressable;
import org.jspecify.annotations.Nullable;

/**
 * Hadoop's client with the features of this process. Files that a feature claims are read by its
 * {@link GroupReader}; files in stored order in their own, and what would change those without
 * their order is refused. Streams fail when the file is rewritten in another form while they are
 * open. Where it asks for locations, it states what it can do. Without features it is Hadoop's, but
 * for the check of the form.
 *
 * <p>Streams of {@code open} give the stored bytes; {@code createWrappedInputStream} puts them in
 * order. Both file systems of Hadoop call the second for each stream that they hand out.
 *
 * <p>Reaches: DFSClient.open(String, int, boolean) and open(HdfsPathHandle, int, boolean), which
 * are overridden with what they do up to the private openInternal; checkOpen() and
 * newPathTraceScope(String, String), package-private. The other open methods call these two. And
 * getLocatedBlocks(String, long, long), by which the client and its streams ask for locations; all
 * ways to append (append, primitiveCreate), truncate, concat and both getFileChecksum. Checked for
 * Hadoop 3.5.0. Thread-safe as its parent.
 */
public final class FeatureClient extends DFSClient {
  private static final String SNAPSHOT =
      Path.SEPARATOR + HdfsConstants.DOT_SNAPSHOT_DIR + Path.SEPARATOR;

  private final ClientFeatures features;
  private final Clock clock;
  private final GroupForms forms = new GroupForms();
  private final InodePaths inodePaths = new InodePaths(this);

  /** Empty if this client knows no orders. */
  private final Optional<OrderedFileReader> ordered;

  /** Empty if this client computes no lost blocks. */
  private final Optional<LostBlockReader> lostBlocks;

  /**
   * As the parent's, with features.
   *
   * @param statistics of the file system that it is made for
   */
  public FeatureClient(
      URI nameNode, Configuration conf, FileSystem.Statistics statistics, ClientFeatures features)
      throws IOException {
    this(nameNode, conf, statistics, features, Clock.system());
  }

  /** As above; streams take their time from a clock. */
  FeatureClient(
      URI nameNode,
      Configuration conf,
      FileSystem.Statistics statistics,
      ClientFeatures features,
      Clock clock)
      throws IOException {
    super(nameNode, conf, statistics);
    this.features = features;
    this.clock = clock;
    this.ordered = features.orderedFiles(this);
    this.lostBlocks = features.lostBlocks(nameNode, conf);
  }

  Clock clock() {
    return clock;
  }

  InodePaths inodePaths() {
    return inodePaths;
  }

  /** To be closed after the call; null if nothing is stated. */
  private CallerAbilities.@Nullable Statement state() {
    return features.abilities().isEmpty() ? null : CallerAbilities.state(features.abilities());
  }

  @Override
  public DFSInputStream open(String src, int bufferBytes, boolean verifyChecksum)
      throws IOException {
    checkOpen();
    try (TraceScope ignored = newPathTraceScope("newDFSInputStream", src)) {
      return stream(getLocatedBlocks(src, 0), src, src, verifyChecksum, /* isBound= */ false);
    }
  }

  @Override
  public DFSInputStream open(HdfsPathHandle handle, int bufferBytes, boolean verifyChecksum)
      throws IOException {
    checkOpen();
    String src = handle.getPath();
    try (TraceScope ignored = newPathTraceScope("newDFSInputStream", src)) {
      HdfsLocatedFileStatus status = getLocatedFileInfo(src, true);
      handle.verify(status);
      String path = pathOf(status, src);
      return stream(status.getLocatedBlocks(), path, path, verifyChecksum, /* isBound= */ false);
    }
  }

  /**
   * The path for streams of the file that a handle is of. A file that may be in stored order is
   * looked up again to find its order, and must still be that one then.
   *
   * @throws IOException if it cannot be looked up by its inode
   */
  private String pathOf(HdfsLocatedFileStatus status, String src) throws IOException {
    LocatedBlocks blocks = status.getLocatedBlocks();
    boolean mayBeOrdered =
        ordered.isPresent()
            && status.getErasureCodingPolicy() != null
            && status.getFileEncryptionInfo() == null
            && !src.contains(SNAPSHOT)
            && blocks != null
            && blocks.locatedBlockCount() > 0;
    if (!mayBeOrdered) {
      return src;
    }
    if (!inodePaths.leadTo(status.getFileId(), blocks.get(0))) {
      throw InodePaths.notLed("open a file by its handle", src);
    }
    return InodePaths.path(status.getFileId());
  }

  /** The stream in the order of its file. */
  @Override
  public HdfsDataInputStream createWrappedInputStream(DFSInputStream stream) throws IOException {
    HdfsDataInputStream stored = createStoredStream(stream);
    if (ordered.isEmpty()) {
      return stored;
    }
    String path = stream.getSrc();
    Optional<HdfsDataInputStream> inOrder = ordered.get().inOrder(stored, path);
    return inOrder.isPresent() ? inOrder.get() : ordered.get().open(path);
  }

  /** The stream as Hadoop's own client has it. */
  HdfsDataInputStream createStoredStream(DFSInputStream stream) throws IOException {
    return super.createWrappedInputStream(stream);
  }

  @Override
  public HdfsDataOutputStream append(
      String src,
      int bufferBytes,
      EnumSet<CreateFlag> flags,
      Progressable progress,
      FileSystem.Statistics statistics)
      throws IOException {
    requireOwnOrder(src, "append to a file");
    return super.append(src, bufferBytes, flags, progress, statistics);
  }

  @Override
  public HdfsDataOutputStream append(
      String src,
      int bufferBytes,
      EnumSet<CreateFlag> flags,
      Progressable progress,
      FileSystem.Statistics statistics,
      InetSocketAddress[] favoredNodes)
      throws IOException {
    requireOwnOrder(src, "append to a file");
    return super.append(src, bufferBytes, flags, progress, statistics, favoredNodes);
  }

  /** By which FileContext appends. */
  @Override
  public DFSOutputStream primitiveCreate(
      String src,
      FsPermission permission,
      @Nullable EnumSet<CreateFlag> flags,
      boolean createParent,
      short replication,
      long blockBytes,
      Progressable progress,
      int bufferBytes,
      ChecksumOpt checksumOpt)
      throws IOException {
    // Without flags it is the parent's to refuse.
    if (flags != null && flags.contains(CreateFlag.APPEND)) {
      requireOwnOrder(src, "append to a file");
    }
    return super.primitiveCreate(
        src,
        permission,
        flags,
        createParent,
        replication,
        blockBytes,
        progress,
        bufferBytes,
        checksumOpt);
  }

  @Override
  public boolean truncate(String src, long lengthBytes) throws IOException {
    requireOwnOrder(src, "truncate a file");
    return super.truncate(src, lengthBytes);
  }

  @Override
  public void concat(String target, String[] sources) throws IOException {
    requireOwnOrder(target, "concatenate files");
    for (String source : sources) {
      requireOwnOrder(source, "concatenate files");
    }
    super.concat(target, sources);
  }

  /** None for a file in stored order: the one that HDFS has is of the stored bytes. */
  @Override
  public @Nullable FileChecksum getFileChecksumWithCombineMode(String src, long lengthBytes)
      throws IOException {
    return isOrdered(src) ? null : super.getFileChecksumWithCombineMode(src, lengthBytes);
  }

  /** As above. */
  @Override
  public @Nullable MD5MD5CRC32FileChecksum getFileChecksum(String src, long lengthBytes)
      throws IOException {
    return isOrdered(src) ? null : super.getFileChecksum(src, lengthBytes);
  }

  private boolean isOrdered(String src) throws IOException {
    return ordered.isPresent() && ordered.get().isOrdered(src);
  }

  private void requireOwnOrder(String src, String doing) throws IOException {
    if (isOrdered(src)) {
      throw new IOException(
          ErrorMessage.to(doing)
              .value("order", "stored")
              .expected("a file in its own order, see hdfs caso -restore")
              .where("file", src)
              .message());
    }
  }

  @Override
  public LocatedBlocks getLocatedBlocks(String src, long start, long lengthBytes)
      throws IOException {
    LocatedBlocks answer;
    try (CallerAbilities.Statement ignored = state()) {
      answer = super.getLocatedBlocks(src, start, lengthBytes);
    }
    forms.note(answer);
    return answer;
  }

  @Override
  public HdfsLocatedFileStatus getLocatedFileInfo(String src, boolean needBlockToken)
      throws IOException {
    try (CallerAbilities.Statement ignored = state()) {
      return super.getLocatedFileInfo(src, needBlockToken);
    }
  }

  @Override
  public DirectoryListing listPaths(String src, byte[] startAfter, boolean needLocation)
      throws IOException {
    try (CallerAbilities.Statement ignored = state()) {
      return super.listPaths(src, startAfter, needLocation);
    }
  }

  @Override
  public BatchedDirectoryListing batchedListPaths(
      String[] srcs, byte[] startAfter, boolean needLocation) throws IOException {
    try (CallerAbilities.Statement ignored = state()) {
      return super.batchedListPaths(srcs, startAfter, needLocation);
    }
  }

  /**
   * A stream of a file whose blocks are known.
   *
   * @param blocks null: there is no such file
   * @param src by which the stream asks for locations
   * @param file path by which it was opened, for messages
   * @param isBound whether it reads these blocks only
   */
  DFSInputStream stream(
      LocatedBlocks blocks, String src, String file, boolean verifyChecksum, boolean isBound)
      throws IOException {
    if (blocks == null) {
      throw new IOException("Cannot open filename " + src);
    }
    forms.note(blocks);
    ErasureCodingPolicy policy = blocks.getErasureCodingPolicy();
    OpenedForm form = new OpenedForm(this, forms, src, blocks, isBound);
    if (policy == null) {
      return new CheckedInputStream(this, src, verifyChecksum, blocks, form, lostBlocks);
    }
    Optional<GroupReader> reader = features.readerFor(policy);
    return reader.isPresent()
        ? new DecodingInputStream(
            this, src, file, verifyChecksum, policy, blocks, form, reader.get())
        : new CheckedStripedInputStream(this, src, verifyChecksum, policy, blocks, form);
  }
}
