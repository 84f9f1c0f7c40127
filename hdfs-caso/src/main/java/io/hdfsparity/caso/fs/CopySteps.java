/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import io.hdfsparity.bridge.copy.AttributeCopy;
import io.hdfsparity.bridge.copy.UndecodedInput;
import io.hdfsparity.bridge.swap.BlocksDigest;
import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.caso.layout.LayoutFormat;
import io.hdfsparity.caso.layout.LayoutIndex;
import io.hdfsparity.caso.layout.LayoutPointer;
import io.hdfsparity.caso.layout.StoredPieces;
import io.hdfsparity.caso.placement.ForecastFormat;
import io.hdfsparity.caso.placement.ParityForecast;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DecodeCount;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.InodePaths;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.ipc.RemoteException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done with bytes while a file changes its order: copied, indexed, read back. Files are
 * read by inode. For one file; not thread-safe.
 */
final class CopySteps {
  private static final Logger LOG = LoggerFactory.getLogger(CopySteps.class);
  private static final FsPermission PRIVATE = new FsPermission((short) 0600);
  private static final int BUFFER_BYTES = 1 << 20;

  private final DistributedFileSystem fs;
  private final LayoutStore store;
  private final AttributeCopy attributes;
  private final RewritePoints points;
  private final LongConsumer wentBy;

  /**
   * @param wentBy called with how many bytes were copied or compared
   */
  CopySteps(
      DistributedFileSystem fs,
      LayoutStore store,
      AttributeCopy attributes,
      RewritePoints points,
      LongConsumer wentBy) {
    this.fs = fs;
    this.store = store;
    this.attributes = attributes;
    this.points = points;
    this.wentBy = wentBy;
  }

  /**
   * Opens a file in its own order, with what was appended to it, and sees to it that it has the
   * blocks of an identity.
   */
  HdfsDataInputStream open(FileIdentity identity) throws IOException {
    String byInode = InodePaths.path(identity.inodeId());
    HdfsDataInputStream stored = store.openStored(byInode);
    try {
      requireBlocks(stored, identity);
      HdfsFileStatus status = fs.getClient().getFileInfo(byInode);
      if (status == null) {
        throw FileRewrite.changed("inode", "gone", identity);
      }
      DecodeCount.begin(stored);
      return store.withAppended(stored, status, identity.path());
    } catch (IOException | RuntimeException e) {
      IOUtils.closeStream(stored);
      throw e;
    }
  }

  /** The same, for a copy: what would be decoded is refused. */
  UndecodedInput openUndecoded(FileIdentity identity) throws IOException {
    return new UndecodedInput(
        new UndecodedInput.Source() {
          @Override
          public HdfsDataInputStream open() throws IOException {
            return CopySteps.this.open(identity);
          }

          @Override
          public void check(HdfsDataInputStream read) throws IOException {
            requireBlocks(read, identity);
          }

          @Override
          public void retrying() {
            wentBy.accept(0);
          }
        },
        identity.path());
  }

  private static void requireBlocks(HdfsDataInputStream stored, FileIdentity identity)
      throws IOException {
    BlocksDigest digest = new BlocksDigest();
    if (identity.lengthBytes() > 0) {
      for (LocatedBlock block : stored.getAllBlocks()) {
        digest.add(
            block.getBlock().getBlockId(),
            block.getBlock().getGenerationStamp(),
            block.getBlockSize());
      }
    }
    if (!digest.hex().equals(identity.blocksDigest())) {
      throw FileRewrite.changed("blocks", "others", identity);
    }
  }

  /** Writes the bytes of a file to a copy, in an order or its own. */
  void write(RewriteSource source, Optional<FileRewrite.NewOrder> order, Path copy)
      throws IOException {
    long lengthBytes = source.identity().lengthBytes();
    try (UndecodedInput in = openUndecoded(source.identity());
        FSDataOutputStream out = create(source.form(), copy)) {
      if (order.isPresent()) {
        hint(order.get().forecast(), copy);
      }
      points.reached(RewritePoints.Point.WRITING);
      if (order.isPresent()) {
        new StoredPieces(order.get().order(), source.form().cellSizeBytes(), lengthBytes)
            .forEach(0, lengthBytes, (from, to) -> pump(in, from, to, out));
      } else {
        pump(in, 0, lengthBytes, out);
      }
      in.check();
    }
  }

  /**
   * Says how often parity will be updated, before the first block group is placed. It is gone when
   * the copy is dressed, as every attribute that the file does not have.
   */
  void hint(ParityForecast forecast, Path copy) throws IOException {
    byte[] hint = ForecastFormat.encode(forecast, Inodes.of(fs, copy));
    try {
      fs.setXAttr(copy, WorkFiles.FORECAST, hint, EnumSet.of(XAttrSetFlag.CREATE));
    } catch (RemoteException e) {
      // It only evens load. A NameNode can have a smaller limit on attributes.
      LOG.warn("Cannot forecast parity updates of {}: its parity is placed by chance", copy, e);
    }
  }

  /** Makes a file that only its maker can read as yet. */
  FSDataOutputStream create(PartPlan.Form form, Path copy) throws IOException {
    DistributedFileSystem.HdfsDataOutputStreamBuilder builder =
        fs.createFile(copy)
            .overwrite(false)
            .blockSize(form.blockSizeBytes())
            .permission(PRIVATE)
            // What is deleted for its sake may have been durable.
            .syncBlock()
            .ecPolicyName(form.policy());
    if (form.storagePolicyId() != 0) {
      builder.storagePolicyName(attributes.policy(form.storagePolicyId()));
    }
    return builder.build();
  }

  /** Copies a range of a file in its own order. */
  void pump(UndecodedInput in, long from, long to, OutputStream out) throws IOException {
    byte[] buffer = new byte[(int) Math.min(BUFFER_BYTES, to - from)];
    for (long at = from; at < to; ) {
      stopIfInterrupted();
      int count = in.read(at, buffer, (int) Math.min(buffer.length, to - at));
      if (count < 0) {
        throw new EOFException("Cannot copy: length=" + at + ", expected at least " + to);
      }
      out.write(buffer, 0, count);
      wentBy.accept(count);
      at += count;
    }
  }

  private static void stopIfInterrupted() throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("Cannot continue: interrupted; the file is as it was");
    }
  }

  /** Writes the index of a copy, and a second time, and lets the copy point to both. */
  void writeIndex(RewriteSource source, FileRewrite.NewOrder order, Path copy, LayoutFolder folder)
      throws IOException {
    long copyId = Inodes.of(fs, copy);
    ErasureCodingPolicy policy = source.policy();
    LayoutIndex made =
        new LayoutIndex(
            IndexFiles.owner(copyId),
            policy.getCellSize(),
            policy.getNumDataUnits(),
            policy.getNumParityUnits(),
            source.identity().lengthBytes(),
            order.origin(),
            order.order());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LayoutFormat.write(made, out);
    String key = SealedIndex.newKey(new SecureRandom());
    byte[] sealed = SealedIndex.seal(out.toByteArray(), key, copyId);
    LayoutPointer pointer =
        new LayoutPointer(copyId, sealed.length, IndexFiles.sha256(sealed), key, folder.path());
    IndexFiles files = new IndexFiles(fs);
    int parityUnits = policy.getNumParityUnits();
    files.create(new Path(pointer.index()), sealed, pointer, parityUnits);
    files.create(new Path(pointer.spare()), sealed, pointer, parityUnits);
    // The second one is read by nobody before it is needed, which is too late to find out.
    files.bytes(pointer, pointer.spare(), pointer.spare());
    fs.setXAttr(
        new Path(InodePaths.path(copyId)),
        LayoutPointer.XATTR,
        pointer.encode(),
        EnumSet.of(XAttrSetFlag.CREATE));
  }

  /** Reads both in the file's own order, the copy as clients will, and compares all bytes. */
  void compare(RewriteSource source, FileIdentity written) throws IOException {
    FileIdentity identity = source.identity();
    try (FSDataInputStream in = open(identity);
        FSDataInputStream back = open(written)) {
      OptionalLong different = compare(in, back, 0, identity.lengthBytes());
      if (different.isPresent()) {
        throw different(different.getAsLong(), identity);
      }
      requireLength(written, identity);
    }
  }

  static IOException different(long offset, FileIdentity identity) {
    return FileRewrite.refused(
        "copy at offset " + offset,
        "another byte",
        "the file's; run the command again once no program writes the file",
        identity.path());
  }

  static void requireLength(FileIdentity written, FileIdentity identity) throws IOException {
    if (written.lengthBytes() != identity.lengthBytes()) {
      throw FileRewrite.refused(
          "copyBytes", written.lengthBytes(), identity.lengthBytes(), identity.path());
    }
  }

  /**
   * Compares a range of two files.
   *
   * @return offset of the first byte that differs; empty: none
   */
  OptionalLong compare(FSDataInputStream in, FSDataInputStream back, long from, long to)
      throws IOException {
    byte[] mine = new byte[(int) Math.min(BUFFER_BYTES, to - from)];
    byte[] theirs = new byte[mine.length];
    in.seek(from);
    back.seek(from);
    for (long at = from; at < to; ) {
      stopIfInterrupted();
      int count = (int) Math.min(mine.length, to - at);
      in.readFully(mine, 0, count);
      back.readFully(theirs, 0, count);
      int difference = Arrays.mismatch(mine, 0, count, theirs, 0, count);
      if (difference >= 0) {
        return OptionalLong.of(at + difference);
      }
      wentBy.accept(count);
      at += count;
    }
    return OptionalLong.empty();
  }
}
