/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.Timers;
import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.raidp.lstor.ChecksumSpec;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.SlotEntry;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Decodes ranges of lost blocks, for readers that do not wait until these are rebuilt. The header
 * of the block's checksum file and the CRCs of the chunks in the range are decoded first, then
 * these chunks. Where an Lstor alone does not do, the others are tried, then all together, as by
 * {@link BlockDecoder}.
 *
 * <p>Invariant: no byte leaves this class that has not matched its CRC. The caller makes sure that
 * parity and slot table of an Lstor are of one moment: a row that the table has and the parity has
 * not would be taken out of data and CRCs alike. It need look at those disks only that a range was
 * decoded by.
 *
 * <p>Thread-safe.
 */
public final class RangeDecoder implements Closeable {
  private static final int HEADER_BYTES = ChecksumSpec.HEADER_BYTES;

  private final int maxBytes;
  private final int bufferBytes;
  private final ExecutorService executor;
  private final ChunkAssembler assembler;
  private final BufferPool accumulators;
  private final CancelToken cancel = new CancelToken();

  /**
   * A range.
   *
   * @param bytes verified
   * @param disks ids of the disks by whose Lstors and slot tables these and their CRCs were decoded
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Range(byte[] bytes, Set<String> disks) {
    public Range {
      disks = Set.copyOf(disks);
    }
  }

  /**
   * @param maxBytes longest range
   * @param fetchThreads most reads at a time, over all ranges
   * @param kernel multiplies and adds
   */
  public RangeDecoder(int maxBytes, int fetchThreads, Kernel kernel) {
    this.maxBytes = maxBytes;
    // A range begins and ends within chunks that have to be decoded as a whole.
    this.bufferBytes = maxBytes + 2 * ChecksumSpec.MAX_BYTES_PER_CHECKSUM;
    this.executor = Timers.daemonPool(fetchThreads, "raidp-range-fetch");
    this.assembler =
        new ChunkAssembler(
            executor,
            kernel,
            new XorLock(LockScope.RANGE),
            new Throttle(0, Clock.system(), cancel),
            cancel,
            bufferBytes);
    this.accumulators = new BufferPool(bufferBytes);
  }

  /**
   * Decodes a range.
   *
   * @param disks all dead disks that may help
   * @param wanted what the NameNode knows of the block
   * @return empty: none of the disks has a row of the block
   * @throws UndecodableException when the rows are not what the NameNode expects, and when parity
   *     or a contributor is missing, or the result does not match its checksums
   */
  public Optional<Range> decode(
      List<IndexedDisk> disks, WantedBlock wanted, long offset, int lengthBytes)
      throws IOException {
    List<DecodeSource> sources = disks.stream().map(DecodeSource::new).toList();
    if (sources.stream().allMatch(source -> source.rows(wanted.blockId()).isEmpty())) {
      return Optional.empty();
    }
    BlockChoice choice = BlockChoice.of(sources, wanted);
    if (choice.candidates().isEmpty()) {
      throw undecodable(wanted.blockId(), choice.refusal());
    }
    SlotEntry row = choice.candidates().get(0).row();
    requireInside(row, offset, lengthBytes);
    try {
      return Optional.of(
          new Attempt(choice, new ImageAssembly(sources, assembler), offset, lengthBytes).run());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException(
                  "Cannot decode range: block=" + wanted.blockId() + ", interrupted")
              .initCause(e);
    }
  }

  private void requireInside(SlotEntry row, long offset, int lengthBytes) throws IOException {
    if (lengthBytes < 1
        || lengthBytes > maxBytes
        || offset < 0
        || offset > row.coveredBytes() - lengthBytes) {
      throw new IOException(
          "Cannot decode range: offset="
              + offset
              + " lengthBytes="
              + lengthBytes
              + ", expected 1.."
              + maxBytes
              + " bytes inside the block, block="
              + row.blockId()
              + " blockBytes="
              + row.coveredBytes());
    }
  }

  private static UndecodableException undecodable(long blockId, String why) {
    return new UndecodableException("Cannot decode range: block=" + blockId + ": " + why);
  }

  @Override
  public void close() {
    cancel.cancel();
    executor.shutdownNow();
  }

  /** One range being decoded. Confined to its thread. */
  private final class Attempt {
    private final BlockChoice choice;
    private final ImageAssembly images;
    private final SlotEntry row;
    private final long offset;
    private final int lengthBytes;
    private final long firstChunk;
    private final int chunks;

    /** By which the CRCs were decoded, and the data in the end. */
    private final Set<String> disks = new HashSet<>();

    Attempt(BlockChoice choice, ImageAssembly images, long offset, int lengthBytes) {
      this.choice = choice;
      this.images = images;
      this.row = choice.candidates().get(0).row();
      this.offset = offset;
      this.lengthBytes = lengthBytes;
      int chunkBytes = Math.max(1, row.bytesPerChecksum());
      this.firstChunk = offset / chunkBytes;
      this.chunks = (int) ((offset + lengthBytes - 1) / chunkBytes - firstChunk + 1);
    }

    Range run() throws IOException, InterruptedException {
      if (!ChecksumFile.verifiable(row)) {
        throw undecodable(
            row.blockId(),
            "checksumType="
                + row.checksumTypeId()
                + ", expected CRC32 (1) or CRC32C (2): bytes that cannot be verified are not read");
      }
      List<byte[]> tried = new ArrayList<>();
      for (ImageAssembly.Choice from : images.choices(choice.candidates())) {
        disks.clear();
        ChecksumFile crcs = checksums(from);
        // The same CRCs would lead to the same end.
        if (crcs == null || tried.stream().anyMatch(bytes -> Arrays.equals(bytes, crcs.bytes()))) {
          continue;
        }
        tried.add(crcs.bytes());
        byte[] data = data(crcs);
        if (data != null) {
          return new Range(data, disks);
        }
      }
      throw undecodable(row.blockId(), images.problems());
    }

    /** Header and CRCs of the range; null when they cannot be had. */
    private @Nullable ChecksumFile checksums(ImageAssembly.Choice from)
        throws InterruptedException, ReceiverFailedException {
      byte[] bytes = new byte[HEADER_BYTES + chunks * ChecksumSpec.CRC_BYTES];
      long crcsAt = HEADER_BYTES + firstChunk * ChecksumSpec.CRC_BYTES;
      boolean isDecoded =
          firstChunk == 0
              ? read(from, 0, bytes, 0, bytes.length)
              : read(from, 0, bytes, 0, HEADER_BYTES)
                  && read(from, crcsAt, bytes, HEADER_BYTES, bytes.length - HEADER_BYTES);
      if (!isDecoded) {
        return null;
      }
      try {
        return ChecksumFile.part(row, bytes, firstChunk, chunks);
      } catch (VerificationException e) {
        fail(from, String.valueOf(e.getMessage()));
        return null;
      }
    }

    private boolean read(ImageAssembly.Choice from, long position, byte[] dst, int at, int count)
        throws InterruptedException, ReceiverFailedException {
      for (int done = 0; done < count; done += bufferBytes) {
        int step = Math.min(bufferBytes, count - done);
        ByteBuffer accumulator = accumulators.take(step);
        try {
          if (!images.assemble(from, ParityKind.META, position + done, accumulator)) {
            return false;
          }
          disks.addAll(images.lastDisks());
          accumulator.duplicate().get(dst, at + done, step);
        } finally {
          accumulators.give(accumulator);
        }
      }
      return true;
    }

    /** The range under these CRCs; null when it matches from no Lstor. */
    private byte @Nullable [] data(ChecksumFile crcs)
        throws InterruptedException, ReceiverFailedException {
      long from = firstChunk * row.bytesPerChecksum();
      long to = Math.min(row.coveredBytes(), from + (long) chunks * row.bytesPerChecksum());
      ByteBuffer accumulator = accumulators.take((int) (to - from));
      try {
        for (ImageAssembly.Choice each : images.choices(choice.candidates())) {
          if (!images.assemble(each, ParityKind.DATA, from, accumulator)) {
            continue;
          }
          String mismatch = crcs.mismatch(from, accumulator);
          if (mismatch == null) {
            disks.addAll(images.lastDisks());
            byte[] data = new byte[lengthBytes];
            accumulator.duplicate().position((int) (offset - from)).get(data);
            return data;
          }
          fail(each, mismatch);
        }
        return null;
      } finally {
        accumulators.give(accumulator);
      }
    }

    private void fail(ImageAssembly.Choice from, String why) {
      images.problem(new SourceFailure(from.candidate().source(), null, why).toString());
    }
  }
}
