/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.OpMode;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotMachine;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** What clients may ask of a slot as it is. Not thread-safe. */
final class ModelRequests {
  private final Random random;
  private long tids;

  ModelRequests(Random random) {
    this.random = random;
  }

  private Bytes bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return Bytes.wrap(bytes);
  }

  /**
   * Any request.
   *
   * @param length bytes of the cell in the file
   */
  Request any(SlotMachine slot, boolean isData, int length) {
    LockId lock = slot.holder() == null ? new LockId(9, ++tids) : slot.holder();
    if (slot.opMode() != OpMode.NORM && random.nextBoolean()) {
      return recovery(slot, lock, length);
    }
    int offset = random.nextInt(length);
    Patch patch = new Patch(offset, bytes(1 + random.nextInt(length - offset)));
    Tid tid = new Tid(random.nextInt(3), ++tids, 0);
    List<Tid> recent = slot.durable().recentList();
    List<Tid> some = recent.subList(0, random.nextInt(recent.size() + 1));
    boolean isOfRecovery = slot.holder() != null || random.nextInt(8) == 0;
    return switch (isOfRecovery ? random.nextInt(6) : 1 + random.nextInt(19)) {
      case 0 -> new Request.TryLock(LockMode.L1, lock);
      case 1 -> new Request.SetLock(LockMode.UNL, lock);
      case 2 -> new Request.GetState(lock);
      case 3 -> reconstruct(slot, lock, length);
      case 4, 5 -> finish(slot, lock);
      case 6 -> new Request.GcRecent(some);
      case 7 -> new Request.GcOld(slot.durable().oldList());
      case 8 -> new Request.Read(0, TestDisk.CELL_BYTES);
      case 9 -> new Request.Probe();
      default ->
          isData
              ? new Request.Swap(patch, tid)
              : new Request.Add(patch, Request.Scaling.BY_NODE, tid, null, slot.epoch());
    };
  }

  /** What brings a slot that is not right on. */
  private Request recovery(SlotMachine slot, LockId lock, int length) {
    if (slot.holder() == null) {
      return new Request.TryLock(LockMode.L1, lock);
    }
    return slot.opMode() == OpMode.INIT ? reconstruct(slot, lock, length) : finish(slot, lock);
  }

  private Request reconstruct(SlotMachine slot, LockId lock, int length) {
    return new Request.Reconstruct(
        Set.of(0, 1),
        Bytes.wrap(Arrays.copyOf(bytes(length).toArray(), TestDisk.CELL_BYTES)),
        slot.epoch() + 1,
        lock);
  }

  private static Request finish(SlotMachine slot, LockId lock) {
    return new Request.FinalizeRecovery(
        Math.max(slot.epoch(), slot.durable().targetEpoch()), Request.LockAfter.RELEASED, lock);
  }
}
