/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.image.FrameDirectory;
import io.hdfsparity.raidp.image.Limbo;
import io.hdfsparity.raidp.image.ReplicaFiles;
import io.hdfsparity.raidp.lstor.SlotCause;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * What HDFS does to the files of a frame's blocks, calling the volume's hooks as the bridge does.
 */
final class SimFrame {
  static final String POOL = "BP-1";
  static final int BPC = 512;

  private final VolumeFrames volume;
  private final FrameEngine engine;
  private final Map<Long, Integer> choices;
  private final FrameDirectory directory;

  /**
   * @param choices where the NameNode has placed new blocks of the volume
   */
  SimFrame(VolumeFrames volume, FrameEngine engine, Map<Long, Integer> choices) {
    this.volume = volume;
    this.engine = engine;
    this.choices = choices;
    this.directory = engine.frame().directory();
  }

  FrameEngine hooks() {
    return engine;
  }

  VolumeFrames volume() {
    return volume;
  }

  private Path rbw(long id) throws IOException {
    return Files.createDirectories(directory.rbwDirectory(POOL)).resolve("blk_" + id);
  }

  private Path finalized(long id) throws IOException {
    return Files.createDirectories(directory.finalizedDirectory(POOL, id)).resolve("blk_" + id);
  }

  private static Path meta(Path data, long stamp) {
    return data.resolveSibling(data.getFileName() + "_" + stamp + ".meta");
  }

  /** Writes a block to both frames of a pair. */
  static void store(long id, byte[] content, SimFrame... pair) throws IOException {
    for (SimFrame frame : pair) {
      frame.reserve(id, Math.max(SimNode.MAX_BLOCK, content.length));
    }
    for (SimFrame frame : pair) {
      frame.write(id, 1001, content);
      frame.finish(id, 1001, content.length);
    }
  }

  void reserve(long id, long maxBytes) throws IOException {
    announce(id, maxBytes);
    volume.reserve(POOL, id, maxBytes);
  }

  /** The first half of {@link #reserve}, without a lock. */
  void announce(long id, long maxBytes) throws IOException {
    choices.put(id, engine.frame().index());
    volume.reserveAhead(POOL, id, maxBytes);
  }

  /** The second half, under HDFS's lock; also alone. */
  void reserveAnnounced(long id, long maxBytes) throws IOException {
    choices.put(id, engine.frame().index());
    volume.reserve(POOL, id, maxBytes);
  }

  /** A replica of a block that is in no superchunk. */
  void reservePlain(long id, long maxBytes) throws IOException {
    choices.remove(id);
    volume.reserve(POOL, id, maxBytes);
  }

  /** The DataNode ends before it has moved the files. */
  void finishCutShort(long id, long stamp, int length) throws IOException {
    volume.finalizing(POOL, id, stamp, rbw(id).toFile(), meta(rbw(id), stamp).toFile(), length);
  }

  /** The DataNode ends after it has moved one of the two files to limbo. */
  void deleteCutShort(long id, long stamp, long sequence) throws IOException {
    engine.frame().disk().lstor().apply(engine.frame().index(), id, SlotCause.DELETED);
    Files.move(
        finalized(id),
        directory
            .root()
            .resolve(Limbo.DIRECTORY)
            .resolve("blk_" + id + "_" + stamp + "." + sequence + ".data"));
  }

  /** Data and checksums of a replica being written; the whole content anew. */
  void write(long id, long stamp, byte[] content) throws IOException {
    Files.write(rbw(id), content);
    Files.write(meta(rbw(id), stamp), metaBytes(content));
  }

  void packet(long id, long stamp, int length) throws IOException {
    volume.written(POOL, id, stamp, rbw(id).toFile(), meta(rbw(id), stamp).toFile(), length);
  }

  /** The first half of {@link #finish}, without a lock. */
  void announceFinish(long id, long stamp, int length) throws IOException {
    volume.beforeFinalizing(
        POOL, id, stamp, rbw(id).toFile(), meta(rbw(id), stamp).toFile(), length);
  }

  void finish(long id, long stamp, int length) throws IOException {
    announceFinish(id, stamp, length);
    boolean isDone = false;
    try {
      finishAnnounced(id, stamp, length);
      isDone = true;
    } finally {
      if (!isDone) {
        volume.finalizeFailed(POOL, id);
      }
    }
  }

  /** Also alone, as a recovery does. */
  void finishAnnounced(long id, long stamp, int length) throws IOException {
    volume.finalizing(POOL, id, stamp, rbw(id).toFile(), meta(rbw(id), stamp).toFile(), length);
    Files.move(rbw(id), finalized(id), StandardCopyOption.ATOMIC_MOVE);
    Files.move(meta(rbw(id), stamp), meta(finalized(id), stamp), StandardCopyOption.ATOMIC_MOVE);
  }

  void reopen(long id, long stamp, long newStamp, long maxBytes) throws IOException {
    volume.beforeReopening(POOL, id, maxBytes);
    reopenAnnounced(id, stamp, newStamp, maxBytes);
  }

  /** The second half, under HDFS's lock. */
  void reopenAnnounced(long id, long stamp, long newStamp, long maxBytes) throws IOException {
    volume.reopening(
        POOL, id, finalized(id).toFile(), meta(finalized(id), stamp).toFile(), maxBytes);
    Files.move(finalized(id), rbw(id), StandardCopyOption.ATOMIC_MOVE);
    Files.move(meta(finalized(id), stamp), meta(rbw(id), newStamp), StandardCopyOption.ATOMIC_MOVE);
  }

  /** LocalReplica.truncateBlock, the bump of the stamp, and the bridge's changedInPlace. */
  void truncate(long id, long stamp, long newStamp, int newLength) throws IOException {
    Path data = finalized(id);
    File meta = meta(data, stamp).toFile();
    volume.truncating(POOL, id, data.toFile(), meta, newLength);
    cut(data, meta, newLength);
    Path bumped = meta(data, newStamp);
    Files.move(meta.toPath(), bumped, StandardCopyOption.ATOMIC_MOVE);
    volume.finalizing(POOL, id, newStamp, data.toFile(), bumped.toFile(), newLength);
  }

  /** A recovery gives a replica that is being written another stamp. */
  void bump(long id, long stamp, long newStamp) throws IOException {
    Files.move(meta(rbw(id), stamp), meta(rbw(id), newStamp), StandardCopyOption.ATOMIC_MOVE);
  }

  /** A recovery cuts a replica that is being written. */
  void cutInPlace(long id, long stamp, int newLength) throws IOException {
    File meta = meta(rbw(id), stamp).toFile();
    volume.truncating(POOL, id, rbw(id).toFile(), meta, newLength);
    cut(rbw(id), meta, newLength);
  }

  private static void cut(Path data, File meta, int newLength) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(data.toFile(), "rw")) {
      file.setLength(newLength);
    }
    byte[] left = Files.readAllBytes(data);
    int chunks = (newLength + BPC - 1) / BPC;
    try (RandomAccessFile file = new RandomAccessFile(meta, "rw")) {
      file.setLength(7 + 4L * chunks);
      file.seek(7 + 4L * (chunks - 1));
      file.write(ByteBuffer.allocate(4).putInt(crc(left, (chunks - 1) * BPC, newLength)).array());
    }
  }

  /** As FsDatasetAsyncDiskService does; an HDFS that finds the file kept leaves it. */
  void delete(long id) throws IOException {
    Optional<ReplicaFiles> found = directory.find(POOL, id);
    if (found.isEmpty()) {
      return;
    }
    if (!volume.removing(POOL, found.get().data().toFile())) {
      Files.deleteIfExists(found.get().data());
    }
    File meta = found.get().meta().toFile();
    if (meta.exists() && !volume.removing(POOL, meta)) {
      Files.deleteIfExists(meta.toPath());
    }
  }

  Path path(long id) throws IOException {
    return finalized(id);
  }

  byte[] content(long id) throws IOException {
    return Files.readAllBytes(finalized(id));
  }

  boolean exists(long id) throws IOException {
    return directory.find(POOL, id).isPresent();
  }

  static byte[] metaBytes(byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(1);
    out.writeByte(2);
    out.writeInt(BPC);
    for (int at = 0; at < content.length; at += BPC) {
      out.writeInt(crc(content, at, Math.min(at + BPC, content.length)));
    }
    return bytes.toByteArray();
  }

  static byte[] metaOf(byte[] content, int prefix) throws IOException {
    return metaBytes(Arrays.copyOf(content, prefix));
  }

  private static int crc(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }
}
