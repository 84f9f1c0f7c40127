/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.image;

import io.hdfsparity.core.store.AtomicFiles;
import io.hdfsparity.core.store.PrivateFiles;
import io.hdfsparity.raidp.lstor.ChecksumSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * The end of a replica that was cut, kept in limbo because the partner's parity may still hold it.
 *
 * <pre>
 *   offset   size  field (big-endian)
 *   0        8     magic "RAIDPTAL"
 *   8        4     version, 1
 *   12       4     checksum type id
 *   16       4     bytes per checksum
 *   20       4     0
 *   24       8     block id
 *   32       8     generation stamp before the cut
 *   40       8     from: first byte held, a multiple of bytes per checksum
 *   48       8     to: length of the replica before the cut
 *   56       8     cut: length after it
 *   64       4     0
 *   68       4     CRC32C of bytes [0, 68)
 *   72       to - from, then 4 for each chunk: data, and the CRCs of its chunks
 * </pre>
 *
 * <p>Data is protected by the chunk CRCs.
 */
final class TailFile implements ImageSource {
  static final int HEADER_BYTES = 72;

  /** "RAIDPTAL". */
  private static final long MAGIC = 0x524149445054414cL;

  private static final int VERSION = 1;
  private static final int CRC_OFFSET = 68;

  /** Of a note: it refuses what is asked for, so its replica need not be read. */
  private static final ChecksumSpec ANY_CHECKSUM = new ChecksumSpec(2, 512);

  private final Path file;
  private final FileChannel channel;
  private final Header header;
  private final ChunkCrc crc;

  /** What the file's header says. */
  record Header(
      ChecksumSpec checksum, long blockId, long generationStamp, long from, long to, long cut) {
    long fileBytes() {
      long chunks = (to - from + checksum.bytesPerChecksum() - 1) / checksum.bytesPerChecksum();
      return HEADER_BYTES + (to - from) + chunks * ChecksumSpec.CRC_BYTES;
    }
  }

  private TailFile(Path file, FileChannel channel, Header header) throws ImageException {
    this.file = file;
    this.channel = channel;
    this.header = header;
    this.crc = new ChunkCrc(header.checksum());
  }

  /**
   * Saves bytes {@code [chunk floor of cut, to)} of a replica, durably. The CRCs are saved as they
   * are, not verified.
   */
  static void save(Path file, ReplicaFiles replica, long to, long cut) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    ChecksumSpec checksum = ReplicaSource.readChecksum(replica.meta());
    int bpc = checksum.bytesPerChecksum();
    Header header =
        new Header(
            checksum, replica.blockId(), replica.generationStamp(), cut / bpc * bpc, to, cut);
    try (FileChannel out =
            PrivateFiles.open(
                temporary,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
        FileChannel data = FileChannel.open(replica.data(), StandardOpenOption.READ);
        FileChannel meta = FileChannel.open(replica.meta(), StandardOpenOption.READ)) {
      ByteBuffer head = encode(header);
      while (head.hasRemaining()) {
        out.write(head);
      }
      copy(data, header.from(), to - header.from(), out, replica.data());
      copy(
          meta,
          ChecksumSpec.HEADER_BYTES + header.from() / bpc * ChecksumSpec.CRC_BYTES,
          header.fileBytes() - HEADER_BYTES - (to - header.from()),
          out,
          replica.meta());
      out.force(true);
    }
    AtomicFiles.rename(temporary, file);
  }

  /** Saves a note without bytes, durably: of a replica under a stamp nothing is known. */
  static void saveNote(Path file, long blockId, long generationStamp) throws IOException {
    AtomicFiles.replace(
        file, encode(new Header(ANY_CHECKSUM, blockId, generationStamp, 0, 0, 0)).array());
  }

  private static void copy(FileChannel from, long position, long length, FileChannel to, Path file)
      throws IOException {
    byte[] piece = new byte[64 * 1024];
    for (long done = 0; done < length; ) {
      int n = (int) Math.min(piece.length, length - done);
      ByteBuffer bytes = ByteBuffer.wrap(piece, 0, n);
      ReplicaSource.readFully(from, position + done, bytes, file);
      bytes.flip();
      while (bytes.hasRemaining()) {
        to.write(bytes);
      }
      done += n;
    }
  }

  private static ByteBuffer encode(Header h) {
    ByteBuffer b = ByteBuffer.allocate(HEADER_BYTES);
    b.putLong(MAGIC)
        .putInt(VERSION)
        .putInt(h.checksum().typeId())
        .putInt(h.checksum().bytesPerChecksum())
        .putInt(0);
    b.putLong(h.blockId())
        .putLong(h.generationStamp())
        .putLong(h.from())
        .putLong(h.to())
        .putLong(h.cut())
        .putInt(0);
    b.putInt(crcOf(b.array()));
    return b.flip();
  }

  static TailFile open(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    try {
      return new TailFile(file, channel, readHeader(channel, file));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static Header readHeader(FileChannel channel, Path file) throws IOException {
    byte[] bytes = new byte[HEADER_BYTES];
    ReplicaSource.readFully(channel, 0, ByteBuffer.wrap(bytes), file);
    ByteBuffer b = ByteBuffer.wrap(bytes);
    if (b.getLong() != MAGIC || b.getInt(CRC_OFFSET) != crcOf(bytes) || b.getInt() != VERSION) {
      throw new ImageException.Corrupt(
          "Cannot read tail: magic="
              + Long.toHexString(b.getLong(0))
              + " version="
              + b.getInt(8)
              + ", expected "
              + Long.toHexString(MAGIC)
              + ", version "
              + VERSION
              + " and a matching CRC, file="
              + file
              + " offset=0");
    }
    ChecksumSpec checksum = new ChecksumSpec(b.getInt(), b.getInt());
    b.getInt();
    Header header =
        new Header(checksum, b.getLong(), b.getLong(), b.getLong(), b.getLong(), b.getLong());
    if (channel.size() != header.fileBytes()) {
      throw new ImageException.Corrupt(
          "Cannot read tail: fileBytes="
              + channel.size()
              + ", expected "
              + header.fileBytes()
              + ", file="
              + file);
    }
    return header;
  }

  private static int crcOf(byte[] header) {
    CRC32C crc = new CRC32C();
    crc.update(header, 0, CRC_OFFSET);
    return (int) crc.getValue();
  }

  @Override
  public long generationStamp() {
    return header.generationStamp();
  }

  @Override
  public long fromBytes() {
    return header.from();
  }

  @Override
  public long toBytes() {
    return header.to();
  }

  @Override
  public long cutBytes() {
    return header.cut();
  }

  @Override
  public ChecksumSpec checksum() {
    return header.checksum();
  }

  @Override
  public Proof readVerified(long from, long to, ByteBuffer into, ByteBuffer crcs)
      throws IOException {
    int bpc = header.checksum().bytesPerChecksum();
    int start = into.position();
    int length = (int) (to - from);
    ReplicaSource.readFully(
        channel, HEADER_BYTES + from - header.from(), into.slice(start, length), file);
    ReplicaSource.readFully(
        channel,
        HEADER_BYTES
            + (header.to() - header.from())
            + (from - header.from()) / bpc * ChecksumSpec.CRC_BYTES,
        crcs.slice(0, (length + bpc - 1) / bpc * ChecksumSpec.CRC_BYTES),
        file);
    int bad = crc.firstMismatch(into, start, length, crcs);
    if (bad >= 0) {
      throw new ImageException.Corrupt(
          "Cannot verify tail: block="
              + header.blockId()
              + " chunk="
              + (from / bpc + bad)
              + ", expected its CRC, file="
              + file);
    }
    return new Proof(from, to, crcs, true);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
