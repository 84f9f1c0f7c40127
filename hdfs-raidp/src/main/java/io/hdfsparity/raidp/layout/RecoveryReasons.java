/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.List;

/** Says why a superchunk has no receiver, from the state before anything was placed. */
final class RecoveryReasons {
  private final ShapeIndex index;
  private final RecoveryState before;

  RecoveryReasons(ShapeIndex index, RecoveryState before) {
    this.index = index;
    this.before = before;
  }

  /**
   * @param sender disk of the surviving frame, or -1
   */
  RecoveryPlan.Unplaceable explain(
      RecoveryPlan.Kind kind, long superchunkId, List<FrameId> frames, int sender) {
    int roomy = 0;
    int allowed = 0;
    int unshared = 0;
    for (int disk = 0; disk < before.diskCount(); disk++) {
      if (before.hasRoom(disk)) {
        roomy++;
        if (sender < 0 || before.mayShare(sender, disk)) {
          allowed++;
          unshared += sender < 0 || !before.sharing(sender, disk) ? 1 : 0;
        }
      }
    }
    RecoveryPlan.Reason reason;
    String expected;
    if (roomy == 0) {
      reason = RecoveryPlan.Reason.NO_SPARE_FRAME;
      expected = "expected a live disk with a spare frame; add disks";
    } else if (allowed == 0) {
      reason = RecoveryPlan.Reason.NODE_OR_RACK;
      expected =
          "expected one on another node and, where there are two racks, in another rack than"
              + " the survivor; add nodes there";
    } else if (unshared == 0) {
      reason = RecoveryPlan.Reason.ONE_SHARING;
      expected = "expected one that shares no other superchunk with the survivor's disk; add disks";
    } else {
      reason = RecoveryPlan.Reason.TAKEN;
      expected =
          "expected one that is not needed by the other superchunks of this recovery;"
              + " add disks";
    }
    String where = sender < 0 ? "" : ", survivor's disk=" + index.disk(sender).id();
    return new RecoveryPlan.Unplaceable(
        kind,
        superchunkId,
        frames,
        reason,
        "Cannot place superchunk="
            + superchunkId
            + ": disks with a spare frame="
            + roomy
            + ", of those on allowed nodes and racks="
            + allowed
            + ", not sharing yet="
            + unshared
            + ", "
            + expected
            + where);
  }
}
