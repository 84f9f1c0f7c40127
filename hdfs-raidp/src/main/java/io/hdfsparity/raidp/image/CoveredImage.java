/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.image;

import io.hdfsparity.raidp.image.ImageSource.Proof;
import io.hdfsparity.raidp.lstor.BlockImage;
import io.hdfsparity.raidp.lstor.ChecksumSpec;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The image of a block as it was under a generation stamp, put together from limbo and the live
 * replica. Every byte of data is verified against its chunk's CRC before it is given out, and a CRC
 * is given out only after it has proved its chunk.
 *
 * <p>Which source a chunk comes from: sources are ordered by age, the live replica last. One whose
 * stamp is below the asked-for stamp g is out: its bytes may since have been cut and rewritten.
 * Those with a newer stamp count only for whom limbo is kept, see {@link StampRule}. Of the others
 * the oldest that holds the bytes is taken: it was put aside while the replica still bore a stamp
 * of at least g, before anything later changed. And where the replica was cut at a stamp of at
 * least g, no younger source is asked for bytes past the cut: they may differ. The same is true
 * past a length that was noted when the stamp changed, {@link Limbo#saveLength}. Where a whole
 * replica in limbo is damaged, a younger one under the very stamp g takes its place: what a new
 * Lstor has no row of may lie there for long.
 *
 * <p>Thread-safety: one thread at a time.
 */
public final class CoveredImage implements BlockImage, Closeable {
  private static final int WINDOW_BYTES = 256 * 1024;
  private static final int META_VERSION = 1;
  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  private final long blockId;
  private final long generationStamp;
  private final ChecksumSpec checksum;
  private final List<ImageSource> sources;
  private final BooleanSupplier stillValid;
  private final ChunkCrc crc;
  private ByteBuffer windowBytes = EMPTY;
  private ByteBuffer windowCrcs = EMPTY;
  private @Nullable Proof window;

  /** CRCs of chunks that went straight to the caller: their bytes are no longer ours. */
  private ByteBuffer passedCrcs = EMPTY;

  private @Nullable Proof passed;

  private CoveredImage(
      long blockId,
      long generationStamp,
      ChecksumSpec checksum,
      List<ImageSource> sources,
      BooleanSupplier stillValid)
      throws ImageException {
    this.blockId = blockId;
    this.generationStamp = generationStamp;
    this.checksum = checksum;
    this.sources = sources;
    this.stillValid = stillValid;
    this.crc = new ChunkCrc(checksum);
  }

  /**
   * The image of files that the caller holds still, as they are.
   *
   * @param replica live files
   */
  public static CoveredImage ofReplica(ReplicaFiles replica) throws IOException {
    ReplicaSource source = ReplicaSource.open(replica);
    try {
      return new CoveredImage(replica.blockId(), 0, source.checksum(), List.of(source), () -> true);
    } catch (IOException e) {
      source.close();
      throw e;
    }
  }

  /**
   * The image of a block at a stamp, from limbo and the live replica.
   *
   * @param rule which stamps prove that a file has the bytes that were covered
   * @throws ImageException.NotHeld when there is neither
   */
  public static CoveredImage of(
      FrameDirectory frame,
      Limbo limbo,
      String blockPoolId,
      long blockId,
      long generationStamp,
      StampRule rule)
      throws IOException {
    Object version = limbo.version(blockId);
    List<ImageSource> sources = new ArrayList<>();
    try {
      Limbo.openItems(version, sources);
      Optional<ReplicaFiles> live = frame.find(blockPoolId, blockId);
      if (live.isPresent()) {
        sources.add(ReplicaSource.open(live.get()));
      }
      boolean newerToo = rule.allowsNewer(sources, generationStamp);
      sources.removeIf(
          source ->
              (source.generationStamp() < generationStamp
                      || (source.generationStamp() > generationStamp && !newerToo))
                  && closed(source));
      if (sources.isEmpty()) {
        throw new ImageException.NotHeld(
            "Cannot serve image: block="
                + blockId
                + " generationStamp="
                + generationStamp
                + ", expected a replica or limbo with "
                + rule.text()
                + ", directory="
                + frame.root());
      }
      ChecksumSpec checksum = sources.get(0).checksum();
      for (ImageSource source : sources) {
        if (!source.checksum().equals(checksum)) {
          throw new ImageException.NotHeld(
              "Cannot serve image: block="
                  + blockId
                  + " checksum="
                  + source.checksum()
                  + ", expected the same in limbo and live file: "
                  + checksum
                  + ", directory="
                  + frame.root());
        }
      }
      return new CoveredImage(
          blockId, generationStamp, checksum, sources, () -> limbo.version(blockId) == version);
    } catch (IOException | RuntimeException e) {
      closeAll(sources);
      throw e;
    }
  }

  /** Form of the checksum file. */
  public ChecksumSpec checksum() {
    return checksum;
  }

  /** End of what could be served, for the live replica or a whole one in limbo. */
  public long heldBytes() {
    return sources.stream().mapToLong(ImageSource::toBytes).max().orElse(0);
  }

  @Override
  public void readData(long position, ByteBuffer dst) throws IOException {
    long at = position;
    long end = position + dst.remaining();
    while (at < end) {
      int n = passChunks(at, dst);
      if (n == 0) {
        Proof w = window(at, Math.min(chunkEnd(at), end));
        n = (int) (Math.min(end, w.to()) - at);
        dst.put(dst.position(), windowBytes, (int) (at - w.from()), n);
      }
      dst.position(dst.position() + n);
      at += n;
    }
  }

  /**
   * Reads whole chunks into the caller's buffer, without a copy of ours between.
   *
   * @return bytes read, for which the buffer's position has yet to move; 0 when this cannot be
   */
  private int passChunks(long at, ByteBuffer dst) throws IOException {
    int chunkBytes = checksum.bytesPerChecksum();
    Proof w = window;
    if (at % chunkBytes != 0
        || dst.remaining() < chunkBytes
        || (w != null && w.holds(at, at + chunkBytes))) {
      return 0;
    }
    ImageSource source = select(at, at + chunkBytes);
    long whole = at + dst.remaining() / chunkBytes * chunkBytes;
    long to = Math.min(whole, windowEnd(source, at) / chunkBytes * chunkBytes);
    if (to <= at) {
      return 0;
    }
    passed = null;
    passedCrcs = grown(passedCrcs, crcBytes(to - at));
    Proof proof;
    try {
      proof = source.readVerified(at, to, dst, passedCrcs);
    } catch (ImageException.Corrupt e) {
      if (substitute(source, at, at + chunkBytes).isPresent()) {
        return 0;
      }
      throw e;
    }
    requireStillValid();
    if (proof.to() != to) {
      return 0;
    }
    passed = proof;
    return (int) (to - at);
  }

  @Override
  public void readMeta(long prefixBytes, long position, ByteBuffer dst) throws IOException {
    long at = position;
    byte[] header = header();
    while (dst.hasRemaining() && at < header.length) {
      dst.put(header[(int) at++]);
    }
    byte[] one = new byte[ChecksumSpec.CRC_BYTES];
    while (dst.hasRemaining()) {
      long chunk = (at - header.length) / ChecksumSpec.CRC_BYTES;
      int inside = (int) ((at - header.length) % ChecksumSpec.CRC_BYTES);
      long start = chunk * checksum.bytesPerChecksum();
      if (start >= prefixBytes) {
        throw new ImageException(
            "Cannot read checksum image: block="
                + blockId
                + " position="
                + at
                + ", expected less than "
                + checksum.metaLength(prefixBytes)
                + " for prefix="
                + prefixBytes);
      }
      if (inside == 0) {
        int stored = putStoredCrcs(start, prefixBytes, dst);
        if (stored > 0) {
          at += stored;
          continue;
        }
      }
      crcOf(start, Math.min(start + checksum.bytesPerChecksum(), prefixBytes), one);
      int n = Math.min(dst.remaining(), one.length - inside);
      dst.put(one, inside, n);
      at += n;
    }
  }

  /**
   * Puts the CRCs of whole chunks from {@code start} on, as many as one proof has and the buffer
   * takes.
   *
   * @return bytes put
   */
  private int putStoredCrcs(long start, long prefixBytes, ByteBuffer dst) throws IOException {
    int chunkBytes = checksum.bytesPerChecksum();
    if (start + chunkBytes > prefixBytes) {
      return 0;
    }
    Proof proof = passed;
    if (proof == null || !proof.holds(start, start + chunkBytes)) {
      proof = window(start, start + chunkBytes);
    }
    long whole =
        Math.min(
            (Math.min(proof.to(), prefixBytes) - start) / chunkBytes,
            dst.remaining() / ChecksumSpec.CRC_BYTES);
    int first = (int) ((start - proof.from()) / chunkBytes);
    int bytes = (int) whole * ChecksumSpec.CRC_BYTES;
    dst.put(dst.position(), proof.crcs(), first * ChecksumSpec.CRC_BYTES, bytes);
    dst.position(dst.position() + bytes);
    return bytes;
  }

  private void crcOf(long start, long end, byte[] into) throws IOException {
    Proof w = window(start, end);
    int crcValue;
    if (end == start + checksum.bytesPerChecksum() || (end == w.to() && w.isLastStored())) {
      int chunk = (int) ((start - w.from()) / checksum.bytesPerChecksum());
      crcValue = w.crcs().getInt(chunk * ChecksumSpec.CRC_BYTES);
    } else {
      crcValue = crc.of(windowBytes, (int) (start - w.from()), (int) (end - start));
    }
    ByteBuffer.wrap(into).putInt(crcValue);
  }

  private byte[] header() {
    return ByteBuffer.allocate(ChecksumSpec.HEADER_BYTES)
        .putShort((short) META_VERSION)
        .put((byte) checksum.typeId())
        .putInt(checksum.bytesPerChecksum())
        .array();
  }

  /** A proof that holds bytes {@code [at, needEnd)} of one chunk; the bytes are in our buffer. */
  private Proof window(long at, long needEnd) throws IOException {
    long start = at / checksum.bytesPerChecksum() * checksum.bytesPerChecksum();
    // A window may hold more of its last chunk than may be asked for.
    ImageSource source = select(start, needEnd);
    Proof w = window;
    if (w != null && w.holds(at, needEnd)) {
      return w;
    }
    window = null;
    w = readWindow(source, start, needEnd);
    if (!w.holds(at, needEnd)) {
      throw notHeld(start, needEnd);
    }
    requireStillValid();
    window = w;
    return w;
  }

  private Proof readWindow(ImageSource source, long start, long needEnd) throws IOException {
    long to = windowEnd(source, start);
    windowBytes = grown(windowBytes, (int) (to - start));
    windowCrcs = grown(windowCrcs, crcBytes(to - start));
    try {
      return source.readVerified(start, to, windowBytes.clear(), windowCrcs);
    } catch (ImageException.Corrupt e) {
      return readWindow(substitute(source, start, needEnd).orElseThrow(() -> e), start, needEnd);
    }
  }

  /**
   * A younger source with the same bytes as a damaged one: both are whole replicas of one stamp.
   */
  private Optional<ImageSource> substitute(ImageSource damaged, long start, long needEnd) {
    return sources.subList(sources.indexOf(damaged) + 1, sources.size()).stream()
        .filter(each -> damaged.cutBytes() == ImageSource.UNCUT && each.fromBytes() <= start)
        .filter(each -> each.cutBytes() == ImageSource.UNCUT && each.toBytes() >= needEnd)
        .filter(each -> each.generationStamp() == generationStamp)
        .findFirst();
  }

  /** End of what one read of a source takes, from the start of a chunk. */
  private long windowEnd(ImageSource source, long start) {
    long span =
        Math.max(
            checksum.bytesPerChecksum(),
            WINDOW_BYTES / checksum.bytesPerChecksum() * checksum.bytesPerChecksum());
    long to = Math.min(source.toBytes(), start + span);
    for (ImageSource older : sources) {
      if (older == source) {
        break;
      }
      if (older.fromBytes() > start) {
        to = Math.min(to, older.fromBytes());
      }
    }
    return to;
  }

  /**
   * Checks that nothing was put into limbo, or dropped from it, since the image was opened.
   *
   * @throws ImageException.NotHeld when something was: what was read may be wrong
   */
  public void requireStillValid() throws ImageException.NotHeld {
    if (!stillValid.getAsBoolean()) {
      throw new ImageException.NotHeld(
          "Cannot serve image: block="
              + blockId
              + ", expected limbo unchanged, but the replica was cut or deleted meanwhile; try again");
    }
  }

  private int crcBytes(long dataBytes) {
    long chunks = (dataBytes + checksum.bytesPerChecksum() - 1) / checksum.bytesPerChecksum();
    return (int) chunks * ChecksumSpec.CRC_BYTES;
  }

  /** The buffer, or a larger one when it is too small. Direct, so that channels do not copy. */
  private static ByteBuffer grown(ByteBuffer buffer, int bytes) {
    return buffer.capacity() >= bytes ? buffer : ByteBuffer.allocateDirect(bytes);
  }

  private ImageSource select(long start, long needEnd) throws ImageException.NotHeld {
    for (ImageSource source : sources) {
      if (start >= source.fromBytes() && needEnd <= source.toBytes()) {
        return source;
      }
      if (needEnd > source.cutBytes()) {
        break;
      }
    }
    throw notHeld(start, needEnd);
  }

  private ImageException.NotHeld notHeld(long start, long needEnd) {
    return new ImageException.NotHeld(
        "Cannot serve image: block="
            + blockId
            + " generationStamp="
            + generationStamp
            + " range=["
            + start
            + ", "
            + needEnd
            + "), expected it in a live replica or in limbo; held: "
            + sources.stream()
                .map(s -> "[" + s.fromBytes() + ", " + s.toBytes() + ")@" + s.generationStamp())
                .toList());
  }

  private long chunkEnd(long at) {
    return (at / checksum.bytesPerChecksum() + 1) * checksum.bytesPerChecksum();
  }

  @Override
  public void close() throws IOException {
    closeAll(sources);
  }

  private static boolean closed(ImageSource source) {
    try {
      source.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return true;
  }

  private static void closeAll(List<ImageSource> sources) throws IOException {
    IOException failure = null;
    for (ImageSource source : sources) {
      try {
        source.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
