/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.ecupdate.ajx.LogRecord;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.RecordCodec;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The payload of a record. Stateless, thread-safe. */
final class EntryCodec {
  private static final int CHANGE = 1;
  private static final int SNAPSHOT = 2;
  private static final int FOLD = 3;
  private static final int DROPPED = 4;
  private static final int EXPECTED_REST_BYTES = 256;

  /** Longest name of a block pool in bytes of UTF-8. */
  static final int MAX_POOL_BYTES = 255;

  /** Most that a fold's payload takes beside its patches, and a patch beside its bytes. */
  static final int FOLD_HEAD_BYTES = 2 + MAX_POOL_BYTES + 8 + 8 + 3 * Integer.BYTES;

  static final int PATCH_HEAD_BYTES = 2 * Integer.BYTES;

  /** Most that the record of a drop takes, its header included. */
  static final int DROPPED_RECORD_BYTES =
      RecordHeader.recordBytes(Short.BYTES + MAX_POOL_BYTES + Long.BYTES);

  private EntryCodec() {}

  static int kind(LogEntry entry) {
    if (entry instanceof LogEntry.Change) {
      return CHANGE;
    } else if (entry instanceof LogEntry.Snapshot) {
      return SNAPSHOT;
    }
    return entry instanceof LogEntry.Fold ? FOLD : DROPPED;
  }

  /** About what an entry takes, so that what is long is not copied while it grows. */
  private static int expectedBytes(LogEntry entry) {
    long bytes = 0;
    if (entry instanceof LogEntry.Change change) {
      bytes = LogIndex.changedBytes(change.record());
      if (change.record() instanceof LogRecord.Swapped swapped) {
        bytes += swapped.receipt().previous().length();
      }
    } else if (entry instanceof LogEntry.Fold fold) {
      for (Patch patch : fold.patches()) {
        bytes += PATCH_HEAD_BYTES + patch.bytes().length();
      }
    }
    return (int) Math.min(EXPECTED_REST_BYTES + bytes, 1 << 30);
  }

  static byte[] encode(LogEntry entry) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(expectedBytes(entry));
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      write(entry.replica(), out);
      if (entry instanceof LogEntry.Change change) {
        out.writeInt(change.slot().stripe());
        RecordCodec.write(change.record(), out);
      } else if (entry instanceof LogEntry.Snapshot snapshot) {
        out.writeInt(snapshot.slot().stripe());
        RecordCodec.write(snapshot.state(), out);
      } else if (entry instanceof LogEntry.Fold fold) {
        out.writeLong(fold.upTo());
        out.writeInt(fold.part());
        out.writeInt(fold.parts());
        out.writeInt(fold.patches().size());
        for (Patch patch : fold.patches()) {
          RecordCodec.write(patch, out);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // no I/O behind it
    }
    return bytes.toByteArray();
  }

  /**
   * The other way.
   *
   * @throws CorruptFormatException if the bytes, whose CRC is right, are no such entry
   */
  static LogEntry decode(int kind, byte[] payload, String place) throws CorruptFormatException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload))) {
      LogEntry entry = read(kind, in);
      if (in.available() > 0) {
        throw new StreamCorruptedException("bytes left=" + in.available() + ", expected 0");
      }
      return entry;
    } catch (IOException | IllegalArgumentException e) {
      CorruptFormatException corrupt =
          new CorruptFormatException(
              ErrorMessage.to("read a record of an update log")
                  .value("kind", kind)
                  .value("payloadBytes", payload.length)
                  .expected("a payload of that kind (" + e.getMessage() + ")")
                  .where("file", place)
                  .message());
      corrupt.initCause(e);
      throw corrupt;
    }
  }

  private static LogEntry read(int kind, DataInputStream in) throws IOException {
    if (kind < CHANGE || kind > DROPPED) {
      throw new StreamCorruptedException("kind=" + kind + ", expected 0..4");
    }
    ReplicaKey replica = new ReplicaKey(in.readUTF(), in.readLong());
    return switch (kind) {
      case CHANGE -> new LogEntry.Change(readSlotKey(replica, in), RecordCodec.readRecord(in));
      case SNAPSHOT -> new LogEntry.Snapshot(readSlotKey(replica, in), RecordCodec.readSlot(in));
      case FOLD -> readFold(replica, in);
      default -> new LogEntry.Dropped(replica);
    };
  }

  private static SlotKey readSlotKey(ReplicaKey replica, DataInputStream in) throws IOException {
    return new SlotKey(replica, in.readInt());
  }

  private static LogEntry readFold(ReplicaKey replica, DataInputStream in) throws IOException {
    long upTo = in.readLong();
    int part = in.readInt();
    int parts = in.readInt();
    if (part < 0 || part >= parts) {
      throw new StreamCorruptedException("part=" + part + ", expected < parts=" + parts);
    }
    List<Patch> patches = new ArrayList<>();
    for (int left = RecordCodec.readCount(in); left > 0; left--) {
      patches.add(RecordCodec.readPatch(in));
    }
    return new LogEntry.Fold(replica, upTo, part, parts, patches);
  }

  private static void write(ReplicaKey replica, DataOutputStream out) throws IOException {
    int before = out.size();
    out.writeUTF(replica.blockPool());
    Checks.argument(
        out.size() - before <= Short.BYTES + MAX_POOL_BYTES,
        "log a change",
        "blockPool",
        replica.blockPool(),
        "<= " + MAX_POOL_BYTES + " bytes");
    out.writeLong(replica.blockId());
  }
}
