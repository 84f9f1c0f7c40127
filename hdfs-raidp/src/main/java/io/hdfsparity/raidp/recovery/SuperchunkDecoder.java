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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Decodes a superchunk both of whose frames are lost (paper section 3.3): for every block it chooses the better row of the two
 * Lstors, shares the work out over both, verifies and hands on. Blocks are started in the job's order, several at a time.
 *
 * <p>Resumable: a block that the receiver already holds is skipped. A block that cannot be decoded is reported, and stops
 * nothing else. One call of {@link #decode} an instance.
 */
public final class SuperchunkDecoder {
  private final DecodeOptions options;
  private final Kernel kernel;
  private final Throttle throttle;
  private final CancelToken cancel;
  private final Optional<Path> spillDir;

  /** See {@link BlockDecoder} for the parameters. */
  public SuperchunkDecoder(DecodeOptions options, Kernel kernel, Throttle throttle, CancelToken cancel,
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
   * @throws IOException when a slot table is corrupt
   */
  public DecodeReport decode(SuperchunkJob job, BlockInstaller installer, DecodeListener listener) throws IOException {
    List<DecodeSource> sources = new ArrayList<>();
    List<List<SlotEntry>> lostRows = new ArrayList<>();
    for (DeadDisk disk : job.disks()) {
      sources.add(new DecodeSource(disk));
      lostRows.add(disk.parity().rows().stream().filter(row -> row.frameIndex() == disk.lostFrame()).toList());
    }
    List<BlockChoice> choices = BlockChoice.all(sources, lostRows, job.wanted());
    listener.planned(choices.size(), choices.stream().mapToLong(BlockChoice::lengthBytes).sum());
    Run run = new Run(installer, listener);
    try (BlockDecoder decoder = new BlockDecoder(options, kernel, throttle, cancel, spillDir);
        ContributorPeeler peeler = new ContributorPeeler(sources, decoder)) {
      run.all(choices, decoder, peeler);
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

    Run(BlockInstaller installer, DecodeListener listener) {
      this.installer = installer;
      this.listener = listener;
    }

    void all(List<BlockChoice> choices, BlockDecoder decoder, ContributorPeeler peeler) throws IOException {
      int workers = Math.min(options.effectiveBlocks(), Math.max(1, choices.size()));
      ExecutorService executor = Executors.newFixedThreadPool(workers, work -> {
        Thread thread = new Thread(work, "raidp-rebuild-block");
        thread.setDaemon(true);
        return thread;
      });
      try {
        List<Future<?>> futures = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
          futures.add(executor.submit(() -> work(choices, decoder, peeler)));
        }
        awaitAll(futures);
      } finally {
        executor.shutdownNow();
      }
    }

    private void awaitAll(List<Future<?>> futures) throws IOException {
      for (Future<?> future : futures) {
        while (true) {
          try {
            future.get();
            break;
          } catch (ExecutionException e) {
            cancel.cancel();
            throw new IOException("Cannot go on decoding: " + e.getCause(), e.getCause());
          } catch (InterruptedException e) {
            // The workers use buffers and files that the caller is about to close: they end first.
            cancel.cancel();
            Thread.interrupted();
            awaitAll(futures);
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException("Cannot go on decoding: interrupted").initCause(e);
          }
        }
      }
    }

    private void work(List<BlockChoice> choices, BlockDecoder decoder, ContributorPeeler peeler) {
      for (int i = next.getAndIncrement(); i < choices.size() && !cancel.isCancelled(); i = next.getAndIncrement()) {
        BlockChoice choice = choices.get(i);
        try {
          one(choice, decoder, peeler);
        } catch (CancellationException e) {
          return;
        } catch (IOException | RuntimeException e) {
          if (cancel.isCancelled()) {
            return;
          }
          fail(choice, String.valueOf(e.getMessage() == null ? e : e.getMessage()));
        }
      }
    }

    private void one(BlockChoice choice, BlockDecoder decoder, ContributorPeeler peeler) throws IOException {
      if (choice.candidates().isEmpty()) {
        fail(choice, choice.refusal());
        return;
      }
      if (installer.holds(choice.blockId(), choice.generationStamp(), choice.lengthBytes())) {
        synchronized (this) {
          alreadyHeld.add(choice.blockId());
        }
        listener.decoded(choice.lengthBytes());
        listener.blockDone(choice.blockId(), choice.lengthBytes());
        return;
      }
      try (VerifiedBlock block =
          decoder.decode(choice.candidates(), peeler.forBlock(choice.blockId()), listener::decoded)) {
        cancel.check();
        install(choice, block);
      }
      synchronized (this) {
        installed.add(choice.blockId());
      }
      bytesInstalled.addAndGet(choice.lengthBytes());
      listener.blockDone(choice.blockId(), choice.lengthBytes());
    }

    private void install(BlockChoice choice, VerifiedBlock block) throws IOException {
      try {
        installer.install(block, choice.generationStamp());
      } catch (IOException | RuntimeException e) {
        listener.decoded(-choice.lengthBytes());
        throw e;
      }
    }

    private void fail(BlockChoice choice, String reason) {
      DecodeReport.Failure failure = new DecodeReport.Failure(choice.blockId(), choice.required(), reason);
      synchronized (this) {
        failures.add(failure);
      }
      listener.blockFailed(failure);
    }

    synchronized DecodeReport report(Map<String, Long> bytesByDisk) {
      return new DecodeReport(installed, alreadyHeld, failures, bytesInstalled.get(), bytesByDisk, cancel.isCancelled());
    }
  }
}
