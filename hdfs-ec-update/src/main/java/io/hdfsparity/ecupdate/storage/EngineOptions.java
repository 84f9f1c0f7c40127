/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.ecupdate.storage.log.UpdateLogOptions;

/**
 * Sizes and times of an engine. Immutable.
 *
 * @param log of its log
 * @param overlayBytes changes of one replica that are neither in its file nor in reserved space,
 *     beyond which further ones wait
 * @param logHighBytes of the log in use, beyond which its oldest records are made needless
 * @param reserved constants of Algorithm 1
 * @param drainDelayMs how long changes gather before they are moved on
 * @param sealAfterMs how long the log must be idle before it is sealed
 * @param quiescentAfterMs how long a replica must be without changes before nothing is left of its
 *     quiescent slots but their epochs
 * @param maxReceiptBytes of receipts of swaps in memory, beyond which further swaps are refused
 */
public record EngineOptions(
    UpdateLogOptions log,
    int overlayBytes,
    int logHighBytes,
    ReservedSpaceOptions reserved,
    long drainDelayMs,
    long sealAfterMs,
    long quiescentAfterMs,
    long maxReceiptBytes) {
  public EngineOptions {
    Checks.argument(overlayBytes > 0, "configure an engine", "overlayBytes", overlayBytes, "> 0");
    Checks.argument(logHighBytes > 0, "configure an engine", "logHighBytes", logHighBytes, "> 0");
    Checks.argument(drainDelayMs > 0, "configure an engine", "drainDelayMs", drainDelayMs, "> 0");
    Checks.argument(sealAfterMs > 0, "configure an engine", "sealAfterMs", sealAfterMs, "> 0");
    Checks.argument(
        quiescentAfterMs > 0, "configure an engine", "quiescentAfterMs", quiescentAfterMs, "> 0");
    Checks.argument(
        maxReceiptBytes > 0, "configure an engine", "maxReceiptBytes", maxReceiptBytes, "> 0");
  }
}
