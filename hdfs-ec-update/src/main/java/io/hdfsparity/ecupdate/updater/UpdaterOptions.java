/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.ecupdate.ajx.AddMode;
import io.hdfsparity.ecupdate.ajx.AjxOptions;
import io.hdfsparity.ecupdate.ajx.Bounds;
import io.hdfsparity.ecupdate.ajx.Shape;

/**
 * How an updater works. Immutable.
 *
 * @param adds how writes reach the parity blocks
 * @param cacheBytes of writes that are kept until a flush; 0 for none
 * @param maxOutstanding reads and writes of stripes at a time, and as many again that are abandoned
 *     and have not ended; whoever asks for more waits
 * @param maxStripes stripes whose protocol state is kept between writes
 * @param collectAfter writes of a stripe after which their identifiers are collected
 * @param operationMs until a read or write is aborted, its outcome unknown
 * @param maxBackOffMs between attempts that the protocol repeats
 * @param threads that drive the protocol
 */
public record UpdaterOptions(
    Adds adds,
    long cacheBytes,
    int maxOutstanding,
    int maxStripes,
    int collectAfter,
    long operationMs,
    int maxBackOffMs,
    int threads) {
  /** Rounds of what AJX repeats before it takes to recovery; see {@link AjxOptions}. */
  private static final int TIRED_AFTER = 20;

  /**
   * Looks in which nothing happens, until writers that others wait for count as gone: with the
   * pauses of {@code Recovery} about 3 s.
   */
  private static final int STUCK_AFTER = 200;

  /** Probes in which a write must be seen before it counts as unfinished. */
  static final int OLD_AFTER = 3;

  private static final String DOING = "update files in place";

  /**
   * How adds are sent.
   *
   * @param groups of parity blocks, for {@link AddMode#HYBRID}
   * @param cellsAtOnce data blocks of a stripe that are written together; 0 for as many as the
   *     bound of the failures that must be survived has room for
   */
  public record Adds(AddMode mode, int groups, int cellsAtOnce) {
    public Adds {
      Checks.argument(groups >= 1, DOING, "groups", groups, ">= 1");
      Checks.argument(cellsAtOnce >= 0, DOING, "cellsAtOnce", cellsAtOnce, ">= 0");
    }
  }

  public UpdaterOptions {
    Checks.argument(cacheBytes >= 0, DOING, "cacheBytes", cacheBytes, ">= 0");
    check("maxOutstanding", maxOutstanding);
    check("maxStripes", maxStripes);
    check("collectAfter", collectAfter);
    check("operationMs", operationMs);
    check("maxBackOffMs", maxBackOffMs);
    check("threads", threads);
  }

  private static void check(String name, long value) {
    Checks.argument(value > 0, DOING, name, value, "> 0");
  }

  /** Parallel adds, no cache. */
  public static UpdaterOptions standard() {
    return new UpdaterOptions(new Adds(AddMode.PARALLEL, 1, 0), 0, 32, 4096, 16, 60_000, 500, 2);
  }

  /** The same with a cache of another size. */
  public UpdaterOptions withCache(long bytes) {
    return new UpdaterOptions(
        adds, bytes, maxOutstanding, maxStripes, collectAfter, operationMs, maxBackOffMs, threads);
  }

  /** The same with another time until a read or write is aborted. */
  public UpdaterOptions withOperationMs(long ms) {
    return new UpdaterOptions(
        adds, cacheBytes, maxOutstanding, maxStripes, collectAfter, ms, maxBackOffMs, threads);
  }

  /** The same with another bound of what may be under way. */
  public UpdaterOptions withOutstanding(int most) {
    return new UpdaterOptions(
        adds, cacheBytes, most, maxStripes, collectAfter, operationMs, maxBackOffMs, threads);
  }

  /** The same with another number of writes after which identifiers are collected. */
  public UpdaterOptions withCollectAfter(int writes) {
    return new UpdaterOptions(
        adds, cacheBytes, maxOutstanding, maxStripes, writes, operationMs, maxBackOffMs, threads);
  }

  /**
   * For stripes of a shape.
   *
   * @param demanded failures to survive
   * @throws IllegalArgumentException if these adds do not survive them: with their bound
   */
  AjxOptions ajx(Shape shape, Bounds.Failures demanded) {
    int cells = adds.cellsAtOnce;
    if (cells == 0) {
      cells = shape.dataBlocks();
      while (cells > 1 && !Bounds.permits(adds.mode, shape, adds.groups, cells, demanded)) {
        cells--;
      }
    }
    AjxOptions options =
        new AjxOptions(
            adds.mode, adds.groups, cells, demanded, TIRED_AFTER, STUCK_AFTER, OLD_AFTER);
    options.requirePermitted(shape);
    return options;
  }
}
