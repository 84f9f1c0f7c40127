/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.raidp.lstor.SlotEntry;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a superchunk both of whose frames are lost (paper section 3.3): for every block it
 * chooses the better row of the two Lstors, shares the work out over both, verifies and hands on.
 * Blocks are started in the job's order, several at a time.
 *
 * <p>Resumable: a block that the receiver already holds is skipped. A block that cannot be decoded
 * is reported, and stops nothing else. One call of {@link #decode} an instance.
 */
public final class SuperchunkDecoder {
  private final DecodeOptions options;
  private final Kernel kernel;
  private final Throttle throttle;
  private final CancelToken cancel;
  private final Optional<Path> spillDir;

  /** See {@link BlockDecoder} for the parameters. */
  public SuperchunkDecoder(
      DecodeOptions options,
      Kernel kernel,
      Throttle throttle,
      CancelToken cancel,
      Optional<Path> spillDir) {
    this.options = options;
    this.kernel = kernel;
    this.throttle = throttle;
    this.cancel = cancel;
    this.spillDir = spillDir;
  }

  /**
   * Decodes and installs.
   *
   * @return what has become of each block; also when cancelled
   * @throws IOException when a slot table is corrupt, or an Lstor has changed since its table was
   *     read; the tables have to be read again
   */
  public DecodeReport decode(SuperchunkJob job, BlockInstaller installer, DecodeListener listener)
      throws IOException {
    List<DecodeSource> sources = new ArrayList<>();
    List<List<SlotEntry>> lostRows = new ArrayList<>();
    for (DeadDisk disk : job.disks()) {
      sources.add(new DecodeSource(disk));
      lostRows.add(
          disk.parity().rows().stream()
              .filter(row -> row.frameIndex() == disk.lostFrame())
              .toList());
    }
    List<BlockChoice> choices = BlockChoice.all(sources, lostRows, job.wanted());
    listener.planned(choices.size(), choices.stream().mapToLong(BlockChoice::lengthBytes).sum());
    Run run = new Run(installer, listener);
    DecodeOptions fitting =
        options.forImagesUpTo(
            job.disks().stream()
                .flatMap(disk -> disk.parity().rows().stream())
                .mapToLong(SlotEntry::coveredBytes)
                .max()
                .orElse(0));
    try (BlockDecoder decoder = new BlockDecoder(fitting, kernel, throttle, cancel, spillDir)) {
      run.all(fitting.effectiveBlocks(), choices, decoder, sources);
    }
    Map<String, Long> bytesByDisk = new HashMap<>();
    sources.forEach(source -> bytesByDisk.put(source.diskId(), source.decodedBytes().get()));
    return run.report(bytesByDisk);
  }

  /** State of one decode. */
  private final class Run {
    private final BlockInstaller installer;
    private final DecodeListener listener;
    private final List<Long> installed = new ArrayList<>();
    private final List<Long> alreadyHeld = new ArrayList<>();
    private final List<DecodeReport.Failure> failures = new ArrayList<>();
    private final AtomicLong bytesInstalled = new AtomicLong();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReference<@Nullable Error> fatal = new AtomicReference<>();
    private final AtomicReference<@Nullable IOException> changed = new AtomicReference<>();

    Run(BlockInstaller installer, DecodeListener listener) {
      this.installer = installer;
      this.listener = listener;
    }

    void all(
        int parallelBlocks,
        List<BlockChoice> choices,
        BlockDecoder decoder,
        List<DecodeSource> sources)
        throws IOException {
      int workers = Math.min(parallelBlocks, Math.max(1, choices.size()));
      CountDownLatch running = new CountDownLatch(workers);
      for (int i = 0; i < workers; i++) {
        Thread thread =
            new Thread(
                () -> {
                  try {
                    work(choices, decoder, sources);
                  } catch (Error e) {
                    fatal.compareAndSet(null, e);
                    cancel.cancel();
                  } finally {
                    running.countDown();
                  }
                },
                "raidp-rebuild-block-" + i);
        thread.setDaemon(true);
        thread.start();
      }
      boolean interrupted = awaitAll(running);
      Error error = fatal.get();
      if (error != null) {
        throw new ReceiverFailedException("Cannot continue decoding: " + error, error);
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("Cannot continue decoding: interrupted");
      }
      IOException stale = changed.get();
      if (stale != null) {
        throw stale;
      }
    }

    /**
     * Waits for the workers whatever happens: they use buffers and files that the caller closes
     * next.
     */
    private boolean awaitAll(CountDownLatch running) {
      boolean interrupted = false;
      while (true) {
        try {
          running.await();
          return interrupted;
        } catch (InterruptedException e) {
          interrupted = true;
          cancel.cancel();
        }
      }
    }

    private void work(List<BlockChoice> choices, BlockDecoder decoder, List<DecodeSource> sources) {
      for (int i = next.getAndIncrement();
          i < choices.size() && !cancel.isCancelled() && changed.get() == null;
          i = next.getAndIncrement()) {
        BlockChoice choice = choices.get(i);
        try {
          one(choice, decoder, sources);
        } catch (CancellationException e) {
          return;
        } catch (IOException | RuntimeException e) {
          if (cancel.isCancelled()) {
            return;
          }
          fail(choice, String.valueOf(e.getMessage() == null ? e : e.getMessage()), origin(e));
        }
      }
    }

    private DecodeReport.Origin origin(Exception failure) {
      if (failure instanceof ReplicaConflictException) {
        return DecodeReport.Origin.REPLICA;
      }
      return failure instanceof ReceiverFailedException
          ? DecodeReport.Origin.RECEIVER
          : DecodeReport.Origin.SOURCES;
    }

    private void one(BlockChoice choice, BlockDecoder decoder, List<DecodeSource> sources)
        throws IOException {
      if (choice.candidates().isEmpty()) {
        fail(choice, choice.refusal(), DecodeReport.Origin.SOURCES);
        return;
      }
      if (holds(choice)) {
        synchronized (this) {
          alreadyHeld.add(choice.blockId());
        }
        listener.decoded(choice.lengthBytes());
        listener.blockDone(choice.blockId(), choice.lengthBytes());
        return;
      }
      try (VerifiedBlock block = decoder.decode(choice.candidates(), sources, listener::decoded)) {
        cancel.check();
        install(choice, block, sources);
      }
      synchronized (this) {
        installed.add(choice.blockId());
      }
      bytesInstalled.addAndGet(choice.lengthBytes());
      listener.blockDone(choice.blockId(), choice.lengthBytes());
    }

    private void install(BlockChoice choice, VerifiedBlock block, List<DecodeSource> sources)
        throws IOException {
      try {
        requireUnchanged(sources);
        store(choice, block);
      } catch (IOException | RuntimeException e) {
        listener.decoded(-choice.lengthBytes());
        throw e;
      }
    }

    private void store(BlockChoice choice, VerifiedBlock block) throws ReceiverFailedException {
      try {
        installer.install(block, choice.generationStamp());
      } catch (IOException | RuntimeException e) {
        throw ReceiverFailedException.of(e);
      }
    }

    private boolean holds(BlockChoice choice)
        throws ReceiverFailedException, ReplicaConflictException {
      try {
        return installer.holds(choice.blockId(), choice.generationStamp(), choice.lengthBytes());
      } catch (ReplicaConflictException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        throw ReceiverFailedException.of(e);
      }
    }

    /** Its checksums match also where a row is missing in a table, or two are too many. */
    private void requireUnchanged(List<DecodeSource> sources) throws IOException {
      for (DecodeSource source : sources) {
        try {
          source.requireUnchanged();
        } catch (IOException e) {
          changed.compareAndSet(null, e);
          throw e;
        }
      }
    }

    private void fail(BlockChoice choice, String reason, DecodeReport.Origin origin) {
      DecodeReport.Failure failure =
          new DecodeReport.Failure(choice.blockId(), choice.required(), reason, origin);
      synchronized (this) {
        failures.add(failure);
      }
      listener.blockFailed(failure);
    }

    synchronized DecodeReport report(Map<String, Long> bytesByDisk) {
      return new DecodeReport(
          installed,
          alreadyHeld,
          failures,
          bytesInstalled.get(),
          bytesByDisk,
          cancel.isCancelled());
    }
  }
}
