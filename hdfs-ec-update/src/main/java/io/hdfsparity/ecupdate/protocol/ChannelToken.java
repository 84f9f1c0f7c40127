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
import java.util.Optional;

/**
 * With what a client opens a connection for one replica. Immutable. Not for logs.
 *
 * <p>Format: a byte of version, 1; the checksum, 4 bytes; then identifier and password, each after
 * its length in 4 bytes. A cluster without block tokens has {@link UnitTerms#mark} for the
 * identifier and no password; on a protected connection the password is left out.
 *
 * @param token of the replica, or what stands for it
 * @param codeCrc CRC-32 of the parity code that the client goes by ({@link
 *     io.hdfsparity.ecupdate.ajx.CodeTable#crc}): a node with another would make garbage of parity
 */
public record ChannelToken(WriteToken token, int codeCrc) {
  private static final int VERSION = 1;
  private static final int LONGEST = 8192;

  /** As it is sent on a protected connection, which the password has keyed. */
  public ChannelToken withoutPassword() {
    return new ChannelToken(new WriteToken(token.identifier(), Bytes.zeros(0)), codeCrc);
  }

  /**
   * The other way.
   *
   * @param proven token by which the connection is protected
   * @return empty: this has another identifier, or a password
   */
  public Optional<ChannelToken> withPassword(WriteToken proven) {
    return token.identifier().equals(proven.identifier()) && token.password().length() == 0
        ? Optional.of(new ChannelToken(proven, codeCrc))
        : Optional.empty();
  }

  /** As it is sent. */
  public Bytes encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(VERSION);
      out.writeInt(codeCrc);
      write(out, token.identifier());
      write(out, token.password());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Bytes.wrap(bytes.toByteArray());
  }

  private static void write(DataOutputStream out, Bytes bytes) throws IOException {
    out.writeInt(bytes.length());
    out.write(bytes.toArray());
  }

  /** The other way; empty when it is none. */
  public static Optional<ChannelToken> decode(Bytes bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toArray()))) {
      if (in.readByte() != VERSION) {
        return Optional.empty();
      }
      int crc = in.readInt();
      Bytes identifier = read(in);
      Bytes password = read(in);
      return in.available() == 0
          ? Optional.of(new ChannelToken(new WriteToken(identifier, password), crc))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Bytes read(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > LONGEST) {
      throw new IOException("Cannot read a token: length=" + length + ", expected 0.." + LONGEST);
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return Bytes.wrap(bytes);
  }
}
