/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.workload;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.trace.Access;
import io.hdfsparity.core.trace.ByteRequest;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Random;

/**
 * Makes a trace with the numbers of requests and the average sizes of a {@link Workload}, scaled to
 * any length, in order of time over a week.
 *
 * <p>The model is ours: a part of the writes, {@link Workload#correlatedShare}, comes in patterns
 * of 2 to 6 extents that lie anywhere and are written within 200 µs; few patterns come often, most
 * seldom, and which ones do drifts through the week. The others are one to three extents at a time,
 * at random or behind the last one. Sizes are whole sectors, geometrically distributed around the
 * average, which is steered to. Three reads in ten are of a pattern's extent. Addresses are in 16
 * GiB unless said otherwise, in steps of 4 KiB; a request that begins there may end up to 1 MiB
 * behind.
 *
 * <p>Same workload, length and seed, same trace, on any machine. Memory is that of the patterns, of
 * which there are as many as one in forty correlated writes. Not thread-safe.
 */
public final class WorkloadGenerator {
  /** Where requests begin, unless said otherwise. */
  public static final long VOLUME_BYTES = 16L << 30;

  /** Maximum that a request reaches beyond the place where requests may begin. */
  public static final long MAX_BYTES = 1L << 20;

  private static final long STEP_BYTES = 4096;

  /** The smallest volume. */
  public static final long MIN_VOLUME_BYTES = STEP_BYTES;

  private static final int SECTOR_BYTES = 512;
  private static final int MAX_SECTORS = (int) (MAX_BYTES / SECTOR_BYTES);
  private static final long WEEK_TICKS = 7L * 24 * 3600 * 10_000_000;
  private static final long FIRST_TICKS = 128_166_372_000_000_000L;
  private static final int BURST_TICKS = 2000;
  private static final int MIN_EXTENTS = 2;
  private static final int MAX_EXTENTS = 6;
  private static final int MEAN_EXTENTS = (MIN_EXTENTS + MAX_EXTENTS) / 2;
  private static final int WRITES_PER_PATTERN = 40;
  private static final double READS_OF_PATTERNS = 0.3;

  private final Random random;
  private final long requests;
  private final long volumeBytes;
  private final double correlatedShare;
  private final double meanGapTicks;
  private final SteeredSize readSize;
  private final SteeredSize writeSize;

  /** Offset and size of each extent, MAX_EXTENTS places a pattern. */
  private final long[] patternOffsets;

  private final int[] patternSectors;
  private final byte[] patternExtents;

  private final ArrayDeque<ByteRequest> burst = new ArrayDeque<>();
  private long readsLeft;
  private long writesLeft;
  private long timeTicks = FIRST_TICKS;
  private long behindLastBytes;

  /** Steers a running average to a mean. */
  private static final class SteeredSize {
    private final double meanSectors;
    private double deficitSectors;

    SteeredSize(double meanBytes) {
      this.meanSectors = Math.max(1, meanBytes / SECTOR_BYTES);
    }

    int next(Random random) {
      double mean = Math.min(4 * meanSectors, Math.max(1, meanSectors + deficitSectors / 8));
      return used(geometric(mean, random));
    }

    int used(int sectors) {
      deficitSectors += meanSectors - sectors;
      return sectors;
    }

    /** 1 or more, of some mean. */
    static int geometric(double mean, Random random) {
      if (mean <= 1) {
        return 1;
      }
      double sectors = 1 + StrictMath.log(1 - random.nextDouble()) / StrictMath.log(1 - 1 / mean);
      return (int) Math.min(MAX_SECTORS, sectors);
    }
  }

  /**
   * For a volume of {@link #VOLUME_BYTES}.
   *
   * @param requests how many; {@code workload.reads() + workload.writes()} for its own number
   */
  public WorkloadGenerator(Workload workload, long requests, long seed) {
    this(workload, requests, seed, VOLUME_BYTES);
  }

  /**
   * As above.
   *
   * @param volumeBytes in which requests begin, 4 KiB to {@link #VOLUME_BYTES}; the longest ends
   *     {@link #MAX_BYTES} behind
   */
  public WorkloadGenerator(Workload workload, long requests, long seed, long volumeBytes) {
    Checks.argument(
        volumeBytes >= MIN_VOLUME_BYTES && volumeBytes <= VOLUME_BYTES,
        "generate a trace",
        "volumeBytes",
        volumeBytes,
        MIN_VOLUME_BYTES + " to " + VOLUME_BYTES);
    this.volumeBytes = volumeBytes;
    Checks.argument(
        requests >= 1 && requests <= 1L << 40,
        "generate a trace",
        "requests",
        requests,
        "1 to 2^40");
    this.random = new Random(seed);
    this.requests = requests;
    long all = workload.reads() + workload.writes();
    this.readsLeft = Math.round((double) requests * workload.reads() / all);
    this.writesLeft = requests - readsLeft;
    this.correlatedShare = workload.correlatedShare();
    this.readSize = new SteeredSize(workload.averageReadBytes());
    this.writeSize = new SteeredSize(workload.averageWriteBytes());
    double bursts =
        readsLeft
            + writesLeft * correlatedShare / MEAN_EXTENTS
            + writesLeft * (1 - correlatedShare) / 2;
    this.meanGapTicks = WEEK_TICKS / Math.max(1, bursts);
    int patterns =
        (int)
            Math.min(
                1 << 24,
                Math.max(4, Math.round(writesLeft * correlatedShare / WRITES_PER_PATTERN)));
    this.patternOffsets = new long[patterns * MAX_EXTENTS];
    this.patternSectors = new int[patternOffsets.length];
    this.patternExtents = new byte[patterns];
    double meanSectors = workload.averageWriteBytes() / SECTOR_BYTES;
    for (int pattern = 0; pattern < patterns; pattern++) {
      patternExtents[pattern] =
          (byte) (MIN_EXTENTS + random.nextInt(MAX_EXTENTS - MIN_EXTENTS + 1));
      for (int i = 0; i < MAX_EXTENTS; i++) {
        patternOffsets[pattern * MAX_EXTENTS + i] = anywhere();
        patternSectors[pattern * MAX_EXTENTS + i] = SteeredSize.geometric(meanSectors, random);
      }
    }
  }

  private long anywhere() {
    return STEP_BYTES * random.nextInt((int) (volumeBytes / STEP_BYTES));
  }

  /** The next request; empty after the last. */
  public Optional<ByteRequest> next() {
    if (burst.isEmpty() && readsLeft + writesLeft > 0) {
      timeTicks += BURST_TICKS + (long) (-meanGapTicks * StrictMath.log(1 - random.nextDouble()));
      begin();
    }
    return Optional.ofNullable(burst.poll());
  }

  private void begin() {
    double bursts = writesLeft * (correlatedShare / MEAN_EXTENTS + (1 - correlatedShare) / 2);
    if (random.nextDouble() * (readsLeft + bursts) < readsLeft) {
      read();
    } else if (random.nextDouble() < patternBursts()) {
      writePattern();
    } else {
      writeAnywhere();
    }
  }

  /** Share of the bursts of writes that are patterns. */
  private double patternBursts() {
    double patterns = correlatedShare / MEAN_EXTENTS;
    return patterns / (patterns + (1 - correlatedShare) / 2);
  }

  /** Half of the patterns are in use, the low ones of them often; which half drifts. */
  private int pattern() {
    int count = patternExtents.length;
    double skewed = random.nextDouble() * random.nextDouble();
    double drift = 1 - (double) (readsLeft + writesLeft) / requests;
    return (int) ((drift + skewed) / 2 * count) % count;
  }

  private void read() {
    readsLeft--;
    long offset =
        random.nextDouble() < READS_OF_PATTERNS
            ? patternOffsets[pattern() * MAX_EXTENTS]
            : anywhere();
    burst.add(
        new ByteRequest(
            timeTicks, Access.READ, offset, (long) SECTOR_BYTES * readSize.next(random)));
  }

  private void writePattern() {
    int pattern = pattern();
    for (int i = 0; i < patternExtents[pattern] && writesLeft > 0; i++) {
      int at = pattern * MAX_EXTENTS + i;
      write(i, patternOffsets[at], writeSize.used(patternSectors[at]));
    }
  }

  private void writeAnywhere() {
    int extents = 1 + random.nextInt(3);
    for (int i = 0; i < extents && writesLeft > 0; i++) {
      boolean goesOn = random.nextInt(4) == 0 && behindLastBytes < volumeBytes;
      long offset = goesOn ? behindLastBytes : anywhere();
      int sectors = writeSize.next(random);
      behindLastBytes = offset + (long) SECTOR_BYTES * sectors;
      write(i, offset, sectors);
    }
  }

  private void write(int numberInBurst, long offset, int sectors) {
    writesLeft--;
    long time = timeTicks + (long) numberInBurst * BURST_TICKS / MAX_EXTENTS;
    burst.add(new ByteRequest(time, Access.WRITE, offset, (long) SECTOR_BYTES * sectors));
  }
}
