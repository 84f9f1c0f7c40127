/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.sim;

import io.hdfsparity.ecupdate.ajx.AddMode;
import io.hdfsparity.ecupdate.ajx.Bounds;
import io.hdfsparity.ecupdate.ajx.Bounds.Failures;
import io.hdfsparity.ecupdate.ajx.Shape;
import java.util.Random;

/**
 * What one run is about.
 *
 * @param cellsAtOnce data blocks that one write may touch at a time
 * @param demanded what clients are asked to survive
 * @param clientCrashes that happen
 * @param nodeLosses that happen
 * @param restarts of storage nodes that keep what was synced
 * @param falseExpiries locks of live clients that are taken for dead
 * @param lossPercent messages that are lost
 * @param hotBlock whether all writes go to one block, so that their order matters
 * @param lossesLast whether nodes are lost only when all clients that must have crashed, which is
 *     when the unfinished writes lie about
 */
record Scenario(
    Shape shape,
    AddMode mode,
    int groups,
    int cellsAtOnce,
    Failures demanded,
    int clients,
    int operations,
    int clientCrashes,
    int nodeLosses,
    int restarts,
    int falseExpiries,
    int lossPercent,
    boolean hotBlock,
    boolean lossesLast,
    Fault fault) {

  /** A scenario within the bounds of the theorems. */
  static Scenario withinBounds(Random random, Fault fault) {
    // Small stripes mostly; two crashed clients beside a lost node need four parity blocks.
    int k = 2 + random.nextInt(random.nextInt(4) == 0 ? 4 : 2);
    int p = 1 + random.nextInt(k);
    Shape shape = new Shape(k, p);
    AddMode mode = AddMode.values()[random.nextInt(AddMode.values().length)];
    int groups = 1 + random.nextInt(p);
    int clientCrashes = random.nextInt(3);
    int cellsAtOnce = random.nextInt(3) == 0 ? 2 : 1;
    int storage = Bounds.storageFailures(mode, shape, clientCrashes * cellsAtOnce, groups);
    boolean calm = random.nextInt(4) == 0;
    return new Scenario(
        shape,
        mode,
        groups,
        cellsAtOnce,
        new Failures(clientCrashes, storage),
        1 + clientCrashes + random.nextInt(3),
        1 + random.nextInt(4),
        clientCrashes,
        storage == 0 ? 0 : random.nextInt(storage + 1),
        calm ? 0 : random.nextInt(3),
        calm ? 0 : random.nextInt(2),
        calm ? 0 : random.nextInt(4),
        random.nextBoolean(),
        random.nextBoolean(),
        fault);
  }
}
