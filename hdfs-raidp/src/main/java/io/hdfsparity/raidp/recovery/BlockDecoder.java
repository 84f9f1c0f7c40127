/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.core.check.Timers;
import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.SlotEntry;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes single blocks (paper sections 3.3 and 6.4). The covered image of a row of a dead disk's
 * Lstor is the parity at its extents without the covered images of all other rows that overlap
 * them, divided by the row's coefficient. Where such an image is lost too, because a third disk
 * died, the Lstors of all dead disks are used together ({@link ParityEquations}).
 *
 * <p>The checksum file is decoded first; then the data, chunk by chunk, with several chunks in
 * flight and all sources of a chunk read in parallel. Each chunk is checked against the recovered
 * CRCs as it comes; one that does not match, or one of whose sources fails, is decoded again from
 * another Lstor that has the same image on record. With two Lstors the chunks are shared out so
 * that each gives about half.
 *
 * <p>Invariant: no byte leaves this class that has not matched its CRC.
 *
 * <p>Thread-safe: several blocks may be decoded at a time; buffers are then bounded by {@link
 * DecodeOptions} for {@link DecodeOptions#effectiveBlocks} callers.
 */
public final class BlockDecoder implements Closeable {
  private final DecodeOptions options;
  private final Optional<Path> spillDir;
  private final ExecutorService executor;
  private final ChunkAssembler assembler;
  private final BufferPool accumulators;

  /**
   * @param kernel multiplies and adds
   * @param throttle limits bytes read from all sources together
   * @param cancel ends decodes with {@link java.util.concurrent.CancellationException}
   * @param spillDir where blocks too large for memory are put together; empty: memory whatever
   *     their size
   */
  public BlockDecoder(
      DecodeOptions options,
      Kernel kernel,
      Throttle throttle,
      CancelToken cancel,
      Optional<Path> spillDir) {
    this.options = options;
    this.spillDir = spillDir;
    this.executor = Timers.daemonPool(options.effectiveFetchThreads(), "raidp-rebuild-fetch");
    this.assembler =
        new ChunkAssembler(
            executor,
            kernel,
            new XorLock(options.lockScope()),
            throttle,
            cancel,
            options.bufferBytes());
    this.accumulators = new BufferPool(options.bufferBytes());
  }

  /**
   * Decodes one row of one Lstor: for a block whose only replica died with the disk.
   *
   * @throws UndecodableException when parity or a contributor is missing, or the result does not
   *     match its checksums
   */
  public VerifiedBlock decode(DeadDisk disk, SlotEntry row) throws IOException {
    DecodeSource source = new DecodeSource(disk);
    return decode(List.of(new Candidate(source, row)), List.of(source), bytes -> {});
  }

  /** A row and the Lstor that it is in. */
  record Candidate(DecodeSource source, SlotEntry row) {}

  /**
   * Decodes a block from any of several rows that stand for the same image.
   *
   * @param candidates at least one
   * @param sources all dead disks, whose Lstors are asked together where one alone does not do
   * @param progress notified of verified data bytes; takes back what a failed attempt had reported
   */
  VerifiedBlock decode(
      List<Candidate> candidates, List<DecodeSource> sources, LongConsumer progress)
      throws IOException {
    Attempt attempt = new Attempt(candidates, sources, progress);
    try {
      return attempt.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException(
                  "Cannot decode block: block="
                      + candidates.get(0).row().blockId()
                      + ", interrupted")
              .initCause(e);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }

  /** One block being decoded. Confined to its thread. */
  private final class Attempt {
    private final List<Candidate> candidates;
    private final ImageAssembly images;
    private final LongConsumer progress;
    private final SlotEntry row;

    Attempt(List<Candidate> candidates, List<DecodeSource> sources, LongConsumer progress) {
      this.candidates = candidates;
      this.images = new ImageAssembly(sources, assembler);
      this.progress = progress;
      this.row = candidates.get(0).row();
    }

    VerifiedBlock run() throws IOException, InterruptedException {
      if (!ChecksumFile.verifiable(row)) {
        throw undecodable(
            "checksumType="
                + row.checksumTypeId()
                + " metaCovered="
                + row.metaCovered()
                + ", expected CRC32 (1) or CRC32C (2) in the parity: bytes that cannot be verified are not recovered");
      }
      List<byte[]> tried = new ArrayList<>();
      for (ImageAssembly.Choice choice : metaRanges()) {
        ChecksumFile meta = checksumFile(choice);
        // The same checksum file would lead to the same end.
        if (meta == null || tried.stream().anyMatch(bytes -> Arrays.equals(bytes, meta.bytes()))) {
          continue;
        }
        tried.add(meta.bytes());
        VerifiedBlock block = data(meta);
        if (block != null) {
          return block;
        }
      }
      throw undecodable(images.problems());
    }

    private UndecodableException undecodable(String why) {
      return new UndecodableException(
          "Cannot recover block: block="
              + row.blockId()
              + " GS="
              + row.generationStamp()
              + " lengthBytes="
              + row.coveredBytes()
              + ": "
              + why);
    }

    private List<ImageAssembly.Choice> metaRanges() {
      List<Candidate> order = byLoad(0);
      return images.choices(order);
    }

    private @Nullable ChecksumFile checksumFile(ImageAssembly.Choice choice)
        throws IOException, InterruptedException {
      byte[] bytes = new byte[Math.toIntExact(row.coveredMetaBytes())];
      for (int at = 0; at < bytes.length; at += options.chunkBytes()) {
        int length = Math.min(options.chunkBytes(), bytes.length - at);
        ByteBuffer accumulator = accumulators.take(length);
        try {
          if (!images.assemble(choice, ParityKind.META, at, accumulator)) {
            return null;
          }
          accumulator.duplicate().get(bytes, at, length);
        } finally {
          accumulators.give(accumulator);
        }
      }
      try {
        return ChecksumFile.of(choice.candidate().row(), bytes);
      } catch (VerificationException e) {
        images.problem(
            new SourceFailure(choice.candidate().source(), null, String.valueOf(e.getMessage()))
                .toString());
        return null;
      }
    }

    /** A chunk of data in flight. */
    private record Flight(
        long position,
        Candidate candidate,
        ByteBuffer chunk,
        ChunkAssembler.@Nullable Pending pending) {}

    /** Decodes the data under a checksum file; null when some chunk matches from no Lstor. */
    private @Nullable VerifiedBlock data(ChecksumFile meta)
        throws IOException, InterruptedException {
      long length = row.coveredBytes();
      int step = VerifiedBlock.alignedStep(options.chunkBytes(), meta.bytesPerChecksum());
      BlockBuffer buffer =
          BlockBuffer.of(row.blockId(), length, options.memoryBlockBytes(), spillDir);
      Deque<Flight> flights = new ArrayDeque<>();
      long reported = 0;
      boolean done = false;
      try {
        long next = 0;
        while (next < length || !flights.isEmpty()) {
          while (next < length && flights.size() < options.effectiveWindow()) {
            flights.add(launch(next, (int) Math.min(step, length - next)));
            next += step;
          }
          Flight flight = flights.peek();
          if (!land(flight, meta)) {
            return null;
          }
          ByteBuffer chunk = flight.chunk();
          buffer.write(flight.position(), chunk.duplicate());
          reported += chunk.remaining();
          progress.accept(chunk.remaining());
          accumulators.give(flights.remove().chunk());
        }
        done = true;
        return new VerifiedBlock(row, meta, buffer);
      } finally {
        if (!done) {
          progress.accept(-reported);
          buffer.close();
        }
        drain(flights);
      }
    }

    /** Starts a chunk by one Lstor alone or, if that cannot do, by all together. */
    private Flight launch(long position, int lengthBytes) {
      Candidate candidate = byLoad(lengthBytes).get(0);
      ByteBuffer chunk = accumulators.take(lengthBytes);
      ChunkAssembler.Pending pending = null;
      for (ImageAssembly.Choice choice : images.choices(List.of(candidate))) {
        try {
          pending = images.start(choice, ParityKind.DATA, position, chunk);
          break;
        } catch (UndecodableException e) {
          images.problem(String.valueOf(e.getMessage()));
        }
      }
      return new Flight(position, candidate, chunk, pending);
    }

    /** Waits for a chunk; if it is not right, tries the other Lstors, then all together. */
    private boolean land(Flight flight, ChecksumFile meta)
        throws InterruptedException, ReceiverFailedException {
      ByteBuffer chunk = flight.chunk();
      List<ImageAssembly.Choice> others = new ArrayList<>();
      if (flight.pending() != null) {
        List<SourceFailure> failures = flight.pending().await();
        images.note(failures);
        if (failures.isEmpty() && matches(flight.candidate(), meta, flight.position(), chunk)) {
          return true;
        }
      }
      for (Candidate candidate : candidates) {
        if (candidate.source() != flight.candidate().source()) {
          others.add(images.alone(candidate));
        }
      }
      candidates.forEach(candidate -> others.add(images.together(candidate)));
      for (ImageAssembly.Choice choice : others) {
        if (images.assemble(choice, ParityKind.DATA, flight.position(), chunk)
            && matches(choice.candidate(), meta, flight.position(), chunk)) {
          return true;
        }
      }
      return false;
    }

    private boolean matches(
        Candidate candidate, ChecksumFile meta, long position, ByteBuffer chunk) {
      String mismatch = meta.mismatch(position, chunk);
      if (mismatch != null) {
        images.problem(new SourceFailure(candidate.source(), null, mismatch).toString());
        return false;
      }
      candidate.source().decodedBytes().addAndGet(chunk.remaining());
      return true;
    }

    private void drain(Deque<Flight> flights) throws InterruptedException {
      for (Flight flight : flights) {
        if (flight.pending() != null) {
          flight.pending().awaitQuiet();
        }
        accumulators.give(flight.chunk());
      }
    }

    /** Candidates, the one with the least work first; the work is noted as given to it. */
    private List<Candidate> byLoad(int lengthBytes) {
      List<Candidate> sorted = new ArrayList<>(candidates);
      sorted.sort(
          (a, b) ->
              Long.compare(a.source().assignedBytes().get(), b.source().assignedBytes().get()));
      sorted.get(0).source().assignedBytes().addAndGet(lengthBytes);
      return sorted;
    }
  }
}
