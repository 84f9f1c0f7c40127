/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.replay;

/**
 * What a replay would have cost. All counts are exact.
 *
 * @param windows time windows with writes
 * @param writeRequests write requests in them
 * @param cellWrites cells written, each once a window
 * @param parityUpdates parity cells updated: m for each stripe and window in which a cell of it is
 *     written
 * @param readRequests read requests
 * @param cellReads cells read
 * @param degradedReads cells that are read in addition when one node is lost, summed over the loss
 *     of each of the k + m nodes
 */
public record ReplayCounts(
    int windows,
    int writeRequests,
    long cellWrites,
    long parityUpdates,
    int readRequests,
    long cellReads,
    long degradedReads) {}
