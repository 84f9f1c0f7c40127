/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import io.hdfsparity.bridge.copy.AttributeCopy;
import io.hdfsparity.bridge.copy.UndecodedInput;
import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.caso.layout.LayoutIndex;
import io.hdfsparity.caso.layout.LayoutPointer;
import io.hdfsparity.caso.layout.StoredPieces;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.io.IOUtils;

/**
 * What one task does with one part of a copy. Reads file and copy by their inodes, and refuses them
 * when they have other blocks than were seen before the first byte was read.
 *
 * <p><b>Attempts.</b> Any number of attempts may write the same part, at once or after each other:
 * each has a file of its own, and the first one that is complete gives it the part's name, which no
 * other takes from it. For one task; not thread-safe.
 */
public final class PartTasks {
  private final DistributedFileSystem fs;
  private final PartPlan plan;
  private final LayoutStore store;
  private final CopySteps steps;

  /**
   * @param fs the plan's
   * @param wentBy called with how many bytes were copied or compared
   */
  public PartTasks(DistributedFileSystem fs, PartPlan plan, LongConsumer wentBy) {
    this.fs = fs;
    this.plan = plan;
    this.store = new LayoutStore(fs.getClient());
    this.steps =
        new CopySteps(
            fs,
            store,
            new AttributeCopy(fs, Set.of(LayoutPointer.XATTR)),
            RewritePoints.NONE,
            wentBy);
  }

  /**
   * Begins to write a part.
   *
   * @param attempt of no other attempt ever
   * @throws IOException if the file is not as it was, or the run that wanted the part has ended
   */
  public Writer writer(PartRunner.PartTask task, String attempt) throws IOException {
    Optional<StoredPieces> pieces = pieces();
    UndecodedInput in = steps.openUndecoded(plan.source());
    Path to = plan.attempt(task.part(), attempt);
    try {
      FSDataOutputStream out = steps.create(plan.form(), to);
      Writer writer = new Writer(task.part(), pieces, in, out, to);
      try {
        if (plan.isOrdered()) {
          steps.hint(task.forecast(), to);
        }
      } catch (IOException | RuntimeException e) {
        IOUtils.closeStream(writer);
        throw e;
      }
      return writer;
    } catch (IOException | RuntimeException e) {
      IOUtils.closeStream(in);
      throw e;
    }
  }

  /** The order of the copy, from the index that it will be read by. */
  private Optional<StoredPieces> pieces() throws IOException {
    if (!plan.isOrdered()) {
      return Optional.empty();
    }
    String whole = plan.whole().toUri().getPath();
    HdfsFileStatus status = fs.getClient().getFileInfo(whole);
    if (status == null) {
      throw new FileNotFoundException("Cannot write a part: " + whole + " is gone");
    }
    LayoutIndex index =
        store
            .indexAhead(status, plan.source().lengthBytes(), whole)
            .orElseThrow(() -> new IOException("Cannot write a part: " + whole + " has no index"));
    return Optional.of(new StoredPieces(index.order(), index.cellSizeBytes(), index.lengthBytes()));
  }

  /** A part that is being written. */
  public final class Writer implements Closeable {
    private final int part;
    private final Optional<StoredPieces> pieces;
    private final UndecodedInput in;
    private final FSDataOutputStream out;
    private final Path at;
    private long written;

    private Writer(
        int part,
        Optional<StoredPieces> pieces,
        UndecodedInput in,
        FSDataOutputStream out,
        Path at) {
      this.part = part;
      this.pieces = pieces;
      this.in = in;
      this.out = out;
      this.at = at;
      this.written = plan.parts().from(part);
    }

    /**
     * Writes the next bytes.
     *
     * @param to offset in the stored copy behind the last one: where a cell begins, or the end
     */
    public void write(long to) throws IOException {
      if (pieces.isPresent()) {
        pieces.get().forEach(written, to, (from, end) -> steps.pump(in, from, end, out));
      } else {
        steps.pump(in, written, to, out);
      }
      written = to;
    }

    /** Closes the part and gives it its name, unless another attempt has done so. */
    public void commit() throws IOException {
      if (written != plan.parts().to(part)) {
        throw new IllegalStateException(
            "Cannot end a part: written=" + written + ", expected " + plan.parts().to(part));
      }
      in.check();
      out.close();
      try {
        // The one that throws: the older call answers false, for this reason and for others.
        fs.getClient()
            .rename(at.toUri().getPath(), plan.part(part).toUri().getPath(), Options.Rename.NONE);
      } catch (FileAlreadyExistsException e) {
        fs.delete(at, /* recursive= */ false);
      }
    }

    /** Gives up what is not committed; its file is deleted with the folder. */
    @Override
    public void close() throws IOException {
      IOUtils.closeStream(in);
      out.close();
    }
  }

  /**
   * Begins to compare.
   *
   * @param copy as it was before it was read back
   */
  public Comparison comparison(FileIdentity copy) throws IOException {
    FSDataInputStream in = steps.open(plan.source());
    try {
      return new Comparison(in, steps.open(copy));
    } catch (IOException | RuntimeException e) {
      IOUtils.closeStream(in);
      throw e;
    }
  }

  /** Two files that are compared. */
  public final class Comparison implements Closeable {
    private final FSDataInputStream in;
    private final FSDataInputStream back;

    private Comparison(FSDataInputStream in, FSDataInputStream back) {
      this.in = in;
      this.back = back;
    }

    /**
     * Compares a range by offsets of the file's own order, and notes in the plan's folder what is
     * different.
     *
     * @return whether nothing is
     */
    public boolean isSame(long from, long to) throws IOException {
      OptionalLong different = steps.compare(in, back, from, to);
      if (different.isPresent()) {
        // Not the folder: when it is gone, nobody wants to know any more.
        fs.getClient()
            .mkdirs(
                plan.path(PartPlan.DIFFERENT + different.getAsLong()).toUri().getPath(),
                new FsPermission((short) 0700),
                /* createParent= */ false);
      }
      return different.isEmpty();
    }

    @Override
    public void close() {
      IOUtils.closeStreams(in, back);
    }
  }
}
