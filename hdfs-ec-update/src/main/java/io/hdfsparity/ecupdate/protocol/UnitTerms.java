/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import io.hdfsparity.ecupdate.ajx.Bytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * What a NameNode says of an internal block to the DataNode that has it: enough to admit it to
 * updates. It is the mark inside the block token, whose password covers it, so a client can change
 * none of it. Immutable.
 *
 * <p>Format: the session's mark, then a byte of version, 1, and the fields in order as Java's
 * DataOutput writes them.
 *
 * @param session whose requests are meant
 * @param code of the group
 * @param unit index in the group, data units first
 * @param blockId of the internal block
 * @param generation generation stamp
 * @param groupBytes data bytes of the group, parity not counted
 * @param scheme FO, FL, PL or PLR: with which the replica begins, if this is its first session
 */
public record UnitTerms(
    SessionId session,
    StripeCode code,
    int unit,
    long blockId,
    long generation,
    long groupBytes,
    String scheme) {
  private static final int VERSION = 1;
  private static final int MAX_UNITS = 256;

  /** As it stands in a token. */
  public Bytes mark() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.write(session.mark());
      out.writeByte(VERSION);
      out.writeUTF(code.codec());
      out.writeInt(code.dataUnits());
      out.writeInt(code.parityUnits());
      out.writeInt(code.cellBytes());
      out.writeInt(unit);
      out.writeLong(blockId);
      out.writeLong(generation);
      out.writeLong(groupBytes);
      out.writeUTF(scheme);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Bytes.wrap(bytes.toByteArray());
  }

  /** The other way; empty when it is none of ours, or of another version. */
  public static Optional<UnitTerms> ofMark(byte[] mark) {
    Optional<SessionId> session = SessionId.ofMark(mark);
    if (session.isEmpty()) {
      return Optional.empty();
    }
    int prefix = session.get().mark().length;
    try (DataInputStream in =
        new DataInputStream(
            new ByteArrayInputStream(Arrays.copyOfRange(mark, prefix, mark.length)))) {
      if (in.readByte() != VERSION) {
        return Optional.empty();
      }
      UnitTerms terms =
          new UnitTerms(
              session.get(),
              new StripeCode(in.readUTF(), in.readInt(), in.readInt(), in.readInt()),
              in.readInt(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readUTF());
      return in.available() == 0 && terms.isSane() ? Optional.of(terms) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private boolean isSane() {
    int dataUnits = code.dataUnits();
    int parityUnits = code.parityUnits();
    return dataUnits > 0
        && parityUnits > 0
        && dataUnits + parityUnits <= MAX_UNITS
        && dataUnits <= MAX_UNITS
        && parityUnits <= MAX_UNITS
        && unit >= 0
        && unit < dataUnits + parityUnits
        && code.cellBytes() > 0
        && groupBytes > 0;
  }

  /** Stripes of the group. */
  public long stripes() {
    return (groupBytes - 1) / code.stripeBytes() + 1;
  }
}
