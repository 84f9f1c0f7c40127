/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.caso.layout.LayoutFormat;
import io.hdfsparity.caso.layout.LayoutIndex;
import io.hdfsparity.caso.layout.LayoutPointer;
import io.hdfsparity.core.check.Refusal;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HexFormat;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * The files that an index is in: read by what a pointer says, and made. What is read is exactly
 * what the pointer was made for, or an error. Stateless, thread-safe.
 */
final class IndexFiles {
  private static final long MOST_INDEX_BYTES = 1L << 30;
  private static final FsPermission PRIVATE = new FsPermission((short) 0600);

  private final DistributedFileSystem fs;

  IndexFiles(DistributedFileSystem fs) {
    this.fs = fs;
  }

  static String sha256(byte[] bytes) {
    return HexFormat.of().formatHex(FileIdentity.sha256().digest(bytes));
  }

  /** What the index of a file calls its file. */
  static String owner(long fileId) {
    return "inode " + fileId;
  }

  /**
   * Makes a file, readable to its maker only as yet.
   *
   * @param at a path that nothing has
   */
  LayoutPointer.Place create(Path at, byte[] bytes) throws IOException {
    try (FSDataOutputStream out =
        fs.createFile(at).overwrite(false).replicate().permission(PRIVATE).build()) {
      out.write(bytes);
    }
    return new LayoutPointer.Place(Inodes.of(fs, at), at.getName());
  }

  /**
   * Bytes of an index, or of its copy, beside the file or wherever it was moved from.
   *
   * @param place one of the pointer's
   * @param path of the file that the index is of
   * @throws IOException if it is missing, cut or has another SHA-256
   */
  byte[] bytes(LayoutPointer pointer, LayoutPointer.Place place, String path) throws IOException {
    if (pointer.indexBytes() > MOST_INDEX_BYTES) {
      throw refused("indexBytes", pointer.indexBytes(), "at most " + MOST_INDEX_BYTES, path);
    }
    byte[] bytes = anyBytes(pointer, place, path);
    String sha256 = sha256(bytes);
    if (!sha256.equals(pointer.sha256())) {
      throw refused("SHA-256 of " + place.name(), sha256, pointer.sha256() + mend(path), path);
    }
    return bytes;
  }

  /** Whether a file has the bytes of the index that is pointed to. */
  boolean isOf(LayoutPointer pointer, Path at) throws IOException {
    if (fs.getFileStatus(at).getLen() != pointer.indexBytes()
        || pointer.indexBytes() > MOST_INDEX_BYTES) {
      return false;
    }
    byte[] bytes = new byte[(int) pointer.indexBytes()];
    try (FSDataInputStream in = fs.open(at)) {
      in.readFully(0, bytes);
    }
    return sha256(bytes).equals(pointer.sha256());
  }

  /** Whether an index, or its copy, is in the directory of the file, under its name. */
  boolean isBeside(LayoutPointer.Place place, String path) throws IOException {
    return fs.getClient().getFileInfo(beside(place, path)) != null;
  }

  private static String beside(LayoutPointer.Place place, String path) {
    return new Path(new Path(path).getParent(), place.name()).toUri().getPath();
  }

  private byte[] anyBytes(LayoutPointer pointer, LayoutPointer.Place place, String path)
      throws IOException {
    String beside = beside(place, path);
    String byInode = Inodes.path(place.inodeId());
    for (String from : new String[] {beside, byInode}) {
      byte[] bytes = new byte[(int) pointer.indexBytes()];
      try (FSDataInputStream in =
          fs.getClient().createWrappedInputStream(fs.getClient().open(from))) {
        in.readFully(0, bytes);
        return bytes;
      } catch (EOFException e) {
        throw refused("index " + from, "cut", pointer.indexBytes() + " bytes" + mend(path), path);
      } catch (FileNotFoundException e) {
        if (from.equals(byInode)) {
          throw new IOException(missing(pointer, beside, path), e);
        }
      }
    }
    throw new IOException(missing(pointer, beside, path));
  }

  private static String missing(LayoutPointer pointer, String beside, String path) {
    return Refusal.to("read a file in stored order")
        .value("index", "missing")
        .expected(
            beside
                + ", "
                + pointer.indexBytes()
                + " bytes with SHA-256 "
                + pointer.sha256()
                + mend(path))
        .where("file", path)
        .message();
  }

  private static String mend(String path) {
    return "; run hdfs caso -repair " + path + ", or put it back from a backup or a snapshot";
  }

  /**
   * An index whose bytes are those of the pointer, for the file that it is of, or the beginning of
   * which it is of.
   *
   * @param name of the index, for messages
   * @throws IOException if it is damaged, of another version, or another file's
   */
  static LayoutIndex decode(byte[] bytes, String name, HdfsFileStatus status, String path)
      throws IOException {
    LayoutIndex index = LayoutFormat.read(new ByteArrayInputStream(bytes), name);
    requireOwner(index, status.getFileId(), path);
    if (index.lengthBytes() > status.getLen()) {
      throw otherLength(index, status.getLen(), path);
    }
    return index;
  }

  /**
   * @throws IOException unless the index is of this file
   */
  static void requireOwner(LayoutIndex index, long fileId, String path) throws IOException {
    if (!index.owner().equals(owner(fileId))) {
      throw refused("owner of the index", index.owner(), owner(fileId), path);
    }
  }

  /**
   * @throws IOException unless the index is of a file with this length
   */
  static void requireLength(LayoutIndex index, long lengthBytes, String path) throws IOException {
    if (index.lengthBytes() != lengthBytes) {
      throw otherLength(index, lengthBytes, path);
    }
  }

  private static IOException otherLength(LayoutIndex index, long lengthBytes, String path) {
    return refused(
        "lengthBytes",
        lengthBytes,
        index.lengthBytes()
            + ", which the index is for: a client without CASO has changed it"
            + (lengthBytes > index.lengthBytes()
                ? ". If it has appended to it, hdfs caso -restore " + path + " keeps all bytes"
                : ""),
        path);
  }

  static IOException refused(String name, Object value, String rule, String path) {
    return new IOException(
        Refusal.to("read a file in stored order")
            .value(name, value)
            .expected(rule)
            .where("file", path)
            .message());
  }
}
