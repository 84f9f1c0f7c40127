/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.raidp.lstor.ChecksumSpec;
import io.hdfsparity.raidp.lstor.Coefficient;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotCoverage;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotStatus;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/**
 * A recovered checksum file, and the check of data against it. The layout is that of Hadoop's
 * {@code BlockMetadataHeader} and {@code DataChecksum}, restated here because this package knows
 * nothing of Hadoop:
 *
 * <pre>
 *   offset  size  what
 *   0       2     version, big-endian, 1
 *   2       1     checksum type: 0 none, 1 CRC32, 2 CRC32C
 *   3       4     bytes per checksum, big-endian
 *   7       4*n   CRC of each chunk, big-endian; the last chunk may be short
 * </pre>
 *
 * <p>Immutable and thread-safe; the array is not copied, so its owner leaves it alone.
 */
public final class ChecksumFile {
  private static final int HEADER_BYTES = ChecksumSpec.HEADER_BYTES;
  private static final int CRC_BYTES = ChecksumSpec.CRC_BYTES;
  private static final int VERSION = 1;
  private static final int TYPE_CRC32 = 1;
  private static final int TYPE_CRC32C = 2;

  private final byte[] bytes;
  private final int bytesPerChecksum;
  private final long firstChunk;
  private final Supplier<Checksum> checksums;

  /**
   * @param firstChunk chunk of the first CRC: not 0 in a part
   */
  private ChecksumFile(byte[] bytes, SlotEntry row, long firstChunk) {
    this.bytes = bytes;
    this.bytesPerChecksum = row.bytesPerChecksum();
    this.firstChunk = firstChunk;
    this.checksums = row.checksumTypeId() == TYPE_CRC32 ? CRC32::new : CRC32C::new;
  }

  /** Whether the row's checksum type is one that can prove its bytes. */
  public static boolean verifiable(SlotEntry row) {
    return row.coversAnything()
        && row.bytesPerChecksum() > 0
        && (row.checksumTypeId() == TYPE_CRC32 || row.checksumTypeId() == TYPE_CRC32C);
  }

  /**
   * Takes recovered bytes as the checksum file of a row.
   *
   * @throws VerificationException when length, version, type or chunk size are not what the row
   *     says
   */
  public static ChecksumFile of(SlotEntry row, byte[] bytes) throws VerificationException {
    return of(row, bytes, 0, row.coveredMetaBytes());
  }

  /**
   * Takes the header and the CRCs of some chunks as a part of the checksum file of a row.
   *
   * @param bytes header, then the CRCs
   * @param chunks how many CRCs there are
   * @throws VerificationException as {@link #of}
   */
  static ChecksumFile part(SlotEntry row, byte[] bytes, long firstChunk, int chunks)
      throws VerificationException {
    return of(row, bytes, firstChunk, HEADER_BYTES + (long) chunks * CRC_BYTES);
  }

  private static ChecksumFile of(SlotEntry row, byte[] bytes, long firstChunk, long expectedBytes)
      throws VerificationException {
    if (!verifiable(row)) {
      throw new VerificationException(
          "Cannot verify block: block="
              + row.blockId()
              + " checksumType="
              + row.checksumTypeId()
              + " bytesPerChecksum="
              + row.bytesPerChecksum()
              + ", expected CRC32 (1) or CRC32C (2)");
    }
    expect(row, "metaLength", bytes.length, expectedBytes);
    ByteBuffer header = ByteBuffer.wrap(bytes);
    expect(row, "metaVersion", header.getShort(), VERSION);
    expect(row, "metaChecksumType", header.get(), row.checksumTypeId());
    expect(row, "metaBytesPerChecksum", header.getInt(), row.bytesPerChecksum());
    return new ChecksumFile(bytes, row, firstChunk);
  }

  /**
   * Takes the checksum file of a replica on disk at its word.
   *
   * @param lengthBytes length of the replica's data
   * @throws VerificationException when version, type or length cannot be those of such a replica
   */
  public static ChecksumFile ofReplica(long blockId, long lengthBytes, byte[] bytes)
      throws VerificationException {
    if (bytes.length < HEADER_BYTES) {
      throw new VerificationException(
          "Cannot verify block: block="
              + blockId
              + " metaLength="
              + bytes.length
              + ", expected at least "
              + HEADER_BYTES);
    }
    ByteBuffer header = ByteBuffer.wrap(bytes);
    int type = header.get(Short.BYTES);
    int chunk = header.getInt(Short.BYTES + 1);
    if (chunk < 1 || chunk > ChecksumSpec.MAX_BYTES_PER_CHECKSUM) {
      throw new VerificationException(
          "Cannot verify block: block="
              + blockId
              + " metaBytesPerChecksum="
              + chunk
              + ", expected 1.."
              + ChecksumSpec.MAX_BYTES_PER_CHECKSUM);
    }
    return of(
        new SlotEntry(
            0,
            blockId,
            0,
            List.of(new Run(0, 1)),
            SlotCoverage.of(lengthBytes, new ChecksumSpec(type, chunk), Coefficient.ONE),
            SlotStatus.LIVE_ACKNOWLEDGED),
        bytes);
  }

  /** The whole file, header included. Not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  /** Data bytes of one CRC. */
  public int bytesPerChecksum() {
    return bytesPerChecksum;
  }

  /**
   * Checks data against the CRCs.
   *
   * @param position of the first byte of {@code data} in the block, a multiple of {@link
   *     #bytesPerChecksum}
   * @param data whole chunks, except that the block's last one may be short; position and limit are
   *     kept
   * @return null when all match, else a description of the first mismatch
   */
  public @Nullable String mismatch(long position, ByteBuffer data) {
    if (position % bytesPerChecksum != 0) {
      throw new IllegalArgumentException(
          "Cannot verify data: position="
              + position
              + ", expected a multiple of "
              + bytesPerChecksum);
    }
    Checksum checksum = checksums.get();
    ByteBuffer crcs = ByteBuffer.wrap(bytes);
    ByteBuffer view = data.duplicate();
    int end = data.limit();
    long crcAt = HEADER_BYTES + CRC_BYTES * (position / bytesPerChecksum - firstChunk);
    for (int at = data.position(); at < end; at += bytesPerChecksum, crcAt += CRC_BYTES) {
      view.limit(Math.min(end, at + bytesPerChecksum)).position(at);
      checksum.reset();
      checksum.update(view);
      if (crcAt < HEADER_BYTES
          || crcAt + CRC_BYTES > bytes.length
          || crcs.getInt((int) crcAt) != (int) checksum.getValue()) {
        return "CRC mismatch at offset=" + (position + at - data.position());
      }
    }
    return null;
  }

  private static void expect(SlotEntry row, String what, long value, long expected)
      throws VerificationException {
    if (value != expected) {
      throw new VerificationException(
          "Cannot verify block: block="
              + row.blockId()
              + " "
              + what
              + "="
              + value
              + ", expected "
              + expected);
    }
  }
}
