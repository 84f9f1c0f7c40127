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
import io.hdfsparity.core.check.ErrorMessage;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.EnumSet;
import java.util.HexFormat;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.StoredStreams;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * The files that an index is in: read by what a pointer says, and made. What is read is exactly
 * what the pointer was made for, or an error. Stateless, thread-safe.
 */
final class IndexFiles {
  /**
   * The pointer of the file, on its index and the copy of that, for the case that the file loses
   * its own. Only superusers see it.
   */
  static final String POINTER = "trusted.parity.caso.pointer";

  private static final long MAX_INDEX_BYTES = 1L << 30;
  private static final FsPermission PRIVATE = new FsPermission((short) 0600);
  private static final FsPermission READABLE = new FsPermission((short) 0444);

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
   * Makes a file, sealed already, that everybody may read once it is whole.
   *
   * @param at a path that nothing has, in a folder of superusers
   * @param parityUnits of the file: without the index all its units are worth nothing, so it
   *     survives as many losses
   */
  void create(Path at, byte[] sealed, LayoutPointer pointer, int parityUnits) throws IOException {
    try (FSDataOutputStream out =
        fs.createFile(at)
            .overwrite(false)
            .replicate()
            .replication(replication(at, parityUnits))
            .permission(PRIVATE)
            .syncBlock()
            .build()) {
      out.write(sealed);
    }
    fs.setXAttr(at, POINTER, pointer.encode(), EnumSet.of(XAttrSetFlag.CREATE));
    // Not by the builder: that goes by the umask of the process.
    fs.setPermission(at, READABLE);
  }

  private short replication(Path at, int parityUnits) {
    int max =
        fs.getConf()
            .getInt(
                DFSConfigKeys.DFS_REPLICATION_MAX_KEY, DFSConfigKeys.DFS_REPLICATION_MAX_DEFAULT);
    return (short) Math.min(max, Math.max(fs.getDefaultReplication(at), parityUnits + 1));
  }

  /**
   * Sealed bytes of an index, or of its copy.
   *
   * @param from one of the pointer's paths
   * @param path of the file that the index is of, for messages
   * @throws IOException if it cannot be read, is missing, cut or has another SHA-256
   */
  byte[] bytes(LayoutPointer pointer, String from, String path) throws IOException {
    return bytes(fs.getClient(), pointer, from, path);
  }

  /** As above, by any client. */
  static byte[] bytes(DFSClient client, LayoutPointer pointer, String from, String path)
      throws IOException {
    long expected = pointer.indexBytes();
    if (expected > MAX_INDEX_BYTES) {
      throw refused("indexBytes", expected, "at most " + MAX_INDEX_BYTES, path);
    }
    byte[] bytes;
    try (HdfsDataInputStream in = StoredStreams.open(client, from)) {
      // The attribute is the user's: no memory for more than there is.
      HdfsFileStatus there = client.getFileInfo(from);
      if (there == null) {
        throw new FileNotFoundException(from);
      }
      if (there.getLen() != expected) {
        throw new EOFException(there.getLen() + " bytes");
      }
      bytes = new byte[(int) expected];
      in.readFully(0, bytes);
    } catch (EOFException e) {
      throw refused(
          "index " + from, String.valueOf(e.getMessage()), expected + " bytes" + mend(path), path);
    } catch (FileNotFoundException e) {
      throw new IOException(missing(pointer, from, path), e);
    } catch (InterruptedIOException | ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(
          refused("index " + from, e, expected + " bytes" + mend(path), path).getMessage(), e);
    }
    String sha256 = sha256(bytes);
    if (!sha256.equals(pointer.sha256())) {
      throw refused("SHA-256 of " + from, sha256, pointer.sha256() + mend(path), path);
    }
    return bytes;
  }

  private static String missing(LayoutPointer pointer, String from, String path) {
    return ErrorMessage.to("read a file in stored order")
        .value("index", "missing")
        .expected(
            from
                + ", "
                + pointer.indexBytes()
                + " bytes with SHA-256 "
                + pointer.sha256()
                + mend(path))
        .where("file", path)
        .message();
  }

  private static String mend(String path) {
    return "; have a superuser run hdfs caso -repair " + path + ", or put it back from a backup";
  }

  /**
   * An index by its sealed bytes, which are those of the pointer.
   *
   * @throws IOException if it is damaged, of another version, or another file's
   */
  static LayoutIndex decode(byte[] sealed, LayoutPointer pointer, String path) throws IOException {
    byte[] bytes = SealedIndex.open(sealed, pointer.keyHex(), pointer.fileId(), pointer.index());
    LayoutIndex index = LayoutFormat.read(new ByteArrayInputStream(bytes), pointer.index());
    requireOwner(index, pointer.fileId(), path);
    return index;
  }

  /**
   * As above, for the file that it is of, or the beginning of which it is of.
   *
   * @throws IOException as above, and if the file is shorter
   */
  static LayoutIndex decode(
      byte[] sealed, LayoutPointer pointer, HdfsFileStatus status, String path) throws IOException {
    LayoutIndex index = decode(sealed, pointer, path);
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
        ErrorMessage.to("read a file in stored order")
            .value(name, value)
            .expected(rule)
            .where("file", path)
            .message());
  }
}
