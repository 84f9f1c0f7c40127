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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

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
 * #SLACK_BYTES} bytes.
 *
 * <p>Not thread-safe.
 */
public final class HistoryFile implements Closeable {
  /** Mode of the file: it tells who uses what. */
  public static final Set<PosixFilePermission> PRIVATE =
      Set.copyOf(PosixFilePermissions.fromString("rw-------"));

  static final int SLACK_BYTES = 4 << 20;

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
   */
  public static HistoryFile open(Path file, String owner, AccessHistory into) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    HeaderFormat.Header header = HistoryFormat.HEADER.decode(bytes, owner, file.toString());
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
      opened.replay(bytes, into);
      return opened;
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  private void replay(ByteBuffer bytes, AccessHistory into) throws IOException {
    while (bytes.hasRemaining()) {
      String place = file + " offset=" + bytes.position();
      int offset = bytes.position();
      RecordFormat.Record record;
      try {
        record = HistoryFormat.RECORD.decode(bytes, place);
      } catch (FormatException e) {
        refuseIfFollowed(bytes, offset, e);
        cutBytes = (long) bytes.limit() - offset;
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
    }
    // Not known which part was the snapshot: as if all were, but for the slack.
    snapshotBytes = channel.size();
  }

  /** Damage is a bad record that a sound one follows; a torn end is followed by none. */
  private void refuseIfFollowed(ByteBuffer bytes, int offset, FormatException damage)
      throws CorruptFormatException {
    for (int at = offset + 1; at <= bytes.limit() - RecordFormat.OVERHEAD_BYTES; at++) {
      if (bytes.getInt(at) == HistoryFormat.RECORD_MAGIC) {
        OptionalLong later = soundRecord(bytes.duplicate().position(at));
        if (later.isPresent() && later.getAsLong() > sequence) {
          throw new CorruptFormatException(
              damage.getMessage()
                  + ", and record "
                  + later.getAsLong()
                  + " follows at offset="
                  + at);
        }
      }
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
    for (ByteBuffer payload : HistoryFormat.payloads(items)) {
      ByteBuffer record = ByteBuffer.allocate(RecordFormat.recordBytes(payload.remaining()));
      HistoryFormat.RECORD.encode(sequence + 1, payload, record);
      writeFully(channel, record.flip());
      channel.force(false);
      sequence++;
    }
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
    long records = 0;
    try (FileChannel out =
        FileChannel.open(
            temporary,
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PRIVATE))) {
      writeFully(out, HistoryFormat.header(owner, periodMs));
      for (ByteBuffer payload : HistoryFormat.payloads(items)) {
        ByteBuffer record = ByteBuffer.allocate(RecordFormat.recordBytes(payload.remaining()));
        HistoryFormat.RECORD.encode(++records, payload, record);
        writeFully(out, record.flip());
      }
      out.force(true);
    }
    try {
      AtomicFiles.rename(temporary, file);
    } catch (AtomicMoveNotSupportedException e) {
      throw new IOException("Cannot replace a history: no atomic rename, file=" + file, e);
    }
    return records;
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
