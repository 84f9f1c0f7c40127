/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * AJX's values as bytes. Counts and lengths are checked against what is left before anything is
 * allocated. Stateless, thread-safe.
 */
public final class RecordCodec {
  private static final int SWAPPED = 1;
  private static final int ADDED = 2;
  private static final int LOCKED = 3;
  private static final int UNLOCKED = 4;
  private static final int RECONSTRUCTED = 5;
  private static final int FINALIZED = 6;
  private static final int DISCARDED = 7;
  private static final int RETIRED = 8;

  /** Blocks of a stripe: more than any policy of Hadoop's has. */
  private static final int MAX_MEMBERS = 256;

  private RecordCodec() {}

  /** Writes a record with its kind; {@link #readRecord} reads it. */
  public static void write(LogRecord record, DataOutputStream out) throws IOException {
    if (record instanceof LogRecord.Swapped swapped) {
      out.writeByte(SWAPPED);
      write(swapped.patch(), out);
      write(swapped.receipt(), out);
    } else if (record instanceof LogRecord.Added added) {
      out.writeByte(ADDED);
      write(added.delta(), out);
      write(added.tids(), out);
    } else if (record instanceof LogRecord.Locked) {
      out.writeByte(LOCKED);
    } else if (record instanceof LogRecord.Unlocked) {
      out.writeByte(UNLOCKED);
    } else if (record instanceof LogRecord.Reconstructed done) {
      out.writeByte(RECONSTRUCTED);
      write(done.consistentSet(), out);
      write(done.block(), out);
      out.writeLong(done.targetEpoch());
    } else if (record instanceof LogRecord.Finalized done) {
      out.writeByte(FINALIZED);
      out.writeLong(done.epoch());
      out.writeBoolean(done.isStillLocked());
    } else if (record instanceof LogRecord.Discarded gc) {
      out.writeByte(DISCARDED);
      write(gc.tids(), out);
    } else if (record instanceof LogRecord.Retired gc) {
      out.writeByte(RETIRED);
      write(gc.tids(), out);
    }
  }

  /**
   * Reads a record.
   *
   * @throws IOException if the bytes are none
   */
  public static LogRecord readRecord(DataInputStream in) throws IOException {
    int type = in.readUnsignedByte();
    return switch (type) {
      case SWAPPED -> new LogRecord.Swapped(readPatch(in), readReceipt(in));
      case ADDED -> new LogRecord.Added(readPatch(in), readTids(in));
      case LOCKED -> new LogRecord.Locked();
      case UNLOCKED -> new LogRecord.Unlocked();
      case RECONSTRUCTED -> new LogRecord.Reconstructed(readSet(in), readBytes(in), in.readLong());
      case FINALIZED -> new LogRecord.Finalized(in.readLong(), in.readBoolean());
      case DISCARDED -> new LogRecord.Discarded(readTids(in));
      case RETIRED -> new LogRecord.Retired(readTids(in));
      default -> throw new StreamCorruptedException("type=" + type + ", expected 1..8");
    };
  }

  /** A slot, as in a snapshot. */
  public static void write(DurableSlot slot, DataOutputStream out) throws IOException {
    out.writeLong(slot.epoch());
    out.writeByte(slot.opMode().ordinal());
    write(slot.consistentSet(), out);
    out.writeLong(slot.targetEpoch());
    write(slot.recentList(), out);
    write(slot.oldList(), out);
    out.writeInt(slot.receipts().size());
    for (SwapReceipt receipt : slot.receipts()) {
      write(receipt, out);
    }
    out.writeBoolean(slot.isLocked());
  }

  /**
   * The other way.
   *
   * @throws StreamCorruptedException if the bytes are no slot
   */
  public static DurableSlot readSlot(DataInputStream in) throws IOException {
    long epoch = in.readLong();
    int mode = in.readUnsignedByte();
    if (mode >= OpMode.values().length) {
      throw new StreamCorruptedException("opMode=" + mode + ", expected 0..2");
    }
    Set<Integer> set = readSet(in);
    long target = in.readLong();
    List<Tid> recent = readTids(in);
    List<Tid> old = readTids(in);
    List<SwapReceipt> receipts = new ArrayList<>();
    for (int left = readCount(in); left > 0; left--) {
      receipts.add(readReceipt(in));
    }
    return new DurableSlot(
        epoch, OpMode.values()[mode], set, target, recent, old, receipts, in.readBoolean());
  }

  /** A patch: offset (4), bytes. */
  public static void write(Patch patch, DataOutputStream out) throws IOException {
    out.writeInt(patch.offset());
    write(patch.bytes(), out);
  }

  /** The other way. */
  public static Patch readPatch(DataInputStream in) throws IOException {
    return new Patch(in.readInt(), readBytes(in));
  }

  /** A count, or a length in bytes: no more than there are bytes left. */
  public static int readCount(DataInputStream in) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > in.available()) {
      throw new StreamCorruptedException(
          "count=" + count + ", expected 0.." + in.available() + " bytes left");
    }
    return count;
  }

  /** Bytes: length (4), then they. */
  public static void write(Bytes bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes.length());
    bytes.writeTo(out);
  }

  /** The other way. */
  public static Bytes readBytes(DataInputStream in) throws IOException {
    byte[] bytes = new byte[readCount(in)];
    in.readFully(bytes);
    return Bytes.wrap(bytes);
  }

  private static void write(SwapReceipt receipt, DataOutputStream out) throws IOException {
    write(receipt.tid(), out);
    write(receipt.previous(), out);
    out.writeLong(receipt.epoch());
    out.writeBoolean(receipt.otid() != null);
    if (receipt.otid() != null) {
      write(receipt.otid(), out);
    }
  }

  private static SwapReceipt readReceipt(DataInputStream in) throws IOException {
    Tid tid = readTid(in);
    Bytes previous = readBytes(in);
    long epoch = in.readLong();
    @Nullable Tid otid = in.readBoolean() ? readTid(in) : null;
    return new SwapReceipt(tid, previous, epoch, otid);
  }

  /** A tid: client (8), sequence (8), block (4). */
  public static void write(Tid tid, DataOutputStream out) throws IOException {
    out.writeLong(tid.client());
    out.writeLong(tid.sequence());
    out.writeInt(tid.block());
  }

  /** The other way. */
  public static Tid readTid(DataInputStream in) throws IOException {
    return new Tid(in.readLong(), in.readLong(), in.readInt());
  }

  /** Tids: count (4), then they. */
  public static void write(List<Tid> tids, DataOutputStream out) throws IOException {
    out.writeInt(tids.size());
    for (Tid tid : tids) {
      write(tid, out);
    }
  }

  /** The other way. */
  public static List<Tid> readTids(DataInputStream in) throws IOException {
    List<Tid> tids = new ArrayList<>();
    for (int left = readCount(in); left > 0; left--) {
      tids.add(readTid(in));
    }
    return tids;
  }

  /** In ascending order, so that equal sets are equal bytes. */
  public static void write(Set<Integer> set, DataOutputStream out) throws IOException {
    out.writeInt(set.size());
    for (int member : new TreeSet<>(set)) {
      out.writeInt(member);
    }
  }

  /** The other way, for blocks of a stripe. */
  public static Set<Integer> readSet(DataInputStream in) throws IOException {
    int count = readCount(in);
    if (count > MAX_MEMBERS) {
      throw new StreamCorruptedException("members=" + count + ", expected <= " + MAX_MEMBERS);
    }
    Set<Integer> set = new TreeSet<>();
    for (int left = count; left > 0; left--) {
      set.add(in.readInt());
    }
    return set;
  }
}
