/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.ErrorMessage;

/**
 * How many failures AJX survives: Theorems 1 to 3 and Corollary 1 of the paper (section 4).
 *
 * <p>Failures count from the end of one complete recovery to the next: a recovery sets them back to
 * none. Stateless, thread-safe.
 */
public final class Bounds {
  private Bounds() {}

  /**
   * Failures to survive.
   *
   * @param clients t_p, clients that crash in the middle of a write or a recovery
   * @param storageNodes t_d, storage nodes whose block is lost; one that comes back with its block
   *     has not failed in this sense
   */
  public record Failures(int clients, int storageNodes) {
    public Failures {
      Checks.argument(clients >= 0, "bound failures", "clients", clients, ">= 0");
      Checks.argument(storageNodes >= 0, "bound failures", "storageNodes", storageNodes, ">= 0");
    }

    /** As figure 8(a) writes it: {@code 1c1s}. */
    @Override
    public String toString() {
      return clients + "c" + storageNodes + "s";
    }
  }

  /**
   * Theorem 1: {@code ceil((n - k) / (t_p + 1) - t_p / 2)}, at least 0: without any lost storage
   * node the data blocks alone are consistent, whatever clients did.
   */
  public static int serialStorageFailures(Shape shape, int clientFailures) {
    return storageFailures(shape, clientFailures, clientFailures + 1L);
  }

  /** Theorem 2: {@code ceil((n - k) / 2^t_p - t_p / 2)}, at least 0. */
  public static int parallelStorageFailures(Shape shape, int clientFailures) {
    return storageFailures(shape, clientFailures, 1L << Math.min(clientFailures, 31));
  }

  private static int storageFailures(Shape shape, int clientFailures, long parts) {
    Checks.argument(clientFailures >= 0, "bound failures", "clients", clientFailures, ">= 0");
    // (p / parts) - (t / 2) = (2 p - t parts) / (2 parts), in integers so that ceil is exact.
    long numerator = 2L * shape.parityBlocks() - Math.multiplyExact((long) clientFailures, parts);
    return (int) Math.max(0, -Math.floorDiv(-numerator, 2 * parts));
  }

  /**
   * Theorem 3: as serial, provided that no group is larger than that; 0 otherwise.
   *
   * @param groups s, into which the parity blocks are divided, each of at most {@code ceil(p / s)}
   */
  public static int hybridStorageFailures(Shape shape, int clientFailures, int groups) {
    int serial = serialStorageFailures(shape, clientFailures);
    return groupSize(shape, groups) <= serial ? serial : 0;
  }

  /** {@code ceil(p / s)}, Theorem 3's r. */
  public static int groupSize(Shape shape, int groups) {
    Checks.argument(
        groups >= 1 && groups <= shape.parityBlocks(),
        "divide parity blocks into groups",
        "groups",
        groups,
        "1 <= groups <= parityBlocks=" + shape.parityBlocks());
    return (shape.parityBlocks() + groups - 1) / groups;
  }

  /**
   * Lost storage nodes survived beside so many crashed clients.
   *
   * @param groups for {@link AddMode#HYBRID}; ignored by the others
   */
  public static int storageFailures(AddMode mode, Shape shape, int clientFailures, int groups) {
    return switch (mode) {
      case SERIAL -> serialStorageFailures(shape, clientFailures);
      case PARALLEL, BROADCAST -> parallelStorageFailures(shape, clientFailures);
      case HYBRID -> hybridStorageFailures(shape, clientFailures, groups);
    };
  }

  /** Corollary 1, serial: parity blocks needed for these failures. */
  public static long serialParityNeeded(Failures failures) {
    return parityNeeded(failures, failures.clients() + 1L);
  }

  /** Corollary 1, parallel. */
  public static long parallelParityNeeded(Failures failures) {
    return parityNeeded(failures, 1L << Math.min(failures.clients(), 30));
  }

  private static long parityNeeded(Failures failures, long parts) {
    if (failures.storageNodes() == 0) {
      return 0;
    }
    // 1 + parts (t_d + t_p / 2 - 1); parts * t_p is even for both kinds of parts but p = 0.
    long twice = parts * (2L * failures.storageNodes() + failures.clients() - 2);
    return 1 + twice / 2;
  }

  /**
   * Round trips of a write without failures: 2 in parallel, one more than there are groups in
   * hybrid, one more than there are parity blocks in series.
   */
  public static int writeRoundTrips(AddMode mode, Shape shape, int groups) {
    return switch (mode) {
      case PARALLEL, BROADCAST -> 2;
      case SERIAL -> 1 + shape.parityBlocks();
      case HYBRID -> {
        int size = groupSize(shape, groups);
        yield 1 + (shape.parityBlocks() + size - 1) / size;
      }
    };
  }

  /**
   * Whether a mode survives what is demanded.
   *
   * @param cellsAtOnce data blocks of one stripe that one client writes at the same time; the
   *     theorems speak of one. A client that crashes with c of them unfinished leaves what c
   *     crashed clients would leave, so it is counted as c
   */
  public static boolean permits(
      AddMode mode, Shape shape, int groups, int cellsAtOnce, Failures demanded) {
    Checks.argument(cellsAtOnce >= 1, "bound failures", "cellsAtOnce", cellsAtOnce, ">= 1");
    int clients = Math.multiplyExact(demanded.clients(), cellsAtOnce);
    return demanded.storageNodes() <= storageFailures(mode, shape, clients, groups);
  }

  /**
   * As {@link #permits}.
   *
   * @throws IllegalArgumentException with what the mode does survive, if that is not enough
   */
  public static void require(
      AddMode mode, Shape shape, int groups, int cellsAtOnce, Failures demanded) {
    if (!permits(mode, shape, groups, cellsAtOnce, demanded)) {
      int clients = Math.multiplyExact(demanded.clients(), cellsAtOnce);
      throw new IllegalArgumentException(
          ErrorMessage.to("update in place")
              .value("adds", mode)
              .value("shape", shape)
              .value("cellsAtOnce", cellsAtOnce)
              .value("demanded", demanded)
              .expected(
                  "at most "
                      + storageFailures(mode, shape, clients, groups)
                      + " lost storage nodes beside "
                      + demanded.clients()
                      + " crashed clients: ask for less, add serially, or take more parity")
              .message());
    }
  }
}
