/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import io.hdfsparity.core.check.Checks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What no client that is right would ever ask of a block, whatever the state of it: refused with an
 * {@link IllegalArgumentException} before anything is looked at. Immutable, thread-safe.
 *
 * @param shape of the group
 * @param block index of the block that is served
 * @param lengthBytes of the block
 */
record RequestCheck(Shape shape, int block, int lengthBytes) {
  void check(Request request) {
    if (request instanceof Request.Read read) {
      Checks.argument(
          read.offset() >= 0
              && read.lengthBytes() >= 0
              && read.offset() <= lengthBytes - read.lengthBytes(),
          "read",
          "offset",
          read.offset() + ", lengthBytes=" + read.lengthBytes(),
          "a range inside the block=" + lengthBytes);
    } else if (request instanceof Request.Swap swap) {
      checkSwap(swap);
    } else if (request instanceof Request.Add add) {
      checkAdd(add.delta(), List.of(new Request.Part(add.ntid(), add.otid())));
    } else if (request instanceof Request.AddAll add) {
      checkAdd(add.delta(), add.parts());
    } else if (request instanceof Request.TryLock lock) {
      checkMode("lock a block", lock.mode());
    } else if (request instanceof Request.GetRecent recent) {
      checkMode("lock a block again", recent.mode());
    } else if (request instanceof Request.Reconstruct reconstruct) {
      checkReconstruct(reconstruct);
    }
  }

  private void checkSwap(Request.Swap swap) {
    Checks.argument(
        swap.ntid().block() == block && !shape.isParity(block),
        "swap",
        "tid.block",
        swap.ntid().block(),
        "the data block that is served, " + block);
    checkEnd("swap", "patch.end", swap.patch());
  }

  private void checkAdd(Patch delta, List<Request.Part> parts) {
    Checks.argument(shape.isParity(block), "add", "block", block, "a parity block");
    checkEnd("add", "delta.end", delta);
    Set<Tid> tids = new HashSet<>();
    for (Request.Part part : parts) {
      int written = part.ntid().block();
      Checks.argument(
          written >= 0 && !shape.isParity(written),
          "add",
          "tid.block",
          written,
          "a data block, 0.." + (shape.dataBlocks() - 1));
      Checks.argument(tids.add(part.ntid()), "add", "tid", part.ntid(), "each write once");
    }
    Checks.argument(!tids.isEmpty(), "add", "parts", 0, ">= 1");
  }

  private void checkEnd(String doing, String name, Patch patch) {
    Checks.argument(
        patch.end() <= lengthBytes,
        doing,
        name,
        patch.end(),
        "<= length of the block=" + lengthBytes);
  }

  /** UNL would release what others hold, EXP would lock for nobody. */
  private static void checkMode(String doing, LockMode mode) {
    Checks.argument(mode.isHeld(), doing, "mode", mode, "L0 or L1");
  }

  private void checkReconstruct(Request.Reconstruct request) {
    Checks.argument(
        request.block().length() == lengthBytes,
        "reconstruct a block",
        "lengthBytes",
        request.block().length(),
        "= " + lengthBytes);
    for (int member : request.consistentSet()) {
      Checks.argument(
          member >= 0 && member < shape.blocks(),
          "reconstruct a block",
          "member of the consistent set",
          member,
          "0 <= member < " + shape.blocks());
    }
  }
}
