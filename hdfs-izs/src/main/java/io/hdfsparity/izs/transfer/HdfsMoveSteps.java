/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.transfer;

import io.hdfsparity.bridge.copy.CodedBlockSize;
import io.hdfsparity.bridge.copy.UndecodedInput;
import io.hdfsparity.bridge.swap.BlocksDigest;
import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.bridge.swap.Inspection;
import io.hdfsparity.bridge.swap.SwapAnswer;
import io.hdfsparity.izs.apply.ByteDigest;
import io.hdfsparity.izs.apply.MovePoints;
import io.hdfsparity.izs.apply.MoveSteps;
import io.hdfsparity.izs.mapping.StorageForm;
import io.hdfsparity.izs.mapping.StorageForm.Coded;
import io.hdfsparity.izs.mapping.StorageForm.Replicated;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DecodeCount;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem.HdfsDataOutputStreamBuilder;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * Steps of a move on HDFS. Source and copy are read by inode ({@code /.reserved/.inodes}), never by
 * path: a path may lead to another file for a moment, and back. Such reads are not in the access
 * history either. For one file, on one thread.
 */
final class HdfsMoveSteps implements MoveSteps {
  private static final int RAIDP_COPIES = 2;
  private static final long FIRST_PAUSE_MS = 50;
  private static final long MAX_PAUSE_MS = 2000;

  private final Mover mover;
  private final String path;
  private final StorageForm form;
  private final FileAttributeCopy attributes;
  private @Nullable Path copy;
  private long pauseMs = FIRST_PAUSE_MS;
  private long pausedMs;

  HdfsMoveSteps(Mover mover, String path, StorageForm form) {
    this.mover = mover;
    this.path = path;
    this.form = form;
    this.attributes = new FileAttributeCopy(mover.fileSystem());
  }

  @Override
  public Inspection inspectSource() throws IOException {
    return inspect(path);
  }

  @Override
  public ByteDigest copy(Inspection source) throws IOException {
    DistributedFileSystem fs = mover.fileSystem();
    Path from = byInode(source.identity().inodeId());
    HdfsFileStatus status = (HdfsFileStatus) fs.getFileStatus(from);
    // Before it is opened: reading moves the access time.
    attributes.remember(status);
    copy = mover.work().newCopy(source.identity().inodeId(), form);
    MessageDigest digest = FileIdentity.sha256();
    try (UndecodedInput in = new UndecodedInput(new Blocks(source.identity()), path);
        FSDataOutputStream out = create(mover.work().byInode(copy), status)) {
      mover.points().reached(MovePoints.Point.WRITING);
      long bytes = pump(in::read, digest, out);
      in.check();
      return new ByteDigest(bytes, HexFormat.of().formatHex(digest.digest()));
    }
  }

  /**
   * Opens a file, and sees to it that what will be read are the blocks of that identity. The
   * identity is the active NameNode's; the client may have been answered by another one, an
   * observer or one that does not know yet that it is not active any more, with older blocks whose
   * replicas are still there. Hadoop's stream asks again when a replica fails, and takes any blocks
   * then (it compares them only when all replicas of one have failed), so they are looked at again
   * when all is read.
   *
   * @throws FileNotFoundException when it is not that file
   */
  private HdfsDataInputStream open(FileIdentity identity) throws IOException {
    HdfsDataInputStream in =
        (HdfsDataInputStream) mover.fileSystem().open(byInode(identity.inodeId()));
    try {
      requireBlocks(in, identity);
      return in;
    } catch (IOException | RuntimeException e) {
      IOUtils.closeStream(in);
      throw e;
    }
  }

  /** The blocks of a file that is copied. */
  private final class Blocks implements UndecodedInput.Source {
    private final FileIdentity identity;

    private Blocks(FileIdentity identity) {
      this.identity = identity;
    }

    @Override
    public HdfsDataInputStream open() throws IOException {
      HdfsDataInputStream in = HdfsMoveSteps.this.open(identity);
      DecodeCount.begin(in);
      return in;
    }

    @Override
    public void check(HdfsDataInputStream read) throws IOException {
      requireBlocks(read, identity);
    }

    @Override
    public void retrying() throws IOException {
      mover.wentBy(0);
    }
  }

  /** Looks at the blocks by which a stream reads. */
  private static void requireBlocks(HdfsDataInputStream stream, FileIdentity identity)
      throws IOException {
    if (identity.lengthBytes() == 0 && stream.getVisibleLength() == 0) {
      // Nothing is read, and Hadoop cannot tell the blocks of an empty file.
      return;
    }
    BlocksDigest digest = new BlocksDigest();
    for (LocatedBlock block : stream.getAllBlocks()) {
      digest.add(
          block.getBlock().getBlockId(),
          block.getBlock().getGenerationStamp(),
          block.getBlockSize());
    }
    if (!digest.hex().equals(identity.blocksDigest())) {
      throw new FileNotFoundException(
          "Cannot read: blocks=others, expected those that the active NameNode has, file="
              + identity.path());
    }
  }

  private FSDataOutputStream create(Path to, HdfsFileStatus source) throws IOException {
    HdfsDataOutputStreamBuilder builder =
        mover.fileSystem().createFile(to).overwrite(false).blockSize(blockSize(source));
    // Nobody else's until it has the mode of the file.
    builder.permission(new FsPermission((short) 0600));
    if (form instanceof Coded coded) {
      builder.ecPolicyName(coded.policy());
    } else {
      int copies = form instanceof Replicated replicated ? replicated.copies() : RAIDP_COPIES;
      builder.replicate().replication((short) copies);
    }
    // The work folder has not the storage policy of the file's directory, so its blocks get it
    // here.
    HdfsFileStatus directory =
        (HdfsFileStatus) mover.fileSystem().getFileStatus(copy().getParent());
    attributes.placement(source, directory).ifPresent(builder::storagePolicyName);
    // What is deleted for its sake may have been durable.
    return builder.syncBlock().build();
  }

  private long blockSize(HdfsFileStatus source) {
    return form instanceof Coded coded
        ? CodedBlockSize.wholeCells(source.getBlockSize(), coded.cellBytes())
        : source.getBlockSize();
  }

  @Override
  public Inspection inspectCopy() throws IOException {
    return inspect(copy().toUri().getPath());
  }

  /** A NameNode that restarts, or another one that takes over, is waited for. */
  private Inspection inspect(String file) throws IOException {
    while (true) {
      try {
        return mover.swaps().inspect(file);
      } catch (FileNotFoundException | AccessControlException e) {
        throw e;
      } catch (IOException e) {
        if (!pause()) {
          throw e;
        }
      }
    }
  }

  @Override
  public ByteDigest readBack(FileIdentity written) throws IOException {
    MessageDigest digest = FileIdentity.sha256();
    try (HdfsDataInputStream in = open(written)) {
      long bytes =
          pump(
              (at, buffer, length) -> in.read(buffer, 0, length),
              digest,
              OutputStream.nullOutputStream());
      requireBlocks(in, written);
      return new ByteDigest(bytes, HexFormat.of().formatHex(digest.digest()));
    }
  }

  /** Reads the next bytes of a file: at an offset, into a buffer, so many at most; -1: the end. */
  @FunctionalInterface
  private interface NextBytes {
    int read(long at, byte[] buffer, int length) throws IOException;
  }

  private long pump(NextBytes in, MessageDigest digest, OutputStream out) throws IOException {
    byte[] buffer = new byte[mover.options().bufferBytes()];
    long bytes = 0;
    while (true) {
      int count = in.read(bytes, buffer, buffer.length);
      if (count < 0) {
        return bytes;
      }
      digest.update(buffer, 0, count);
      out.write(buffer, 0, count);
      bytes += count;
      mover.wentBy(count);
    }
  }

  @Override
  public void dress(Inspection source) throws IOException {
    attributes.apply(
        byInode(source.identity().inodeId()),
        copy(),
        source.storagePolicyId(),
        source.identity().modifiedMs());
  }

  @Override
  public SwapAnswer swap(FileIdentity source, FileIdentity written) throws IOException {
    return mover.swaps().swap(source, written);
  }

  @Override
  public boolean pause() throws IOException {
    if (pausedMs >= mover.options().settleMs()) {
      return false;
    }
    try {
      // Nothing tells a client when the DataNodes have reported; the NameNode is asked again.
      TimeUnit.MILLISECONDS.sleep(pauseMs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cannot continue: the run is stopping");
    }
    pausedMs += pauseMs;
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    return true;
  }

  @Override
  public void discard() throws IOException {
    if (copy != null) {
      mover.work().delete(copy);
    }
  }

  private Path copy() {
    if (copy == null) {
      throw new IllegalStateException("Cannot name the copy: expected copy() before");
    }
    return copy;
  }

  private static Path byInode(long inodeId) {
    return new Path("/.reserved/.inodes/" + inodeId);
  }
}
