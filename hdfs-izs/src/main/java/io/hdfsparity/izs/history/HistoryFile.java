/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.history;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.HeaderFormat;
import io.hdfsparity.core.framing.RecordFormat;
import io.hdfsparity.core.store.AtomicFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A history in a file: a snapshot, and after it what happened since. See {@link HistoryFormat}.
 *
 * <p><b>Crashes.</b> Each batch is one record, written and synced before the next one, so a crash
 * can only cut or garble the last one: it fails its CRC, nothing sound follows it, and it is cut
 * off when the file is opened. A record that fails while a later one is sound is damage, and
 * opening fails. A new snapshot is written to {@code <name>.tmp}, synced and renamed over the file;
 * a crash leaves the old file or the new one.
 *
 * <p>Bounded: a snapshot is due when what follows the last one is longer than it plus {@value
 * #SLACK_BYTES} bytes, and after opening a file that is longer than that. A file is read piece by
 * piece, and one that is longer than {@link #maxBytes} is refused.
 *
 * <p>Not thread-safe.
 */
public final class HistoryFile implements Closeable {
  /** Mode of the file: it tells who uses what. */
  public static final Set<PosixFilePermission> PRIVATE =
      Set.copyOf(PosixFilePermissions.fromString("rw-------"));

  static final int SLACK_BYTES = 4 << 20;

  /** A file of this length, in bytes, is read however small the history is to be. */
  static final long MIN_READABLE_BYTES = 1 << 30;

  /** A snapshot may take more bytes than the heap does, and a file is longer than its snapshot. */
  private static final int READABLE_SNAPSHOTS = 4;

  private final Path file;
  private final String owner;
  private final long periodMs;
  private FileChannel channel;
  private long sequence;
  private long snapshotBytes;
  private long cutBytes;

  private HistoryFile(Path file, String owner, long periodMs, FileChannel channel) {
    this.file = file;
    this.owner = owner;
    this.periodMs = periodMs;
    this.channel = channel;
  }

  /**
   * Makes a file with an empty history; one of that name is replaced.
   *
   * @param owner id of the HDFS cluster
   */
  public static HistoryFile create(Path file, String owner, long periodMs) throws IOException {
    replace(file, owner, periodMs, List.of());
    HistoryFile made = new HistoryFile(file, owner, periodMs, openForAppend(file));
    made.snapshotBytes = made.channel.size();
    return made;
  }

  /**
   * Opens a file and reads it into a history.
   *
   * @param owner id of the HDFS cluster, which must be that of the file
   * @throws FormatException if it is damaged, of another version, cluster or kind
   * @throws PeriodMismatchException if its periods are of another length than the history's
   * @throws IOException if it is longer than {@link #maxBytes}, or cannot be read
   */
  public static HistoryFile open(Path file, String owner, AccessHistory into) throws IOException {
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
      return open(file, owner, in, into);
    }
  }

  private static HistoryFile open(Path file, String owner, FileChannel in, AccessHistory into)
      throws IOException {
    if (in.size() > maxBytes(into.shape())) {
      throw new IOException(
          ErrorMessage.to("open a history")
              .value("fileBytes", in.size())
              .expected("<= " + maxBytes(into.shape()))
              .file(file)
              .message());
    }
    FileWindow window = new FileWindow(in);
    HeaderFormat.Header header = HistoryFormat.HEADER.decode(window.at(0), owner, file.toString());
    long periodMs = HistoryFormat.periodMs(header, file.toString());
    if (periodMs != into.shape().periodMs()) {
      throw new PeriodMismatchException(
          ErrorMessage.to("open a history")
              .value("periodMs", periodMs)
              .expected(into.shape().periodMs())
              .file(file)
              .message());
    }
    HistoryFile opened = new HistoryFile(file, owner, periodMs, openForAppend(file));
    try {
      opened.replay(window, header.headerBytes(), into);
      return opened;
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  /** Length in bytes of the longest file that is read into a history of a shape. */
  public static long maxBytes(HistoryShape shape) {
    return Math.max(MIN_READABLE_BYTES, READABLE_SNAPSHOTS * shape.maxBytes());
  }

  private void replay(FileWindow window, long begin, AccessHistory into) throws IOException {
    long offset = begin;
    while (offset < window.fileBytes()) {
      String place = file + " offset=" + offset;
      RecordFormat.Record record;
      try {
        record = HistoryFormat.RECORD.decode(window.at(offset), place);
      } catch (FormatException e) {
        refuseIfFollowed(window, offset, e);
        cutBytes = window.fileBytes() - offset;
        channel.truncate(offset);
        channel.force(true);
        break;
      }
      if (record.sequence() != sequence + 1) {
        throw new CorruptFormatException(
            ErrorMessage.to("read a history")
                .value("sequence", record.sequence())
                .expected(sequence + 1)
                .where("at", place)
                .message());
      }
      sequence = record.sequence();
      HistoryFormat.items(record.payload(), place).forEach(into::apply);
      offset += RecordFormat.recordBytes(record.payload().limit());
    }
    // Not known which part was the snapshot: as if none were. Else files would grow at each start.
    snapshotBytes = 0;
  }

  /** Damage is a bad record that a sound one follows; a torn end is followed by none. */
  private void refuseIfFollowed(FileWindow window, long offset, FormatException damage)
      throws IOException {
    long at = window.find(HistoryFormat.RECORD_MAGIC, offset + 1);
    while (at >= 0) {
      OptionalLong later = soundRecord(window.at(at));
      if (later.isPresent() && later.getAsLong() > sequence) {
        throw new CorruptFormatException(
            damage.getMessage() + ", and record " + later.getAsLong() + " follows at offset=" + at);
      }
      at = window.find(HistoryFormat.RECORD_MAGIC, at + 1);
    }
  }

  /** The sequence of the record that starts here, if one does. */
  private static OptionalLong soundRecord(ByteBuffer at) {
    try {
      return OptionalLong.of(HistoryFormat.RECORD.decode(at, "search").sequence());
    } catch (FormatException e) {
      return OptionalLong.empty();
    }
  }

  /** Makes items durable. After an exception the file has to be replaced by a snapshot. */
  public void append(List<HistoryItem> items) throws IOException {
    HistoryFormat.payloads(
        items,
        payload -> {
          writeFully(channel, record(sequence + 1, payload));
          channel.force(false);
          sequence++;
        });
  }

  private static ByteBuffer record(long number, ByteBuffer payload) {
    ByteBuffer record = ByteBuffer.allocate(RecordFormat.recordBytes(payload.remaining()));
    HistoryFormat.RECORD.encode(number, payload, record);
    return record.flip();
  }

  /** Whether the file has grown so that a snapshot should replace it. */
  public boolean snapshotDue() throws IOException {
    return channel.size() > 2 * snapshotBytes + SLACK_BYTES;
  }

  /** Replaces the file by one that holds these items only. */
  public void replaceBy(List<HistoryItem> items) throws IOException {
    long records = replace(file, owner, periodMs, items);
    FileChannel old = channel;
    channel = openForAppend(file);
    sequence = records;
    snapshotBytes = channel.size();
    old.close();
  }

  /** Bytes of a torn record that opening cut off. */
  public long cutBytes() {
    return cutBytes;
  }

  /** Size of the file. */
  public long sizeBytes() throws IOException {
    return channel.size();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static long replace(Path file, String owner, long periodMs, List<HistoryItem> items)
      throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    AtomicLong records = new AtomicLong();
    try (FileChannel out =
        FileChannel.open(
            temporary,
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PRIVATE))) {
      writeFully(out, HistoryFormat.header(owner, periodMs));
      HistoryFormat.payloads(
          items, payload -> writeFully(out, record(records.incrementAndGet(), payload)));
      out.force(true);
    }
    try {
      AtomicFiles.rename(temporary, file);
    } catch (AtomicMoveNotSupportedException e) {
      throw new IOException("Cannot replace a history: no atomic rename, file=" + file, e);
    }
    return records.get();
  }

  private static FileChannel openForAppend(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
  }

  private static void writeFully(FileChannel out, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }
}
