/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel.secure;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.ecupdate.ajx.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The records of one end of a protected connection.
 *
 * <pre>
 * RECORD
 * +------+-----+-------------------------------------------------------------------+
 * |    0 |   2 | sealedBytes: 17 to 16400                                          |
 * |    2 |     | sealed: AES-256-GCM of up to 16384 bytes, then the tag of 16      |
 * +------+-----+-------------------------------------------------------------------+
 * </pre>
 *
 * <p>Each direction has its own key and numbers its records from 0; the number is the nonce. So a
 * record opens once, in its place, in its direction. After 2^20 records a direction takes the next
 * key, at both ends.
 *
 * <p>Not thread-safe.
 */
public final class Records {
  /** Bytes of a record before what is sealed. */
  public static final int HEADER_BYTES = 2;

  /** Most bytes that a record carries. */
  public static final int MAX_PLAIN_BYTES = 1 << 14;

  private static final int MAX_SEALED_BYTES = MAX_PLAIN_BYTES + CipherState.TAG_BYTES;

  /** 16 GiB a key at most: far below what GCM bears. */
  private static final long RECORDS_A_KEY = 1L << 20;

  private static final byte[] NOTHING = {};

  /** So that the password keys nothing else by what it keys here. */
  private static final byte[] LABEL =
      "hdfsparity update channel 1".getBytes(StandardCharsets.US_ASCII);

  private final CipherState sealing;
  private final CipherState opening;
  private final long recordsAKey;

  Records(byte[] sealingKey, byte[] openingKey) {
    this(sealingKey, openingKey, RECORDS_A_KEY);
  }

  /** For tests: with fewer records a key. */
  Records(byte[] sealingKey, byte[] openingKey, long recordsAKey) {
    this(CipherState.sealing(sealingKey), CipherState.opening(openingKey), recordsAKey);
  }

  private Records(CipherState sealing, CipherState opening, long recordsAKey) {
    this.sealing = sealing;
    this.opening = opening;
    this.recordsAKey = recordsAKey;
  }

  /** The shared secret of a handshake, of a key of any length: extracted as RFC 5869 does. */
  static byte[] psk(Bytes key) {
    return Hkdf.hmac(LABEL, key.toArray());
  }

  /** Bytes of the record that carries so many. */
  public static int recordBytes(int plainBytes) {
    return HEADER_BYTES + plainBytes + CipherState.TAG_BYTES;
  }

  /**
   * Bytes that a record carries, by its header.
   *
   * @param header as the record begins, 0..65535; not believed
   * @throws CorruptFormatException if no record begins so
   */
  public static int plainBytes(int header) throws CorruptFormatException {
    if (header <= CipherState.TAG_BYTES || header > MAX_SEALED_BYTES) {
      throw new CorruptFormatException(
          ErrorMessage.to("read a record of the update channel")
              .value("sealedBytes", header)
              .expected((CipherState.TAG_BYTES + 1) + ".." + MAX_SEALED_BYTES)
              .message());
    }
    return header - CipherState.TAG_BYTES;
  }

  /**
   * Writes a record.
   *
   * @param plain what remains is carried: 1 to {@link #MAX_PLAIN_BYTES} bytes
   * @param record has room for {@link #recordBytes}
   * @throws IllegalStateException if the connection has been used up: it has to be closed
   */
  public void seal(ByteBuffer plain, ByteBuffer record) {
    record.putShort((short) (plain.remaining() + CipherState.TAG_BYTES));
    sealing.seal(NOTHING, plain, record);
    if (sealing.next() % recordsAKey == 0) {
      sealing.rekey();
    }
  }

  /**
   * Opens a record. After an exception none opens any more.
   *
   * @param sealed what remains is the record without its header
   * @param plain has room for {@link #plainBytes}
   * @throws ForgedException if it is not the next record that the peer has sealed
   */
  public void open(ByteBuffer sealed, ByteBuffer plain) throws ForgedException {
    opening.open(NOTHING, sealed, plain);
    if (opening.next() % recordsAKey == 0) {
      opening.rekey();
    }
  }
}
