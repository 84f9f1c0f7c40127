/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap;

import io.hdfsparity.bridge.refusal.Refusal;
import java.util.Optional;

/**
 * What the NameNode says of a file before it is copied. Immutable.
 *
 * @param identity of the file
 * @param storagePolicyId set on the file itself; 0: none
 * @param pairPlaced the NameNode places new replicas by the pairs of RAIDP
 * @param isProtected its new replicas are protected by RAIDP
 * @param refusal why a copy could not take its place
 */
public record Inspection(
    FileIdentity identity,
    int storagePolicyId,
    boolean pairPlaced,
    boolean isProtected,
    Optional<Refusal> refusal) {
  /** Of a file as the NameNode holds it, for a feature whose copies must fulfil a condition. */
  public static Inspection of(StoredFile file, SwapCondition condition) {
    return new Inspection(
        FileIdentity.of(file),
        file.attributes().storagePolicyId(),
        file.pairing().pairPlaced(),
        file.pairing().isProtected(),
        SwapRules.unfit(file)
            .or(() -> SwapRules.unknown(file))
            .or(() -> SwapRules.degraded(file))
            .or(() -> condition.refuses(file)));
  }
}
