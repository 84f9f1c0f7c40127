/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import io.hdfsparity.bridge.client.GroupReaderChoice;
import io.hdfsparity.bridge.guard.CallerAbilities;
import io.hdfsparity.caso.config.CasoKey;
import io.hdfsparity.caso.config.LayoutOptions;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.hdfs.DecodingFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.apache.hadoop.util.Progressable;
import org.jspecify.annotations.Nullable;

/**
 * HDFS for clients of files in stored order; {@code fs.hdfs.impl} names it. Their streams give the
 * bytes in the order of the file, and fail if it is not known; what would change such a file
 * without its index is refused. Everything else is Hadoop's DistributedFileSystem. Lengths are the
 * same in both orders; block locations are those of the stored order.
 *
 * <p>Its jars belong into the class path of Hadoop's own (HADOOP_CLASSPATH), since the bridge is in
 * Hadoop's packages. Thread-safe.
 */
public final class CasoFileSystem extends DecodingFileSystem {
  private @Nullable LayoutStore store;

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    super.initialize(uri, conf);
    store = new LayoutStore(this);
  }

  @Override
  protected GroupReaderChoice groupReaderChoice(Configuration conf) throws IOException {
    String name = LayoutOptions.of(conf).groupReaders();
    if (name.isEmpty()) {
      return policy -> Optional.empty();
    }
    try {
      return (GroupReaderChoice) conf.getClassByName(name).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new IOException(
          ErrorMessage.to("use configuration")
              .value(CasoKey.LAYOUT_GROUP_READERS.key(), name)
              .expected("a class of GroupReaderChoice with a constructor without parameters")
              .message(),
          e);
    }
  }

  @Override
  protected Optional<String> ability() {
    return Optional.of(CallerAbilities.ORDERS);
  }

  private LayoutStore store() {
    if (store == null) {
      throw new IllegalStateException("Cannot use the file system: initialized=false");
    }
    return store;
  }

  private String name(Path path) {
    Path absolute = fixRelativePart(path);
    checkPath(absolute);
    return absolute.toUri().getPath();
  }

  @Override
  public FSDataInputStream open(Path file, int bufferBytes) throws IOException {
    FSDataInputStream in = super.open(file, bufferBytes);
    if (!(in instanceof HdfsDataInputStream stored)) {
      return in;
    }
    // Hadoop has followed symbolic links; they are off in HDFS unless a test switches them on.
    Optional<FSDataInputStream> ordered = store().inOrder(stored, name(file));
    return ordered.isPresent() ? ordered.get() : store().open(name(file));
  }

  @Override
  public FSDataInputStream open(PathHandle handle, int bufferBytes) throws IOException {
    HdfsPathHandle known =
        handle instanceof HdfsPathHandle given ? given : new HdfsPathHandle(handle.bytes());
    FSDataInputStream in = super.open(known, bufferBytes);
    if (!(in instanceof HdfsDataInputStream stored)) {
      return in;
    }
    return store()
        .inOrder(stored, known.getPath())
        .orElseThrow(
            () ->
                new FileNotFoundException(
                    "Cannot open a file: the handle's path leads to another one by now, file="
                        + known.getPath()));
  }

  @Override
  public FSDataOutputStream append(Path file, int bufferBytes, @Nullable Progressable progress)
      throws IOException {
    requireOwnOrder(file, "append to a file");
    return super.append(file, bufferBytes, progress);
  }

  @Override
  public FSDataOutputStream append(
      Path file, EnumSet<CreateFlag> flags, int bufferBytes, @Nullable Progressable progress)
      throws IOException {
    requireOwnOrder(file, "append to a file");
    return super.append(file, flags, bufferBytes, progress);
  }

  @Override
  public FSDataOutputStream append(
      Path file,
      EnumSet<CreateFlag> flags,
      int bufferBytes,
      @Nullable Progressable progress,
      InetSocketAddress @Nullable [] favoredNodes)
      throws IOException {
    requireOwnOrder(file, "append to a file");
    return super.append(file, flags, bufferBytes, progress, favoredNodes);
  }

  @Override
  public boolean truncate(Path file, long lengthBytes) throws IOException {
    requireOwnOrder(file, "truncate a file");
    return super.truncate(file, lengthBytes);
  }

  @Override
  public void concat(Path target, Path[] sources) throws IOException {
    requireOwnOrder(target, "concatenate files");
    for (Path source : sources) {
      requireOwnOrder(source, "concatenate files");
    }
    super.concat(target, sources);
  }

  private static boolean isStriped(HdfsFileStatus status) {
    return status.getErasureCodingPolicy() != null && !status.isDirectory();
  }

  /** None for a file in stored order: the one that HDFS has is of the stored bytes. */
  @Override
  public @Nullable FileChecksum getFileChecksum(Path file) throws IOException {
    return isInStoredOrder(file) ? null : super.getFileChecksum(file);
  }

  @Override
  public @Nullable FileChecksum getFileChecksum(Path file, long lengthBytes) throws IOException {
    return isInStoredOrder(file) ? null : super.getFileChecksum(file, lengthBytes);
  }

  private boolean isInStoredOrder(Path file) throws IOException {
    String name = name(file);
    HdfsFileStatus status = getClient().getFileInfo(name);
    return status != null && isStriped(status) && store().pointer(status, name).isPresent();
  }

  private void requireOwnOrder(Path file, String doing) throws IOException {
    if (isInStoredOrder(file)) {
      throw new IOException(
          ErrorMessage.to(doing)
              .value("order", "stored")
              .expected("a file in its own order, see hdfs caso -restore")
              .where("file", file)
              .message());
    }
  }
}
