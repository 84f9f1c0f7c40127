/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import io.hdfsparity.bridge.copy.AttributeCopy;
import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.bridge.swap.Inspection;
import io.hdfsparity.bridge.swap.SwapAnswer;
import io.hdfsparity.bridge.swap.SwapProtocol;
import io.hdfsparity.bridge.swap.SwapRefusal;
import io.hdfsparity.caso.layout.LayoutIndex;
import io.hdfsparity.caso.layout.LayoutPointer;
import io.hdfsparity.caso.layout.StoredOrder;
import io.hdfsparity.caso.placement.ParityForecast;
import io.hdfsparity.caso.wire.LayoutNameNodes;
import io.hdfsparity.caso.wire.LayoutProtocol;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.InodePaths;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the order in which the cells of one file are stored, by a verified copy.
 *
 * <pre>
 *  inspect ─► write copy ─► write index, point to it ─► read back in the file's own order, compare
 *          ─► dress ─► swap ─► clean
 * </pre>
 *
 * <p><b>Invariant</b>: the path leads, at every moment, to an inode with all acknowledged bytes,
 * and the inode says in which order they are. The only step that changes what the path leads to is
 * the swap, one operation of the NameNode's log, and inode, bytes and pointer to the index come
 * with it together. The source is read by its inode, never by path.
 *
 * <p>The copy of a large file can be made in parts by others ({@link PartCopy}); then the index
 * comes first.
 *
 * <p><b>Others.</b> What is made lies where only superusers make, rename and delete ({@link
 * LayoutFolder}), and gets owner, mode and attributes by its inode: whoever may write to the
 * directory of the file cannot have another file dressed or deleted.
 *
 * <p><b>Crash.</b> Before the swap: the file is as it was; copy and index are nobody's. After it:
 * the index that the file had before is nobody's. The next run deletes copies of nobody and begins
 * anew, but for parts of the same copy, or finds it done; the NameNode deletes indexes of nobody.
 *
 * <p>An interrupted thread stops soon, with the file as it was. For one file; not thread-safe.
 */
public final class FileRewrite {
  private static final Logger LOG = LoggerFactory.getLogger(FileRewrite.class);
  private static final long FIRST_PAUSE_MS = 50;
  private static final long MAX_PAUSE_MS = 2000;

  private final DistributedFileSystem fs;
  private final LayoutFolder folder;
  private final LayoutProtocol nameNode;
  private final SwapProtocol swaps;
  private final int settleMs;
  private final RewritePoints points;
  private final LayoutStore store;
  private final CopySteps steps;
  private final AttributeCopy attributes;
  private final Optional<InParts> inParts;
  private final LongConsumer wentBy;
  private @Nullable Path copy;
  private OptionalLong indexedId = OptionalLong.empty();
  private long pausedMs;

  /**
   * @param folder absolute path of the suite's folder
   * @param nameNodes of that file system
   * @param settleMs how long the NameNode is waited for
   * @param wentBy called with how many bytes were copied or compared
   * @param inParts empty: this thread copies files of any size
   */
  public FileRewrite(
      DistributedFileSystem fs,
      String folder,
      LayoutNameNodes nameNodes,
      int settleMs,
      RewritePoints points,
      LongConsumer wentBy,
      Optional<InParts> inParts) {
    this.fs = fs;
    this.folder = new LayoutFolder(folder);
    this.nameNode = nameNodes;
    this.swaps = nameNodes.swaps();
    this.settleMs = settleMs;
    this.points = points;
    this.store = new LayoutStore(fs.getClient());
    this.attributes = new AttributeCopy(fs, Set.of(LayoutPointer.XATTR));
    this.steps = new CopySteps(fs, store, attributes, points, wentBy);
    this.inParts = inParts;
    this.wentBy = wentBy;
  }

  /**
   * How the copy of a large file is made.
   *
   * @param minBytes of files that it is for, > 0; smaller ones are copied by this thread
   * @param partBytes about how large parts are, > 0
   */
  public record InParts(PartRunner runner, long minBytes, long partBytes) {}

  /**
   * An order that a file is to be stored in.
   *
   * @param fileId inode of the file that it was made for
   * @param origin how it came about, for people
   * @param forecast how often parity will be updated in it; decides, where the NameNode heeds it,
   *     which nodes get parity
   */
  public record NewOrder(long fileId, StoredOrder order, String origin, ParityForecast forecast) {}

  /**
   * Stores a file in an order, whatever order it is in.
   *
   * @throws IOException if that cannot be done; the file is as it was then, or, if the NameNode's
   *     answer was lost, in the one or the other order
   */
  public void organize(String path, NewOrder order) throws IOException {
    run(path, Optional.of(order), /* isAnew= */ true);
  }

  /**
   * Stores a file in its own order.
   *
   * @return false if it is
   * @throws IOException as for {@link #organize}
   */
  public boolean restore(String path) throws IOException {
    return run(path, Optional.empty(), /* isAnew= */ false);
  }

  /**
   * Stores a file in its own order, also if it is: its blocks are others then.
   *
   * @throws IOException as for {@link #organize}
   */
  public void restoreAnew(String path) throws IOException {
    run(path, Optional.empty(), /* isAnew= */ true);
  }

  private boolean run(String path, Optional<NewOrder> order, boolean isAnew) throws IOException {
    RewriteSource source = inspect(path, order);
    WorkFiles work = new WorkFiles(fs, folder);
    Optional<PartCopy> parts =
        inParts
            .filter(how -> source.identity().lengthBytes() >= how.minBytes())
            .map(how -> new PartCopy(tools(), how, source, order));
    if (!isAnew && !source.isOrdered()) {
      work.clean(source.identity().inodeId());
      return false;
    }
    work.clean(source.identity().inodeId(), parts.map(PartCopy::folder));
    points.reached(RewritePoints.Point.INSPECTED);
    try {
      if (parts.isPresent()) {
        copy = parts.get().whole();
        parts.get().write();
      } else {
        write(source, order, work);
      }
      FileIdentity written = swaps.inspect(name(copy)).identity();
      if (parts.isPresent()) {
        parts.get().compare(written);
      } else {
        steps.compare(source, written);
      }
      points.reached(RewritePoints.Point.VERIFIED);
      swap(source, written);
    } catch (IOException | RuntimeException e) {
      if (parts.isPresent()) {
        throw giveUp(parts.get(), source, work, e);
      }
      discard(e);
      throw e;
    }
    points.reached(RewritePoints.Point.SWAPPED);
    clean(source, work);
    points.reached(RewritePoints.Point.CLEANED);
    return true;
  }

  /** Another inode has taken the place of the file, so that no snapshot has it. */
  private void clean(RewriteSource source, WorkFiles work) throws IOException {
    long inodeId = source.identity().inodeId();
    work.clean(inodeId);
    if (source.isOrdered()) {
      deleteIndex(inodeId);
    }
  }

  private void deleteIndex(long inodeId) throws IOException {
    fs.delete(folder.index(inodeId), /* recursive= */ false);
    fs.delete(folder.spare(inodeId), /* recursive= */ false);
  }

  private PartCopy.Tools tools() {
    return new PartCopy.Tools(fs, folder, nameNode, store, steps, points, wentBy);
  }

  private static String name(@Nullable Path path) {
    if (path == null) {
      throw new IllegalStateException("Cannot name the copy: expected one to be made before");
    }
    return path.toUri().getPath();
  }

  private void write(RewriteSource source, Optional<NewOrder> order, WorkFiles work)
      throws IOException {
    Path made = work.newCopy(source.identity().inodeId());
    copy = made;
    steps.write(source, order, made);
    points.reached(RewritePoints.Point.COPIED);
    if (order.isPresent()) {
      indexedId = OptionalLong.of(Inodes.of(fs, made));
      steps.writeIndex(source, order.get(), made, folder);
      points.reached(RewritePoints.Point.INDEXED);
    }
  }

  private RewriteSource inspect(String path, Optional<NewOrder> order) throws IOException {
    Inspection inspection = swaps.inspect(path);
    if (inspection.refusal().isPresent()) {
      Refusal refusal = inspection.refusal().get();
      throw new IOException(refusal.reason() + "; " + refusal.remedy());
    }
    FileIdentity identity = inspection.identity();
    HdfsFileStatus status = fs.getClient().getFileInfo(InodePaths.path(identity.inodeId()));
    if (status == null) {
      throw changed("inode", "gone", identity);
    }
    if (status.getErasureCodingPolicy() == null) {
      throw refused("form", identity.form(), "an erasure coded file", identity.path());
    }
    if (order.isPresent()
        && (order.get().fileId() != identity.inodeId()
            || order.get().order().cellCount()
                != LayoutIndex.cells(
                    identity.lengthBytes(), status.getErasureCodingPolicy().getCellSize()))) {
      throw changed("inode and cells", identity.inodeId(), identity);
    }
    folder.prepare(fs);
    return new RewriteSource(
        identity,
        status,
        inspection.storagePolicyId(),
        placement(status),
        store.pointer(status, identity.path()).isPresent());
  }

  /**
   * Storage policy that the blocks of the copy are placed by: the file has it from wherever it is,
   * and the copy is elsewhere. 0: none.
   */
  private int placement(HdfsFileStatus status) throws IOException {
    HdfsFileStatus work = fs.getClient().getFileInfo(folder.work().toUri().getPath());
    boolean isSame = work != null && work.getStoragePolicy() == status.getStoragePolicy();
    return isSame ? 0 : status.getStoragePolicy();
  }

  private void swap(RewriteSource source, FileIdentity written) throws IOException {
    boolean isDressed = false;
    long pauseMs = FIRST_PAUSE_MS;
    while (true) {
      if (!isDressed) {
        attributes.apply(
            new Path(source.byInode()),
            new Path(InodePaths.path(written.inodeId())),
            new AttributeCopy.TargetAttributes(
                source.storagePolicyId(),
                /* wasPlaced= */ source.placementPolicyId() != 0,
                source.identity().modifiedMs(),
                source.status().getAccessTime()));
        points.reached(RewritePoints.Point.DRESSED);
      }
      SwapAnswer answer = ask(source.identity(), written);
      if (answer.outcome() == SwapAnswer.Outcome.SWAPPED) {
        return;
      }
      if (answer.outcome() == SwapAnswer.Outcome.REFUSED || pausedMs >= settleMs) {
        throw new IOException(answer.reason());
      }
      isDressed = answer.outcome() != SwapAnswer.Outcome.DRESS;
      pause(pauseMs);
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    }
  }

  /** An answer that did not come is waited for like one that says "not yet". */
  private SwapAnswer ask(FileIdentity source, FileIdentity written) {
    try {
      return swaps.swap(source, written);
    } catch (IOException e) {
      LOG.debug("No answer to a swap of {}", source, e);
      return SwapAnswer.wait(
          SwapRefusal.UNKNOWN.because(
              "answer", String.valueOf(e.getMessage()), "one", source.path()));
    }
  }

  private void pause(long pauseMs) throws InterruptedIOException {
    try {
      // Nothing tells a client when the DataNodes have reported; the NameNode is asked again.
      TimeUnit.MILLISECONDS.sleep(pauseMs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(
          "Cannot continue: interrupted; the file may be in any order");
    }
    pausedMs += pauseMs;
  }

  /** A copy that is not there any more may be in the place of the file, and needs its index. */
  private void discard(Exception because) {
    // Hadoop's calls fail in an interrupted thread, and some of them forget that it was.
    boolean wasInterrupted = Thread.interrupted() || because instanceof InterruptedIOException;
    try {
      boolean isDeleted = copy != null && fs.delete(copy, /* recursive= */ false);
      if (isDeleted && indexedId.isPresent()) {
        deleteIndex(indexedId.getAsLong());
      }
    } catch (IOException e) {
      // The next run deletes it: what a run leaves behind is used by nobody.
      because.addSuppressed(e);
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Leaves parts for the next run, if it can go on with them. */
  private IOException giveUp(
      PartCopy parts, RewriteSource source, WorkFiles work, Exception because) {
    boolean wasInterrupted = Thread.interrupted() || because instanceof InterruptedIOException;
    Exception reason = because;
    boolean isKept = !parts.isDifferent();
    try {
      if (isKept && !wasInterrupted && !isStill(source.identity())) {
        isKept = false;
        reason = changed("file", "another", source.identity());
        reason.addSuppressed(because);
      }
      if (!isKept) {
        work.clean(source.identity().inodeId());
      }
    } catch (IOException e) {
      because.addSuppressed(e);
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
    String message =
        reason.getMessage()
            + (isKept
                ? "; what was done is kept in "
                    + parts.folder()
                    + ": run it again to continue, or -restore to abandon it"
                : "");
    IOException end =
        wasInterrupted ? new InterruptedIOException(message) : new IOException(message);
    end.initCause(reason);
    return end;
  }

  private boolean isStill(FileIdentity identity) throws IOException {
    try {
      return swaps.inspect(identity.path()).identity().equals(identity);
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  static IOException changed(String name, Object value, FileIdentity identity) {
    return refused(name, value, "those that the NameNode reported before", identity.path());
  }

  static IOException refused(String name, Object value, Object rule, String path) {
    return new IOException(
        ErrorMessage.to("change the order of a file")
            .value(name, value)
            .expected(rule)
            .where("file", path)
            .message());
  }
}
