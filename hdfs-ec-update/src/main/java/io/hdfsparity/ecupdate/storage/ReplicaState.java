/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.HeaderFormat;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.OpMode;
import io.hdfsparity.ecupdate.ajx.RecordCodec;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * What is kept of a replica outside the log: its slots, its scheme and the size of its reserved
 * space. A file of its own, replaced as a whole. Immutable.
 *
 * <pre>
 * FILE: a header of parity-core (magic "ECUPSTAT", owner: block pool "/" block id), its payload
 * +------+-----+-------------------------------------------------------------------+
 * |    0 |   8 | salt of the log that the sequences are of                         |
 * |    8 |   4 | bodyBytes: of what follows the header                             |
 * |   12 |   4 | bodyCrc: its CRC32C                                               |
 * +------+-----+-------------------------------------------------------------------+
 *
 * BODY
 * +------+-----+-------------------------------------------------------------------+
 * |    0 |   8 | upTo: slots not listed one by one are as of this sequence         |
 * |    8 |   1 | mode of fresh slots: 0 NORM, 2 INIT                               |
 * |    9 |   1 | scheme: 0 that of the path, 1 FO, 2 FL, 3 PL, 4 PLR               |
 * |   10 |   8 | reservedBytes: r_t of Algorithm 1; -1 before the first delta      |
 * |   18 |   8 | utility: u_(t-1), a double                                        |
 * |   26 |   4 | runs of stripes whose slots are quiescent (not in version 1)      |
 * |   30 |  16 | each: first stripe (4), stripes (4), epoch of their slots (8)     |
 * |      |   4 | slots that are listed one by one                                  |
 * |      |     | each: stripe (4), upTo (8), slot as in a snapshot of the log      |
 * +------+-----+-------------------------------------------------------------------+
 * </pre>
 *
 * @param salt of the log
 * @param upTo sequence that all slots but those in {@code slots} are as of
 * @param fresh mode of slots that are not listed
 * @param scheme by its name; empty if it is that of the path
 * @param reservedBytes as above
 * @param utility as above
 * @param quiescent slots that are NORM with nothing to recall but their epoch, and not fresh
 * @param slots all others that are not fresh, by stripe
 */
record ReplicaState(
    long salt,
    long upTo,
    OpMode fresh,
    String scheme,
    long reservedBytes,
    double utility,
    QuiescentSlots quiescent,
    SortedMap<Integer, Kept> slots) {
  static final HeaderFormat FORMAT = new HeaderFormat("ECUPSTAT", 1, 2);

  /** Value of {@code reservedBytes} before the first delta. */
  static final long NEVER_RESERVED = -1;

  private static final String[] SCHEMES = {"", "FO", "FL", "PL", "PLR"};
  private static final int PAYLOAD_BYTES = Long.BYTES + 2 * Integer.BYTES;

  ReplicaState {
    // Any other would say of an area with deltas that it was never used.
    Checks.argument(
        reservedBytes >= NEVER_RESERVED,
        "keep the state of a replica",
        "reservedBytes",
        reservedBytes,
        ">= -1");
  }

  /**
   * A slot.
   *
   * @param upTo sequence of the last change in it
   */
  record Kept(long upTo, DurableSlot slot) {}

  /** Of a replica that nobody has updated. */
  static ReplicaState untouched(long salt) {
    return new ReplicaState(
        salt, 0, OpMode.NORM, "", NEVER_RESERVED, 0, QuiescentSlots.NONE, new TreeMap<>());
  }

  /** Of a copy that has just arrived, whose bytes count as garbage. */
  static ReplicaState arrived(long salt, long upTo) {
    return new ReplicaState(
        salt, upTo, OpMode.INIT, "", NEVER_RESERVED, 0, QuiescentSlots.NONE, new TreeMap<>());
  }

  /** The same with another scheme. */
  ReplicaState withScheme(String chosen) {
    return new ReplicaState(salt, upTo, fresh, chosen, reservedBytes, utility, quiescent, slots);
  }

  /** The same with other reserved space. */
  ReplicaState withReserved(long newReservedBytes, double newUtility) {
    return new ReplicaState(
        salt, upTo, fresh, scheme, newReservedBytes, newUtility, quiescent, slots);
  }

  /**
   * The same replica, later.
   *
   * @param newUpTo all changes up to here are in the slots, in those that are not listed too
   */
  ReplicaState withSlots(
      long newUpTo, QuiescentSlots newQuiescent, SortedMap<Integer, Kept> newSlots) {
    return new ReplicaState(
        salt, newUpTo, fresh, scheme, reservedBytes, utility, newQuiescent, newSlots);
  }

  /** The same but for the slots that are listed one by one: somebody else has them. */
  ReplicaState withoutSlots() {
    return withSlots(upTo, quiescent, new TreeMap<>());
  }

  /**
   * What {@link #quiescent} has to say of a quiescent slot of this replica: its epoch, or that it
   * is not listed because it is fresh.
   */
  long listedEpoch(long epoch) {
    return fresh == OpMode.NORM && epoch == 0 ? QuiescentSlots.NOT_LISTED : epoch;
  }

  /** Sequence of the last change that any of its slots has. */
  long lastSequence() {
    return slots.values().stream().mapToLong(Kept::upTo).reduce(upTo, Math::max);
  }

  /** A slot as this state has it. */
  Kept slot(int stripe) {
    Kept kept = slots.get(stripe);
    if (kept != null) {
      return kept;
    }
    long epoch = quiescent.epoch(stripe);
    if (epoch != QuiescentSlots.NOT_LISTED) {
      return new Kept(upTo, DurableSlot.quiescent(epoch));
    }
    DurableSlot slot = fresh == OpMode.INIT ? DurableSlot.remapped() : DurableSlot.untouched();
    return new Kept(upTo, slot);
  }

  /**
   * The bytes of the file; takes no memory beside them, for receipts are as long as what was
   * written.
   */
  byte[] encode(ReplicaKey key) {
    int bodyBytes = write(OutputStream.nullOutputStream());
    int headBytes = header(key, bodyBytes, 0).remaining();
    ByteBuffer file = ByteBuffer.allocate(Math.addExact(headBytes, bodyBytes));
    file.position(headBytes);
    write(new BufferOutput(file));
    CRC32C crc = new CRC32C();
    crc.update(file.array(), headBytes, bodyBytes);
    file.put(0, header(key, bodyBytes, (int) crc.getValue()).array(), 0, headBytes);
    return file.array();
  }

  private ByteBuffer header(ReplicaKey key, int bodyBytes, int bodyCrc) {
    ByteBuffer payload = ByteBuffer.allocate(PAYLOAD_BYTES);
    payload.putLong(salt).putInt(bodyBytes).putInt(bodyCrc).flip();
    return FORMAT.encode(key.toString(), payload);
  }

  /** Fills a buffer. */
  private static final class BufferOutput extends OutputStream {
    private final ByteBuffer target;

    BufferOutput(ByteBuffer target) {
      this.target = target;
    }

    @Override
    public void write(int value) {
      target.put((byte) value);
    }

    @Override
    public void write(byte[] bytes, int offset, int lengthBytes) {
      target.put(bytes, offset, lengthBytes);
    }
  }

  /** Writes the body, and returns how many bytes it has. */
  private int write(OutputStream target) {
    try (DataOutputStream out = new DataOutputStream(target)) {
      out.writeLong(upTo);
      out.writeByte(fresh.ordinal());
      out.writeByte(schemeNumber());
      out.writeLong(reservedBytes);
      out.writeDouble(utility);
      quiescent.write(out);
      out.writeInt(slots.size());
      for (var slot : slots.entrySet()) {
        out.writeInt(slot.getKey());
        out.writeLong(slot.getValue().upTo());
        RecordCodec.write(slot.getValue().slot(), out);
      }
      return out.size();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // no I/O behind it
    }
  }

  private int schemeNumber() {
    for (int number = 0; number < SCHEMES.length; number++) {
      if (SCHEMES[number].equals(scheme)) {
        return number;
      }
    }
    throw new IllegalArgumentException(
        ErrorMessage.to("keep the state of a replica")
            .value("scheme", scheme)
            .expected("FO, FL, PL or PLR")
            .message());
  }

  /**
   * The other way.
   *
   * @throws FormatException if the bytes are not the state of that replica
   */
  static ReplicaState decode(byte[] bytes, ReplicaKey key) throws FormatException {
    ByteBuffer file = ByteBuffer.wrap(bytes);
    String place = "state of " + key;
    HeaderFormat.Header header = FORMAT.decode(file, key.toString(), place);
    ByteBuffer payload = header.payload();
    if (payload.remaining() != PAYLOAD_BYTES) {
      throw corrupt(place, "payloadBytes", payload.remaining(), "" + PAYLOAD_BYTES);
    }
    long salt = payload.getLong();
    int bodyBytes = payload.getInt();
    int bodyCrc = payload.getInt();
    if (bodyBytes != file.remaining()) {
      throw corrupt(place, "bodyBytes", bodyBytes, "as many as there are: " + file.remaining());
    }
    byte[] body = new byte[bodyBytes];
    file.get(body);
    if (crc(body) != bodyCrc) {
      throw corrupt(place, "bodyCrc", crc(body), "" + bodyCrc);
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(body))) {
      ReplicaState state = read(header.version(), salt, in);
      if (in.available() > 0) {
        throw new StreamCorruptedException("bytes left=" + in.available() + ", expected 0");
      }
      return state;
    } catch (IOException | IllegalArgumentException e) {
      CorruptFormatException corrupt =
          corrupt(place, "bodyBytes", bodyBytes, "a body (" + e.getMessage() + ")");
      corrupt.initCause(e);
      throw corrupt;
    }
  }

  private static ReplicaState read(int version, long salt, DataInputStream in) throws IOException {
    long upTo = in.readLong();
    int fresh = in.readUnsignedByte();
    int scheme = in.readUnsignedByte();
    if (fresh >= OpMode.values().length || scheme >= SCHEMES.length) {
      throw new StreamCorruptedException(
          "fresh=" + fresh + ", scheme=" + scheme + ", expected 0..2 and 0..4");
    }
    long reservedBytes = in.readLong();
    double utility = in.readDouble();
    QuiescentSlots quiescent = version == 1 ? QuiescentSlots.NONE : QuiescentSlots.read(in);
    SortedMap<Integer, Kept> slots = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      slots.put(in.readInt(), new Kept(in.readLong(), RecordCodec.readSlot(in)));
    }
    return new ReplicaState(
        salt,
        upTo,
        OpMode.values()[fresh],
        SCHEMES[scheme],
        reservedBytes,
        utility,
        quiescent,
        slots);
  }

  private static CorruptFormatException corrupt(
      String place, String name, long value, String rule) {
    return new CorruptFormatException(
        ErrorMessage.to("read the state of a replica")
            .value(name, value)
            .expected(rule)
            .where("file", place)
            .message());
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
