/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.caso.fs.PartRunner.PartTask;
import io.hdfsparity.caso.layout.FileParts;
import io.hdfsparity.caso.layout.LayoutIndex;
import io.hdfsparity.caso.layout.LayoutPointer;
import io.hdfsparity.caso.layout.StoredOrder;
import io.hdfsparity.caso.placement.ParityForecast;
import io.hdfsparity.caso.wire.LayoutProtocol;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy that is made in parts, side by side, in a folder that only superusers enter, and that is
 * therefore of superusers' runs whatever is in it.
 *
 * <pre>
 *  empty file "whole", which points to the index ─► parts ─► the blocks of all parts are given to
 *          "whole" in one step of the NameNode ─► compared with the file
 * </pre>
 *
 * <p><b>Crash.</b> The folder's name tells the bytes of the file and how they are to be stored, so
 * the next run finds what was done of the same: parts that are closed and have their length are not
 * written again, nor is what they have become. None of it is trusted: all of it is compared with
 * the file in the run that puts it in the file's place. The folder of anything else is deleted.
 *
 * <p>For one file; not thread-safe.
 */
final class PartCopy {
  private static final Logger LOG = LoggerFactory.getLogger(PartCopy.class);
  private static final FsPermission PRIVATE = new FsPermission((short) 0700);

  private final Tools tools;
  private final FileRewrite.InParts how;
  private final RewriteSource source;
  private final Optional<FileRewrite.NewOrder> order;
  private final PartPlan plan;
  private boolean isDifferent;

  /**
   * What a copy is made with.
   *
   * @param wentBy called with how many bytes were copied or compared
   */
  record Tools(
      DistributedFileSystem fs,
      LayoutFolder folder,
      LayoutProtocol nameNode,
      LayoutStore store,
      CopySteps steps,
      RewritePoints points,
      LongConsumer wentBy) {}

  PartCopy(
      Tools tools,
      FileRewrite.InParts how,
      RewriteSource source,
      Optional<FileRewrite.NewOrder> order) {
    this.tools = tools;
    this.how = how;
    this.source = source;
    this.order = order;
    FileIdentity identity = source.identity();
    FileParts parts = FileParts.of(identity.lengthBytes(), source.groupBytes(), how.partBytes());
    WorkFiles work = new WorkFiles(tools.fs(), tools.folder());
    Optional<StoredOrder> stored = order.map(FileRewrite.NewOrder::order);
    String digest = PartPlan.digest(identity, parts, source.form(), stored);
    this.plan =
        new PartPlan(
            tools.fs().getUri(),
            work.parts(identity.inodeId(), digest).toUri().getPath(),
            identity,
            parts,
            source.form(),
            order.isPresent());
  }

  /** Where the parts are. */
  Path folder() {
    return new Path(plan.folder());
  }

  /** The copy, once it is written. */
  Path whole() {
    return plan.whole();
  }

  /** Whether bytes of the copy were found to be others than the file's. */
  boolean isDifferent() {
    return isDifferent;
  }

  /**
   * Makes the copy and its index.
   *
   * @throws IOException if it cannot be made; what is there is taken by the next run
   */
  void write() throws IOException {
    if (!isBegun()) {
      begin();
    }
    tools.points().reached(RewritePoints.Point.WRITING);
    if (status(whole()).getLen() == source.identity().lengthBytes()) {
      LOG.info("Going on with {}, which an earlier run has written", whole());
      tools.wentBy().accept(source.identity().lengthBytes());
    } else {
      writeParts();
      join();
    }
    tools.points().reached(RewritePoints.Point.COPIED);
  }

  private HdfsFileStatus status(Path path) throws IOException {
    HdfsFileStatus status = tools.fs().getClient().getFileInfo(path.toUri().getPath());
    if (status == null) {
      throw refused("copy", path + " gone", "no other run on the same file");
    }
    return status;
  }

  private IOException refused(String name, Object value, Object rule) {
    return FileRewrite.refused(name, value, rule, source.identity().path());
  }

  /** Whether an earlier run has left something that this one goes on with. */
  private boolean isBegun() throws IOException {
    long lengthBytes = source.identity().lengthBytes();
    String path = whole().toUri().getPath();
    HdfsFileStatus status = tools.fs().getClient().getFileInfo(path);
    if (status == null
        || (status.getLen() != 0 && status.getLen() != lengthBytes)
        || !tools.fs().isFileClosed(whole())
        || different().isPresent()) {
      return false;
    }
    try {
      Optional<LayoutPointer> pointer = tools.store().pointer(status, path);
      if (pointer.isPresent()) {
        new IndexFiles(tools.fs()).bytes(pointer.get(), pointer.get().spare(), path);
      }
      return tools
          .store()
          .indexAhead(status, lengthBytes, path)
          .map(LayoutIndex::order)
          .equals(order.map(FileRewrite.NewOrder::order));
    } catch (IOException e) {
      LOG.info("Starting over: what an earlier run has left in {} is no use", folder(), e);
      return false;
    }
  }

  private void begin() throws IOException {
    DistributedFileSystem fs = tools.fs();
    fs.delete(folder(), /* recursive= */ true);
    fs.getClient().mkdirs(plan.folder(), PRIVATE, /* createParent= */ false);
    tools.steps().create(source.form(), whole()).close();
    if (order.isPresent()) {
      tools.steps().writeIndex(source, order.get(), whole(), tools.folder());
      tools.points().reached(RewritePoints.Point.INDEXED);
    }
  }

  private void writeParts() throws IOException {
    Map<String, FileStatus> there = there();
    List<PartTask> missing = new ArrayList<>();
    for (int part = 0; part < plan.parts().count(); part++) {
      if (isWritten(there.remove(plan.part(part).getName()), part)) {
        tools.wentBy().accept(plan.parts().bytes(part));
      } else {
        missing.add(new PartTask(part, forecast(part)));
      }
    }
    // What is neither is what attempts have left, and parts that are none.
    there.remove(PartPlan.WHOLE);
    for (FileStatus left : there.values()) {
      tools.fs().delete(left.getPath(), /* recursive= */ false);
    }
    LOG.info("Parts of {}: {} of {} to write", folder(), missing.size(), plan.parts().count());
    for (PartTask task : missing) {
      tools.fs().delete(plan.part(task.part()), /* recursive= */ false);
    }
    if (!missing.isEmpty()) {
      how.runner().write(plan, missing, tools.wentBy());
    }
  }

  private Map<String, FileStatus> there() throws IOException {
    Map<String, FileStatus> there = new HashMap<>();
    RemoteIterator<FileStatus> children = tools.fs().listStatusIterator(folder());
    while (children.hasNext()) {
      FileStatus child = children.next();
      there.put(child.getPath().getName(), child);
    }
    return there;
  }

  /** A part has its name since it is closed. */
  private boolean isWritten(@Nullable FileStatus part, int number) {
    return part != null
        && part.isFile()
        && part.getLen() == plan.parts().bytes(number)
        && part.getBlockSize() == source.form().blockSizeBytes();
  }

  private ParityForecast forecast(int part) {
    if (order.isEmpty()) {
      return new ParityForecast(new long[0]);
    }
    long groupBytes = source.groupBytes();
    int first = Math.toIntExact(plan.parts().from(part) / groupBytes);
    int count = Math.toIntExact((plan.parts().bytes(part) - 1) / groupBytes) + 1;
    ParityForecast all = order.get().forecast();
    return new ParityForecast(
        IntStream.range(first, first + count)
            .mapToLong(group -> group < all.groupCount() ? all.milliUpdatesPerDay(group) : 0)
            .toArray());
  }

  /**
   * The NameNode gives the blocks of all parts to the file, in their order, and deletes the parts.
   */
  private void join() throws IOException {
    Map<String, FileStatus> there = there();
    String[] parts = new String[plan.parts().count()];
    for (int part = 0; part < parts.length; part++) {
      Path path = plan.part(part);
      if (!isWritten(there.get(path.getName()), part)) {
        throw refused("part", path + " missing", "all parts written");
      }
      parts[part] = path.toUri().getPath();
    }
    try {
      tools.nameNode().join(whole().toUri().getPath(), List.of(parts));
    } catch (IOException e) {
      // The answer may have been lost.
      if (status(whole()).getLen() != source.identity().lengthBytes()) {
        throw e;
      }
    }
  }

  /**
   * Compares all bytes.
   *
   * @param written the copy as it was before it was read back
   */
  void compare(FileIdentity written) throws IOException {
    CopySteps.requireLength(written, source.identity());
    try {
      how.runner().compare(plan, written, tools.wentBy());
    } catch (IOException e) {
      requireSame();
      throw e;
    }
    requireSame();
  }

  private void requireSame() throws IOException {
    OptionalLong offset = different();
    if (offset.isPresent()) {
      isDifferent = true;
      throw CopySteps.different(offset.getAsLong(), source.identity());
    }
  }

  /** The first byte that tasks have found to differ. */
  private OptionalLong different() throws IOException {
    return there().keySet().stream()
        .filter(name -> name.startsWith(PartPlan.DIFFERENT))
        .mapToLong(name -> Long.parseLong(name.substring(PartPlan.DIFFERENT.length())))
        .min();
  }
}
